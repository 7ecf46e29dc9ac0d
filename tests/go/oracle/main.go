// Command oracle answers questions about notes, heads, proofs and policies with the words of others: of Go's own
// golang.org/x/mod/sumdb, of github.com/transparency-dev/formats, and of filippo.io/torchwood.
//
// A question is a line of JSON on standard input, its answer a line of JSON on standard output: for each implementation
// that can be asked, whether it accepts, or why not.
package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"strings"

	"filippo.io/torchwood"
	flog "github.com/transparency-dev/formats/log"
	fnote "github.com/transparency-dev/formats/note"
	"github.com/transparency-dev/formats/proof"
	"github.com/transparency-dev/formats/witness"
	"golang.org/x/mod/sumdb/note"
	"golang.org/x/mod/sumdb/tlog"
)

type question struct {
	Ask       string   `json:"ask"`
	Note      []byte   `json:"note"`
	Origin    string   `json:"origin"`
	Log       string   `json:"log"`
	Witnesses []string `json:"witnesses"`
	Policy    []byte   `json:"policy"`
	Proof     [][]byte `json:"proof"`
	Size      int64    `json:"size"`
	Root      []byte   `json:"root"`
	OldSize   int64    `json:"old_size"`
	OldRoot   []byte   `json:"old_root"`
	Index     int64    `json:"index"`
	Leaf      []byte   `json:"leaf"`
	Key       string   `json:"key"`
	Text      string   `json:"text"`
}

type answers map[string]string

const yes = "yes"

func (a answers) put(who string, err error) {
	if err != nil {
		a[who] = err.Error()
	} else {
		a[who] = yes
	}
}

func main() {
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<24)
	out := json.NewEncoder(os.Stdout)
	for in.Scan() {
		var q question
		if err := json.Unmarshal(in.Bytes(), &q); err != nil {
			log.Fatal(err)
		}
		if err := out.Encode(answer(q)); err != nil {
			log.Fatal(err)
		}
	}
	if err := in.Err(); err != nil {
		log.Fatal(err)
	}
}

func answer(q question) answers {
	found := answers{}
	switch q.Ask {
	case "note":
		_, err := open(q)
		found.put("sumdb/note", err)
	case "head":
		head(q, found)
	case "consistency":
		var hashes tlog.TreeProof
		for _, one := range q.Proof {
			hashes = append(hashes, hash(one))
		}
		found.put("sumdb/tlog", tlog.CheckTree(hashes, q.Size, hash(q.Root), q.OldSize, hash(q.OldRoot)))
	case "inclusion":
		var hashes tlog.RecordProof
		for _, one := range q.Proof {
			hashes = append(hashes, hash(one))
		}
		leaf := tlog.RecordHash(q.Leaf)
		found.put("sumdb/tlog", tlog.CheckRecord(hashes, q.Size, hash(q.Root), q.Index, leaf))
	case "proof":
		var p proof.TLogProof
		err := p.Unmarshal(q.Note)
		if err == nil && string(p.Marshal()) != string(q.Note) {
			err = fmt.Errorf("written otherwise")
		}
		found.put("formats/proof", err)
	case "policy":
		group, err := witness.ParsePolicy(q.Policy)
		if err == nil && !group.Satisfied(q.Note) {
			err = fmt.Errorf("not satisfied")
		}
		found.put("formats/witness", err)
	case "sign":
		signer, err := note.NewSigner(q.Key)
		if err == nil {
			var signed []byte
			signed, err = note.Sign(&note.Note{Text: q.Text}, signer)
			found["note"] = string(signed)
		}
		found.put("sumdb/note", err)
	case "cosign":
		signer, err := fnote.NewSignerForCosignatureV1(q.Key)
		if err == nil {
			var signed []byte
			signed, err = note.Sign(&note.Note{Text: q.Text}, signer)
			found["note"] = string(signed)
		}
		found.put("formats/note", err)
	default:
		log.Fatalf("what is %q?", q.Ask)
	}
	return found
}

func hash(b []byte) (h tlog.Hash) {
	if len(b) != tlog.HashSize {
		log.Fatalf("a hash of %d bytes", len(b))
	}
	copy(h[:], b)
	return h
}

func verifiers(q question) (logs note.Verifier, witnesses []note.Verifier, err error) {
	logs, err = note.NewVerifier(q.Log)
	if err != nil {
		return nil, nil, err
	}
	for _, vkey := range q.Witnesses {
		one, err := fnote.NewVerifierForCosignatureV1(vkey)
		if err != nil {
			return nil, nil, err
		}
		witnesses = append(witnesses, one)
	}
	return logs, witnesses, nil
}

func open(q question) (*note.Note, error) {
	one, others, err := verifiers(q)
	if err != nil {
		return nil, err
	}
	return note.Open(q.Note, note.VerifierList(append(others, one)...))
}

// head asks whether a note is a head of the log, signed by it, with the given size and root.
func head(q question, found answers) {
	one, others, err := verifiers(q)
	if err != nil {
		found.put("sumdb/note", err)
		return
	}
	is := func(size int64, root []byte, origin string) error {
		if size != q.Size || string(root) != string(q.Root) || origin != q.Origin {
			return fmt.Errorf("another head: %s %d %x", origin, size, root)
		}
		return nil
	}
	signedBy := func(sigs []note.Signature) error {
		for _, sig := range sigs {
			if sig.Name == one.Name() && sig.Hash == one.KeyHash() {
				return nil
			}
		}
		return fmt.Errorf("not signed by its log")
	}

	cp, rest, signed, err := flog.ParseCheckpoint(q.Note, q.Origin, one, others...)
	if err == nil {
		err = is(int64(cp.Size), cp.Hash, cp.Origin)
	}
	if err == nil && len(rest) > 0 {
		err = fmt.Errorf("lines more: %q", rest)
	}
	if err == nil {
		err = signedBy(signed.Sigs)
	}
	found.put("formats/log", err)

	opened, err := open(q)
	if err == nil {
		err = signedBy(opened.Sigs)
	}
	var tree torchwood.Checkpoint
	if err == nil {
		tree, err = torchwood.ParseCheckpoint(opened.Text)
	}
	if err == nil {
		err = is(tree.N, tree.Hash[:], tree.Origin)
	}
	if err == nil && tree.Extension != "" {
		err = fmt.Errorf("lines more: %q", strings.TrimSpace(tree.Extension))
	}
	found.put("torchwood", err)
}
