"""Commands that need no model: what the text of a benchmark gives away, and leaving that out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from vidence.cli.app import Columns, Json, app, command_line, note, print_json
from vidence.errors import UsageError

if TYPE_CHECKING:
    from vidence.text.learner import LearnerSettings

WORKERS = 2
"""Benchmarks audited at a time with --all; each has a process of its own."""

Transcripts = Annotated[
    Path | None,
    typer.Option(help="Folder of transcripts; with --all one folder a benchmark in it."),
]


@app.command("audit-text")
def audit_text(
    form: Annotated[
        str | None, typer.Argument(metavar="BENCHMARK", help="Its form: vidence list benchmarks.")
    ] = None,
    path: Annotated[
        Path | None,
        typer.Argument(metavar="PATH", help="The annotation file, or the folder that has it."),
    ] = None,
    every: Annotated[
        Path | None, typer.Option("--all", help="Audit every benchmark found in this folder.")
    ] = None,
    transcripts: Transcripts = None,
    columns: Columns = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder of the report; default: runs/<name>-text.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Names every random choice.")] = 0,
    permutations: Annotated[
        int, typer.Option(min=0, help="Shuffled keys that the learner is compared with.")
    ] = 1000,
    folds: Annotated[int, typer.Option(min=2, help="Parts of the cross-validation.")] = 5,
    repeats: Annotated[int, typer.Option(min=1, help="How often the folds are drawn.")] = 3,
    as_json: Json = False,
) -> None:
    """Find out what a benchmark's text gives away without a video; no model is asked."""
    from vidence.audits.text import TextAudit, TextSource
    from vidence.audits.text_folder import check_folder
    from vidence.report.text_report import publish_text, to_json
    from vidence.text.learner import LearnerSettings

    settings = LearnerSettings(folds=folds, repeats=repeats, permutations=permutations)
    if every is not None:
        if form is not None or path is not None or columns is not None:
            raise UsageError(
                "--all came with a benchmark or with columns. With --all every benchmark of the "
                "folder is found by its name; leave the others out."
            )
        _audit_all(every, transcripts, out or Path("runs") / "all-text", (seed, settings), as_json)
        return
    if form is None or path is None:
        raise UsageError(
            "A benchmark's form and its path are needed, or --all with a folder. "
            "See: vidence list benchmarks."
        )
    source = TextSource(form, path, columns, transcripts)
    audit = TextAudit(source, seed=seed, settings=settings, command=command_line())
    folder = out or Path("runs") / f"{source.name}-text"
    check_folder(folder, path)
    note(f"{audit.title}: {len(audit.cases):,} questions are read; learning from their text.")
    data = audit.data()
    page = publish_text(data, audit.cards(), folder)
    if as_json:
        print_json(to_json(data))
        return
    from vidence.report.text_terminal import print_text_summary

    print_text_summary(data, page)


def _audit_all(
    folder: Path,
    transcripts: Path | None,
    out: Path,
    how: tuple[int, LearnerSettings],
    as_json: bool,
) -> None:
    """Audit all benchmarks of a folder, write a report each and one page for all."""
    from vidence.audits.text_all import Audited, audit_all, find
    from vidence.audits.text_apart import Failed
    from vidence.audits.text_folder import check_folder
    from vidence.report.text_report import overview_json, publish_overview, publish_text

    found = find(
        folder, transcripts=transcripts, seed=how[0], settings=how[1], command=command_line()
    )
    for job in found.jobs:
        check_folder(out / job.name, job.source.path)
    check_folder(out, folder)
    codes: list[int] = []
    ready = 0

    def done(name: str, result: Audited | Failed) -> None:
        nonlocal ready
        ready += 1
        place = f"{ready} of {len(found.jobs)}"
        if isinstance(result, Failed):
            codes.append(result.exit_code)
            note(f"{place}  {name} could not be audited: {result.reason}")
            return
        publish_text(result.data, result.cards, out / name)
        note(f"{place}  {result.data['headline']['sentence']}")

    note(f"{len(found.jobs)} benchmarks are found in {folder}.")
    for name in found.unknown:
        note(f"{name} is named like no benchmark and is left out; see: vidence list benchmarks.")
    overview = audit_all(found, workers=WORKERS, done=done)
    page = publish_overview(overview, out)
    if as_json:
        print_json(overview_json(overview))
    else:
        from vidence.report.text_terminal import print_text_overview

        print_text_overview(overview, page)
    if codes:
        raise typer.Exit(2 if set(codes) == {2} else 1)


