"""Readers of other tools' logs, one file a form."""
