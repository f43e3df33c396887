"""The same words to the same model again."""

from vidence.check import probe
from vidence.replay import as_logged
from vidence.view import Context, View


@probe()
def self_replay(view: View, context: Context) -> tuple[View]:
    """Replay the answer alone: evidence stays the words that the log has.

    It measures the answerer's own noise, and is not subtracted. Source: CARVE, condition SELF.
    """
    return (as_logged(view),)
