"""``python -m streams.commands`` is the command ``retally``."""

from streams.commands.app import main

if __name__ == "__main__":
    main()
