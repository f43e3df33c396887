"""The rules, one theme a file."""
