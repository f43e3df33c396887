"""Checks by name: one file each, found by `vidence.check.PROBES`."""
