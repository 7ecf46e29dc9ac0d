"""What proves a night: the evidence bundle, and the floor's log that it stands in.

===============  ====================================================================================================
`verify`         the verifier: from the bytes of one file, what is proven and what is not
`statements`     what it says: a table of statements, each proven, not asked or failed
`sealed_events`  the events and seals of a session, from their bytes
`sealed_where`   where the sessions were sealed, and by whose word
`contents`       what a bundle of given events must contain: members, manifest, verdicts, the law that judged
`logged`         what a bundle holds of the floor's log
`trust`          the law in a bundle beside the law that whoever verifies it trusts
`seal_keys`      the keys that a bundle's seals are held against
`differences`    which verdict of a bundle is another than the one that follows, and what it is about
`page`           the page of a bundle, which people read first
`verifier`       a second verifier, in JavaScript, in the frame of that page
`container`      the zip file as it is read: the one form in which every byte is certain
`seals`          seals of nights from before there was the floor's log
===============  ====================================================================================================

The recipe of seals and bundles is docs/sealing.md. The floor's log (docs/floor-log.md):

=============  =====================================================================================================
`leaves`       what the house states of a night: one entry a leaf
`sealing`      from the night's sessions, as they were judged, to its leaves
`house_log`    the house's own log: nights, heads, hand-overs, proofs
`floor_log`    what is remembered of a log from night to night, and whether the next night follows
`witness`      the regulator's side: what he checks before he signs
`placement`    a session's place in the log, a whole night, and two heads beside each other
`policy`       whose word about a head is enough
`timestamps`   time stamps (RFC 3161) on heads
`tlog`         requests to a witness, and proofs as files
`checkpoint`   heads
`note`         signed notes
`strict`       text that is read in one spelling alone
`merkle`       the tree (RFC 6962), and the checks of its proofs
=============  =====================================================================================================

A session's chain and the gateway's signature on it are in `replay.evidence`. `streams.bundle_files` exports bundles,
`streams.floor_logs` and `streams.witnessing` keep the log and the witness's memory on the disk.
"""
