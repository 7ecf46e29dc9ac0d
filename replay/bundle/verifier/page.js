// The page: what its reader gives, and what is then said.
"use strict";

const form = document.querySelector("#verifier form");
const saidHere = document.getElementById("said");
let asked = 0;

function element(name, text, attributes = {}) {
  const made = document.createElement(name);
  made.textContent = text;
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

async function bytesIn(input) {
  const [file] = document.getElementById(input).files;
  if (file === undefined) return null;
  try {
    return new Uint8Array(await file.arrayBuffer());
  } catch {
    refuse(`${file.name} cannot be read by this browser`);
  }
}

/** What the reader had another way. */
async function givenByReader() {
  const [keys, policy] = [await bytesIn("keys"), await bytesIn("policy")];
  const root = document.getElementById("root").value.trim();
  if (root !== "" && !DIGEST.test(root.toLowerCase())) refuse("the root has not 64 hexadecimal digits");
  return {
    keys: keys === null ? null : await keyFileFrom(keys),
    policy: policy === null ? null : await policyFrom(policy),
    root: root === "" ? null : root,
  };
}

async function answer() {
  if (!(await hasEd25519())) refuse("this browser cannot verify Ed25519 signatures: use a newer one");
  const given = await givenByReader();
  const file = await bytesIn("bundle");
  if (file === null) refuse("choose a bundle");
  return verifyBundle(file, given);
}

/** The last line, what all statements come to. */
function conclusionOf(statements) {
  const failed = statements.filter((one) => one.said === FAILED).map((one) => one.claim);
  if (failed.length) return `NOT PROVEN: ${failed.join(", ")}`;
  const open = statements.filter((one) => one.said === NOT_ASKED).map((one) => one.claim);
  return `What was looked at holds. Nobody has said, and this page has not shown: ${open.join(", ")}.`;
}

function rowOf({ claim, words, said, detail, problems }) {
  const row = element("tr", "", { "data-claim": claim, "data-said": said });
  row.append(element("td", said, { class: "said" }));
  const cell = element("td", words);
  if (detail) cell.append(element("div", detail));
  if (problems.length) {
    const list = element("ul", "");
    list.append(...problems.map(({ place, text }) => element("li", `${place}: ${text}`.replace(UNPRINTABLE, "?"))));
    cell.append(list);
  }
  row.append(cell);
  return row;
}

function show(state, ...parts) {
  saidHere.replaceChildren(...parts);
  saidHere.dataset.state = state;
}

async function verifyHere() {
  const number = ++asked;
  show("working", element("p", "Working…"));
  let told;
  try {
    told = await answer();
  } catch (error) {
    const why = error instanceof Refusal ? error.message : `this page itself failed (${error})`;
    told = { refused: why, statements: [] };
  }
  if (number !== asked) return;
  if (told.refused) {
    show("refused", element("p", `Cannot be verified: ${told.refused.replace(UNPRINTABLE, "?")}`, { class: "said" }));
    return;
  }
  const table = element("table", "");
  table.append(...told.statements.map(rowOf));
  const conclusion = element("p", conclusionOf(told.statements), { class: "said", id: "conclusion" });
  show("done", element("h3", `Said of ${told.scope}`), table, conclusion);
}

form.addEventListener("submit", (event) => {
  event.preventDefault();
  verifyHere();
});
form.addEventListener("input", () => {
  asked++;
  show("", element("p", ""));
});
