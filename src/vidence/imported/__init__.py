"""Predictions of other tools as runs: joined to cases, read by Vidence, kept in a store."""

from vidence.imported.imports import Import, import_predictions
from vidence.imported.summary import ImportReport

__all__ = ["Import", "ImportReport", "import_predictions"]
