"""`python -m flexura` is the command `flexura`."""

from flexura.cli import main

if __name__ == "__main__":
    main()
