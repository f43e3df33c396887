"""The command line: one file a group of commands; a new file here is a new group."""

from importlib import import_module
from pkgutil import iter_modules

from vidence.cli.app import app, main

for _module in iter_modules(__path__):
    import_module(f"{__name__}.{_module.name}")

__all__ = ["app", "main"]
