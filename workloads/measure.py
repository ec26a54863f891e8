#!/usr/bin/env python3
"""Measures the workloads: measure.py [--size medium] [--machine gtx480] [NAME...]

Runs each workload with `./heddle run NAME --size SIZE -m MACHINE --json` and prints a table. For the frozen figures that
`heddle list workloads` and docs/workloads.md show:

    workloads/measure.py --write

measures all of them in small and in medium and writes workloads/measured.tsv and the table of docs/workloads.md.
"""
import argparse
import json
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
MACHINE = "gtx480"
COLUMNS = ["workload", "size", "warp_instructions", "footprint_bytes", "requests_per_load", "l2_mpki", "l2_mpki_warp",
           "ipc", "cycles", "launches", "row_hits_percent", "bandwidth_percent"]


def names():
    lines = (ROOT / "workloads/workloads.tsv").read_text().splitlines()
    return [line.split("\t")[0] for line in lines if line and not line.startswith("#")]


def mpki(misses, instructions):
    return f"{1000 * misses / instructions:.2f}"


def measure(heddle, name, size, machine):
    run = subprocess.run([heddle, "run", name, "--size", size, "-m", machine, "--json"], capture_output=True, text=True)
    passed = re.search(r": PASS \(.*, (\d+) bytes of device memory\)", run.stderr)
    if run.returncode != 0 or not passed:
        sys.exit(f"{name}: {run.stderr}")
    record = json.loads(run.stdout)
    app = record["apps"][0]
    memory = next(iter(record["memories"].values()))
    misses = sum(c["value"] for name, c in record["counters"].items() if name.endswith("l2.read_misses"))
    rows = memory["row_hits"] + memory["row_misses"] + memory["row_conflicts"]
    loads = record.get("requests_per_load", {"mean": 0})
    return {"workload": name, "size": size, "warp_instructions": app["warp_instructions"],
            "footprint_bytes": int(passed[1]), "requests_per_load": f"{loads['mean']:.2f}",
            "l2_mpki": mpki(misses, app["thread_instructions"]),
            "l2_mpki_warp": mpki(misses, app["warp_instructions"]), "ipc": f"{app['ipc']:.2f}",
            "cycles": record["cycles"], "launches": len(app["kernels"]),
            "row_hits_percent": f"{100 * memory['row_hits'] / max(1, rows):.1f}",
            "bandwidth_percent": f"{100 * memory['utilization']:.1f}"}


def markdown(rows):
    head = ["workload", "size", "launches", "warp instructions", "footprint", "requests/load", "L2 MPKI (thread)",
            "L2 MPKI (warp)", "thread IPC", "cycles"]
    out = ["| " + " | ".join(head) + " |", "|---|---|" + "--:|" * (len(head) - 2)]
    for r in rows:
        cells = [r["workload"], r["size"], f"{int(r['launches']):,}", f"{int(r['warp_instructions']):,}",
                 f"{int(r['footprint_bytes']) / 2**20:.2f} MiB", r["requests_per_load"], r["l2_mpki"], r["l2_mpki_warp"],
                 r["ipc"], f"{int(r['cycles']):,}"]
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--size", action="append")
    parser.add_argument("--machine", default=MACHINE)
    parser.add_argument("--heddle", default=str(ROOT / "heddle"))
    parser.add_argument("--write", action="store_true", help="write the frozen figures")
    options = parser.parse_args()
    if options.write and (options.names or options.size or options.machine != MACHINE):
        parser.error(f"--write measures every workload in small and in medium on {MACHINE}; it takes no names, no --size "
                     "and no other machine")
    rows = []
    for size in ["small", "medium"] if options.write else options.size or ["medium"]:
        for name in options.names or names():
            rows.append(measure(options.heddle, name, size, options.machine))
            print("\t".join(str(rows[-1][c]) for c in COLUMNS), flush=True)
    if not options.write:
        return
    with open(ROOT / "workloads/measured.tsv", "w") as out:
        out.write(f"# Measured on {MACHINE} by workloads/measure.py --write. L2 read misses (of lines) for a thousand thread\n"
                  "# (warp) instructions; IPC in thread instructions.\n")
        out.write("# " + "\t".join(COLUMNS) + "\n")
        for r in rows:
            out.write("\t".join(str(r[c]) for c in COLUMNS) + "\n")
    page = ROOT / "docs/workloads.md"
    text = page.read_text()
    begin, end = "<!-- measured: begin -->", "<!-- measured: end -->"
    table = f"{begin}\n{markdown(rows)}\n{end}"
    page.write_text(re.sub(re.escape(begin) + ".*" + re.escape(end), lambda _: table, text, flags=re.S))


main()
