"""The dialogue without what was found."""

from vidence.check import probe
from vidence.media.clip import Clip
from vidence.replay import WITHHELD
from vidence.view import Context, Text, View


@probe()
def no_evidence(view: View, context: Context) -> tuple[View]:
    """Replay with every piece of evidence taken away, clips included.

    Tells questions that can be answered without evidence from answerers that do not use it.
    """
    if not view.evidence():
        return (view.with_parts(*(p for p in view.parts if not isinstance(p[1], Clip))),)
    return (view.map_evidence(lambda part: Text(WITHHELD)),)
