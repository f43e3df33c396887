"""The audits: runs in, verdicts and report data out."""
