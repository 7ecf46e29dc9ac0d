"""What proves a night: the evidence bundle, and the seal that it stands under.

=============  =====================================================================================================
`verify`       the verifier: from the bytes of one file, what is proven and what is not
`contents`     what a bundle of given events must contain: members, manifest, verdicts, the law that judged
`trust`        the law in a bundle beside the law that whoever verifies it trusts
`differences`  which verdict of a bundle is another than the one that follows, and what it is about
`page`         the page of a bundle, which people read first
`container`    the zip file as it is read: the one form in which every byte is certain
`seals`        the night's seal over all of its sessions, and the proof of one session in it
`merkle`       the tree under the seal (RFC 6962), and the checks of its proofs
=============  =====================================================================================================

A session's chain and the gateway's signature on it are in `replay.evidence`. `streams.bundle_files` exports bundles and
writes the files.
"""
