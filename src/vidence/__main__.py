"""`python -m vidence` is `vidence`."""

from vidence.cli import main

if __name__ == "__main__":
    main()
