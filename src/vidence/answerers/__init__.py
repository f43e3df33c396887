"""Answerers by kind: one file each, found by `vidence.answer.ANSWERERS`."""
