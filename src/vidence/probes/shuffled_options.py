"""The options in another order."""

from vidence.check import PROBES, probe
from vidence.errors import NotApplicableError
from vidence.view import Context, View


@probe()
def shuffled_options(view: View, context: Context, *, of: str = "intact") -> tuple[View, ...]:
    """Show what the probe `of` shows, with the options in one seeded order.

    Beside the probe `of` it tells how much of an accuracy rests on where the key stands.
    """
    count = len(view.options)
    if count < 2:
        raise NotApplicableError(f"{count} options cannot be shuffled")
    order = context.rng.permutation(count)
    if all(order == range(count)):
        order = order[::-1]
    options = tuple(view.options[i] for i in order)
    return PROBES[of].function(view.with_options(options), context)
