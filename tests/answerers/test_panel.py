"""The panel file: what it says, and what is said about what it should not."""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent

import pytest

from vidence.answerers.recorded import FunctionAnswerer
from vidence.answerers.transcript_files import TranscriptFiles
from vidence.cells import RunPlan
from vidence.check import parse_checks
from vidence.errors import PanelError, UnknownNameError, UsageError
from vidence.panel import Panel, load_panel, panel_of
from vidence.run_config import config_of
from vidence.view import Case, View

GOOD = """
    [answerers.qwen]
    kind = "openai"
    model = "Qwen/Qwen3-VL-8B-Instruct"
    base_url = "http://localhost:8000/v1"
    temperature = 0
    extra = { top_k = 1 }

    [answerers.both]
    kind = "openai"
    model = "x"
    base_url = "http://localhost:8001/v1"
    asked = true

    [answerers.files]
    kind = "transcript_files"
    folder = "words"

    [roles]
    captioner = "both"
    transcriber = "files"
"""


@pytest.fixture
def write(tmp_path: Path):  # type: ignore[no-untyped-def]
    (tmp_path / "words").mkdir()

    def put(text: str) -> Path:
        path = tmp_path / "panel.toml"
        path.write_text(dedent(text))
        return path

    return put


def test_a_good_file_gives_answerers_roles_and_who_is_asked(write, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    panel = load_panel(write(GOOD))
    assert list(panel.answerers) == ["qwen", "both", "files"]
    assert panel.asked == ("qwen", "both")
    assert panel.members("model") == ("qwen", "both")
    assert panel.members("encoder") == ()
    assert panel.maker("captioner") is panel.answerers["both"]
    assert panel.maker("renderer") is None
    assert panel.answerers["qwen"].identity["extra"] == {"top_k": 1}
    assert isinstance(panel.answerers["files"], TranscriptFiles)
    assert panel.answerers["files"].identity["folder"] == str(tmp_path / "words")


def test_what_a_run_stores_builds_the_same_panel_from_any_folder(  # type: ignore[no-untyped-def]
    write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    panel = load_panel(write(GOOD))
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path / "elsewhere")
    assert panel.source is not None
    again = load_panel(panel.source)
    assert again.source == panel.source
    assert (again.roles, again.asked) == (panel.roles, panel.asked)
    assert {n: a.identity for n, a in again.answerers.items()} == {
        n: a.identity for n, a in panel.answerers.items()
    }


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (
            ("[roles]", "[rolls]"),
            UnknownNameError,
            "table of panel.toml 'rolls'. Did you mean 'roles'",
        ),
        (('"openai"', '"opneai"'), UnknownNameError, "answerer 'opneai'. Did you mean 'openai'"),
        (
            ("temperature = 0", "temprature = 0"),
            UnknownNameError,
            r"setting of 'openai' in .*\[answerers.qwen\], 'temprature'. Did you mean 'temp",
        ),
        (
            ('model = "Qwen/Qwen3-VL-8B-Instruct"', ""),
            PanelError,
            r"\[answerers.qwen\] lacks 'model', which 'openai' needs",
        ),
        (("temperature = 0", 'temperature = "hot"'), PanelError, "temperature: Input should be"),
        (('kind = "transcript_files"', ""), PanelError, r"\[answerers.files\] has no kind"),
        (("asked = true", 'asked = "yes"'), PanelError, "asked = 'yes' came; true or false"),
        (('folder = "words"', 'folder = "none"'), PanelError, "none of 'files' is no folder"),
        (
            ('captioner = "both"', 'captioner = "bott"'),
            UnknownNameError,
            "role 'captioner' 'bott'. Did you mean 'both'",
        ),
        (
            ("captioner =", "capptioner ="),
            UnknownNameError,
            "Unknown role 'capptioner'. Did you mean 'captioner'",
        ),
        (("top_k = 1", "when = 2020-01-01"), PanelError, "date is not JSON .*numbers, true, false"),
        (("top_k = 1", "top_k = nan"), PanelError, "not JSON compliant"),
        (("top_k = 1", 'model = "x"'), PanelError, "extra of 'qwen' sets 'model', which Vidence"),
        (("temperature = 0", "temperature = nan"), PanelError, "nan came for 'qwen'; 0 to 100"),
        (("temperature = 0", "temperature = -1"), PanelError, "-1.0 came for 'qwen'; 0 to 100"),
        (("temperature = 0", "timeout = inf"), PanelError, "timeout = inf came for 'qwen'"),
        (("temperature = 0", "timeout = 0"), PanelError, "timeout = 0.0 came for 'qwen'"),
        (("temperature = 0", "max_retries = -1"), PanelError, "max_retries = -1 came"),
        (("temperature = 0", "quality = 101"), PanelError, "quality = 101 came .*1 to 100"),
        (("http://", ""), PanelError, "begins with http:// or https://"),
        (('"Qwen/Qwen3-VL-8B-Instruct"', '" "'), PanelError, "The model of 'qwen' is empty"),
        (("[roles]", "[roles"), PanelError, "panel.toml is not TOML: .*line"),
    ],
    ids=lambda value: (
        value[1][:20] if isinstance(value, tuple) and isinstance(value[1], str) else ""
    ),
)
def test_a_fault_is_named_with_what_to_do(  # type: ignore[no-untyped-def]
    write, change: tuple[str, str], error: type[Exception], message: str
) -> None:
    text = GOOD.replace(change[0], change[1], 1)
    assert text != GOOD
    with pytest.raises(error, match=message):
        load_panel(write(text))


