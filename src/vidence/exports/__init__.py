"""Records of a run as files that other tools read, one file a form."""

from vidence.exports.export import EXPORTS, Exported, export

__all__ = ["EXPORTS", "Exported", "export"]