@app.command()
def debias(
    form: Annotated[
        str, typer.Argument(metavar="BENCHMARK", help="Its form: vidence list benchmarks.")
    ],
    path: Annotated[
        Path, typer.Argument(metavar="PATH", help="The annotation file, or the folder that has it.")
    ],
    out: Annotated[Path, typer.Option(help="Folder for kept.jsonl, removed.jsonl and the report.")],
    method: Annotated[
        str, typer.Option(help="prune what the text gives away, or balance where keys stand.")
    ] = "prune",
    target: Annotated[
        float | None,
        typer.Option(help="prune: accuracy of the learner to come down to, in %; default: chance."),
    ] = None,
    max_removed: Annotated[
        float, typer.Option(help="Share of the questions that may go at most, 0 to 1.")
    ] = 0.25,
    by: Annotated[
        str, typer.Option(help="balance: the key's position, its length among options, or both.")
    ] = "position",
    columns: Columns = None,
    seed: Annotated[int, typer.Option(help="Names every random choice.")] = 0,
    as_json: Json = False,
) -> None:
    """Leave out questions that the text alone gives away; keys and rows stay as they are."""
    from vidence.audits.text import TextAudit, TextSource
    from vidence.audits.text_debias import Debiased, DebiasPlan
    from vidence.audits.text_folder import check_folder
    from vidence.report.text_report import publish_text, to_json

    if target is not None and not 1 <= target <= 100:
        raise UsageError(f"--target {target:g} came; percent from 1 to 100 is allowed, such as 28.")
    plan = DebiasPlan(
        method,  # type: ignore[arg-type]  # the plan refuses other words by name
        None if target is None else target / 100,
        max_removed,
        by,  # type: ignore[arg-type]
    )
    audit = TextAudit(TextSource(form, path, columns), seed=seed, command=command_line())
    check_folder(out, path, "kept.jsonl", "removed.jsonl")
    note(f"{audit.title}: {len(audit.cases):,} questions are read; looking for what can go.")
    found = Debiased(audit, plan)
    data = found.data()
    files = found.write(out)
    files["report"] = str(publish_text(*found.report(), out))
    if as_json:
        shown = to_json({**data, "files": files, "priors": {}, "learner": None})
        print_json({k: v for k, v in shown.items() if k not in ("priors", "learner")})
        return
    _say(data, files)


def _say(data: dict[str, Any], files: dict[str, str]) -> None:
    """Print what went, what is left, and how to read it."""
    print(f"{data['title']}: {data['removed']:,} of {data['total']:,} questions are left out.")
    before, after = data["before"], data["after"]
    rows = [
        ("", "before", "after"),
        ("chance", _percent(before["chance"]), _percent(after["chance"])),
        (
            "learned from text",
            _percent(before["learner"]["value"]),
            _percent(after["learner"]["value"]),
        ),
    ]
    for name, rule in before["priors"].items():
        values = _percent(rule["value"]), _percent(after["priors"][name]["value"])
        rows.append((name.replace("_", " "), *values))
    width = max(len(row[0]) for row in rows)
    for row in rows:
        print(f"  {row[0]:<{width}}  {row[1]:>7}  {row[2]:>7}")
    for sentence in data["notes"]:
        print(sentence)
    aside = f"  ({data['unscored']:,} that could not be judged among them)"
    print(f"kept     {data['kept']:>7,}  {files['kept']}{aside * bool(data['unscored'])}")
    print(f"removed  {data['removed']:>7,}  {files['removed']}")
    print(f"Report: {files['report']}")


def _percent(share: float | None) -> str:
    return "-" if share is None else f"{100 * share:.1f} %"
