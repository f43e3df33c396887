"""The one sentence that a report opens with."""

from __future__ import annotations

from typing import Any

from vidence.audits.panel_grid import PanelGrid
from vidence.stats import Estimate


def headline(title: str, panel: PanelGrid) -> dict[str, Any]:
    """Return the sentence and the estimates in it, at full consensus."""
    if not panel.by_threshold:
        why = "no check that enters the shortcut ratio was run"
        nothing = Estimate.none(why, method="share of cases flagged", total=len(panel.rows))
        return {
            "sentence": f"{title}: {_cases(len(panel.rows))}; {why}.",
            "threshold": 0,
            "panel_size": 0,
            "shortcut": nothing.to_json(),
            "luck": nothing.to_json(),
            "excess": nothing.to_json(),
        }
    overall = panel.by_threshold[-1].overall
    share = overall.share
    return {
        "sentence": _sentence(title, panel),
        "threshold": panel.panel_size,
        "panel_size": panel.panel_size,
        "shortcut": share.flagged.to_json(),
        "luck": share.luck.to_json(),
        "excess": share.excess.to_json(),
    }


def _sentence(title: str, panel: PanelGrid) -> str:
    overall = panel.by_threshold[-1].overall
    flagged, luck, open_ = overall.share.flagged, overall.share.luck, overall.undetermined
    if flagged.value is None:
        return f"{title}: nothing could be scored (no question has both options and a key)."
    if open_ == flagged.n:
        return (
            f"{title}: none of {_cases(flagged.n)} is decided; replies are missing or could not be "
            "read."
        )
    videos = f"{flagged.clusters:,} video{'' if flagged.clusters == 1 else 's'}"
    if flagged.low is None or flagged.high is None:
        interval = f"no interval: {flagged.degenerate}"
    else:
        interval = f"{flagged.level:.0%} interval {_percent(flagged.low)}-{_percent(flagged.high)}"
        interval = interval.replace("95%", "95 %")
    chance = "" if luck.value is None else f"; luck alone explains {_percent(luck.value)} %"
    upper = overall.if_missing_right.value
    rest = ""
    if open_ and upper is not None:
        rest = (
            f" {open_:,} of them hang on missing replies: were those right, it would be "
            f"{_percent(upper)} %."
        )
    return (
        f"{title}: {_percent(flagged.value)} % of {_cases(flagged.n)} can be answered without "
        f"seeing, or without order ({interval}, {videos}{chance}).{rest}"
    )


def _cases(n: int) -> str:
    return f"{n:,} question{'' if n == 1 else 's'}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"
