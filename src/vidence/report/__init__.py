"""Reports of a run: one HTML file, Markdown, JSON, and a table for the terminal."""

from vidence.report.cards import choose_cards
from vidence.report.write import write_report

__all__ = ["choose_cards", "write_report"]
