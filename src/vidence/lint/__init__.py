"""Faults of annotations, each named by id and kind. Nothing is patched, no key is changed."""