SECRET = "sk-live-123456"


@pytest.mark.parametrize(
    "line",
    [
        f'api_key = "{SECRET}"',
        f'extra = {{ api_key = "{SECRET}" }}',
        f'extra = {{ headers = {{ Authorization = "Bearer {SECRET}" }} }}',
        f'extra = {{ access_token = "{SECRET}" }}',
        f'system = "https://me:{SECRET}@host/v1"',
        f'system = "https://host/v1?region=x&api-key={SECRET}"',
    ],
)
def test_a_secret_in_the_file_is_refused_and_not_repeated(write, line: str) -> None:  # type: ignore[no-untyped-def]
    text = GOOD.replace("extra = { top_k = 1 }", line)
    with pytest.raises(PanelError) as caught:
        load_panel(write(text))
    assert SECRET not in str(caught.value)
    assert "keeps" in str(caught.value)


def test_a_key_in_place_of_a_variable_is_not_repeated(write) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(PanelError, match="no name of an environment variable") as caught:
        load_panel(write(GOOD.replace("extra = { top_k = 1 }", f'api_key_env = "{SECRET}"')))
    assert SECRET not in str(caught.value)


def test_no_secret_reaches_the_store(write, monkeypatch: pytest.MonkeyPatch) -> None:  # type: ignore[no-untyped-def]
    monkeypatch.setenv("MY_KEY", SECRET)
    panel = load_panel(write(GOOD.replace("extra = { top_k = 1 }", 'api_key_env = "MY_KEY"')))
    plan = RunPlan((Case("c", View("?")),), parse_checks("blind"), panel, 0)
    config = config_of(plan)
    assert "MY_KEY" in str(config)
    assert SECRET not in str(config)


def test_a_file_that_is_not_there_and_an_empty_one(tmp_path: Path) -> None:
    with pytest.raises(PanelError, match=r"none.toml cannot be read: No such file"):
        load_panel(tmp_path / "none.toml")
    (tmp_path / "empty.toml").write_text("")
    with pytest.raises(PanelError, match="answerers: Field required"):
        load_panel(tmp_path / "empty.toml")
    (tmp_path / "odd.toml").write_text("answerers = 3")
    with pytest.raises(PanelError, match="answerers: Input should be a valid dict"):
        load_panel(tmp_path / "odd.toml")


def test_a_panel_made_in_python_holds_the_same_rules() -> None:
    a, b = (FunctionAnswerer(name, lambda r: "A") for name in "ab")
    panel = panel_of(a, b, captioner="b")
    assert panel.asked == ("a",)
    assert panel.source is None
    with pytest.raises(UnknownNameError, match="role 'captioner' 'c'"):
        panel_of(a, captioner="c")
    with pytest.raises(PanelError, match="Two answerers are called 'a'"):
        panel_of(a, a)
    with pytest.raises(PanelError, match=r"called ' '\. Give it a name"):
        panel_of(FunctionAnswerer(" ", lambda r: "A"))
    with pytest.raises(PanelError, match="'a' stands under the name 'x'"):
        Panel({"x": a})


def test_a_panel_of_makers_only_has_nobody_to_ask() -> None:
    panel = panel_of(FunctionAnswerer("a", lambda r: "A"), captioner="a")
    with pytest.raises(UsageError, match=r"panel asks nobody.*asked = true"):
        RunPlan((Case("c", View("?")),), parse_checks("blind"), panel, 0)
