"""``python -m rampart``: the command that comes with this package."""

from rampart._command import main

if __name__ == "__main__":
    main()
