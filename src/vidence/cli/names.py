"""Commands that list what there is."""

from __future__ import annotations

from typing import Annotated

import typer

from vidence.cli.app import Json, app, print_json
from vidence.errors import UnknownNameError


@app.command("list")
def list_names(
    kind: Annotated[
        str,
        typer.Argument(
            metavar="KIND",
            help="probes, answerers, worlds, benchmarks, priors, predictions, exports, executors.",
        ),
    ],
    as_json: Json = False,
) -> None:
    """List what can be named: probes, answerers, worlds, benchmarks, predictions, exports, ..."""
    from vidence.catalogue import catalogue

    rows = catalogue(kind)
    if as_json:
        print_json(rows)
        return
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        settings = ", ".join(f"{k}={v}" for k, v in row["settings"].items())
        print(f"{row['name']:<{width}}  {row['description']}" + (f" [{settings}]" * bool(settings)))


@app.command()
def schema(
    name: Annotated[
        str, typer.Argument(help="cases: a line of a case file. trajectory: an agent's frozen run.")
    ] = "cases",
) -> None:
    """Print a JSON Schema."""
    if name == "trajectory":
        from vidence.trajectory import Trajectory

        print_json(Trajectory.model_json_schema())
        return
    if name != "cases":
        raise UnknownNameError("schema", name, ["cases", "trajectory"])
    from vidence.benchmarks.jsonl import Row

    print_json(Row.model_json_schema())


@app.command()
def version(as_json: Json = False) -> None:
    """Print the version."""
    from vidence import __version__

    if as_json:
        print_json({"vidence": __version__})
    else:
        print(__version__)
