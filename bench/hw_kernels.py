#!/usr/bin/env python3
"""Compares the kernels of the hardware reference with the counters of an H200, as docs/notes/hw-kernels.md shows them.

    heddle cc kernels.cu -o kernels
    bench/hw_kernels.py --heddle build/release/heddle --program ./kernels --reference kernels-h200.csv

Each case runs on the machine h200; its record is kept in --records and not run again if it is there.
"""
import argparse
import csv
import json
import pathlib
import subprocess
import sys

# Column of the reference -> counter of the record.
COUNTERS = [
    ("global_load_requests", "gpu.sm.loads"),
    ("global_load_sectors", "gpu.sm.load_sectors"),
    ("global_store_requests", "gpu.sm.stores"),
    ("global_store_sectors", "gpu.sm.store_sectors"),
]
L2_READ = "l2_read_sectors"


def record_of(arguments, case):
    path = pathlib.Path(arguments.records) / f"{case}.json"
    if not path.exists() or path.stat().st_size == 0:
        run = subprocess.run([arguments.heddle, "run", "-m", "h200", "--json", arguments.program, case],
                             capture_output=True, text=True)
        if run.returncode != 0:
            sys.exit(f"{case}: {run.stderr}")
        path.write_text(run.stdout)
    return json.loads(path.read_text())


def percent(ours, theirs):
    return 0.0 if ours == theirs else 100.0 * (ours - theirs) / theirs if theirs else float("inf")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--heddle", required=True)
    parser.add_argument("--program", required=True)
    parser.add_argument("--reference", required=True)
    parser.add_argument("--records", default=".")
    parser.add_argument("--limit", type=int, default=10**9, help="leave out cases of more warp instructions")
    arguments = parser.parse_args()
    print("| case | load requests | | load sectors | | store requests | | store sectors | | L2 read sectors | "
          "| warp instructions | |")
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|")
    for row in csv.DictReader(open(arguments.reference)):
        if int(row["warp_instructions"]) > arguments.limit:
            continue
        record = record_of(arguments, row["case"])
        cells = []
        for column, counter in COUNTERS:
            ours, theirs = record["counters"][counter]["value"], int(row[column])
            cells += [f"{ours:,}", f"{percent(ours, theirs):+.1f} %"]
        ours, theirs = record["caches"]["l2"]["accesses"], int(row[L2_READ])
        cells += [f"{ours:,}", f"{percent(ours, theirs):+.1f} %"]
        ours, theirs = record["counters"]["gpu.sm.warp_instructions"]["value"], int(row["warp_instructions"])
        cells += [f"{ours:,}", f"{ours / theirs:.2f}"]
        print("| " + " | ".join([row["case"]] + cells) + " |", flush=True)


main()
