"""All evidence but one piece."""

from vidence.check import probe
from vidence.errors import NotApplicableError, UsageError
from vidence.replay import WITHHELD, logged
from vidence.view import Context, Text, View


@probe()
def without_item(view: View, context: Context, *, item: int = 0) -> tuple[View]:
    """Replay the logged words with one piece of evidence, counted from 0, taken away.

    Asked for each item in turn it tells which piece carries the answer.
    """
    if item < 0:
        raise UsageError(f"item = {item} came; pieces of evidence count from 0.")
    if not any(part.item == item for part in view.evidence()):
        raise NotApplicableError(f"no evidence number {item}")
    return (view.map_evidence(lambda p: Text(WITHHELD) if p.item == item else logged(p)),)
