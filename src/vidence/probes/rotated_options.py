"""The options in every rotation."""

from vidence.check import PROBES, probe
from vidence.errors import NotApplicableError, UsageError
from vidence.view import Context, View


@probe(fold="all")
def rotated_options(view: View, context: Context, *, of: str = "intact") -> tuple[View, ...]:
    """Show what the probe `of` shows once for every rotation of the options; right only if always.

    With K options a guesser is right with probability 1/K**K instead of 1/K, so luck hardly
    counts. `rotated_options:of=blind` is the strict form of `blind`.
    """
    count = len(view.options)
    if count < 2:
        raise NotApplicableError(f"{count} options cannot be rotated")
    views: list[View] = []
    for shift in range(count):
        options = view.options[shift:] + view.options[:shift]
        views += PROBES[of].function(view.with_options(options), context)
    if len(views) != count:
        raise UsageError(
            f"The probe {of!r} shows {len(views) // count} views, 1 is needed. Name another one."
        )
    return tuple(views)
