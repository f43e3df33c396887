"""Audit three agents that search generated films, and read the figures in Python.

    python examples/audit_agent.py [FOLDER]

No model and no network: about half a minute. With logs of an agent of your own:
`vidence agent import`, then `vidence agent probe` (docs/agent-audit.md).
"""

import sys
from pathlib import Path
from tempfile import mkdtemp

from vidence.agent_demo import agent_demo
from vidence.audits.agent import AgentAudit
from vidence.audits.agent_paper import table_a2
from vidence.audits.agent_paper_routing import table_3
from vidence.audits.agent_run import probed_runs
from vidence.report.agent_report import publish_agents

folder = Path(sys.argv[1] if len(sys.argv) > 1 else mkdtemp(prefix="vidence-"))
done = agent_demo(folder, seed="example", cases=18)
audit = AgentAudit(done.runs)
page, data = publish_agents(audit, folder)
for name, block in data["agents"].items():
    delta, flips = block["delta"], block["effect"]
    print(
        f"{name:<9} Delta {100 * delta['value']:+.0f} points ({100 * delta['low']:.0f} to "
        f"{100 * delta['high']:.0f}, n = {delta['n']}); destroyed frames change "
        f"{100 * flips['destroy']['value']:.0f} % of answers, intact ones "
        f"{100 * flips['sham']['value']:.0f} %"
    )

(grounded,) = probed_runs(done.runs[0])
one, three = table_a2(grounded, (1, 3))
for row in (one, three):
    tie, law = row["observed"]["tie"], row["homogeneous"]["tie"]
    print(f"k = {row['k']}: {100 * tie['value']:.0f} % ties, {100 * law:.0f} % by the rates alone")
for row in table_3(grounded)[:3]:
    print(f"{row['policy']:<9} defers {row['selected']}: {row['repairs']} repairs, "
          f"{row['harms']} harms")  # fmt: skip
print(f"report: {page}")
