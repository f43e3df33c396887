"""The question without the video."""

from vidence.check import probe
from vidence.view import Context, View


@probe(counts=True)
def blind(view: View, context: Context) -> tuple[View]:
    """Show the question and the options, nothing else.

    Source: Video-Oasis, visual dependency.
    """
    return (view.with_parts(),)
