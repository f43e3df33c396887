"""Audit the text of a made-up benchmark whose right options are often the longest, then mend it.

    python examples/audit_text.py [FOLDER]

No model, no video and no network. With files of your own: `vidence audit-text BENCHMARK PATH`.
"""

import json
import sys
from pathlib import Path
from tempfile import mkdtemp

from vidence.audits.text import TextAudit, TextSource
from vidence.audits.text_debias import Debiased, DebiasPlan
from vidence.report.text_report import publish_text
from vidence.seeds import rng_of
from vidence.text.learner import LearnerSettings

folder = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp(prefix="vidence-"))
words = ["kettle", "ladder", "candle", "window", "garden", "bottle", "ribbon", "basket"]
rng = rng_of("example")


def say(length: int) -> str:
    """Return so many words."""
    return " ".join(rng.choice(words, length))


with (folder / "questions.jsonl").open("w") as file:
    for i in range(240):
        answer, leaks = int(rng.integers(4)), rng.random() < 0.3
        options = [f"{say(6 if leaks and j == answer else 3)} {j}" for j in range(4)]
        row = {"id": f"q{i}", "video": f"film{i // 4}.mp4", "question": f"What of {say(3)}?"}
        file.write(json.dumps({**row, "options": options, "answer": answer}) + "\n")

source = TextSource("jsonl", folder / "questions.jsonl")
audit = TextAudit(source, settings=LearnerSettings(permutations=199))
page = publish_text(audit.data(), audit.cards(), folder / "report")
accuracy, longest = audit.learned.accuracy, audit.priors["longest_option"]
print(f"{accuracy.percent()} of {accuracy.n} questions can be answered without seeing the video.")
print(
    f"The longest option is right in {longest.accuracy.percent()}; beyond luck: {longest.claimed}"
)
for carrier in audit.learned.carriers[:2]:
    print(f"  {carrier.sentence}")

pruned = Debiased(audit, DebiasPlan("prune", max_removed=0.3))
data = pruned.data()
after = data["after"]["priors"]["longest_option"]["value"]
print(f"{data['removed']} left out; the longest option is then right in {100 * after:.0f} %.")
print(f"kept: {pruned.write(folder / 'debiased')['kept']}\nreport: {page}")
