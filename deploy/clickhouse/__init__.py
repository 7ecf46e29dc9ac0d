"""The ClickHouse schema as numbered migrations (``NNNN_name.sql``), read through `importlib.resources`.

Rules for a new one:

- A released migration is never changed; what it got wrong, the next one puts right.
- It may be interrupted anywhere and run again from its start: ``IF NOT EXISTS``, or a change that may be made twice.
- Statements end with a semicolon at the end of a line; ``--`` comments stand on lines of their own.
- ``-- requires: 22.8`` in the header names the oldest server that understands it. Where the server is older the
  migration is skipped, with a notice, and tried again at the next start: so nothing that the program needs may depend
  on it.
- Names are unqualified (the connection says which database), times are UTC, and a table's partition is a function of
  its sorting key: rows of one identity that lie in two partitions would never be merged.
"""
