#!/usr/bin/env python3
"""Simulated warp instructions per CPU second for a fixed set of traces and patterns, with the peer's rates.

bench.py [--runs N] [--only NAME] [--translation]: builds the release program, makes the traces in build/bench, and
prints a table. The best of N runs counts. The peer's rates (peer.tsv) are those of the trace-driven simulator of the
Accel-Sim project (October 2024) on the same traces and machine; a geometric mean of the ratios closes the table.
With --translation requests, data's and walks', per CPU second with a shared L2 TLB and 4 KiB pages (on) and without
translation (off), on / off, and on / off for data alone.
"""
import argparse
import json
import math
import pathlib
import subprocess

import traces

ROOT = pathlib.Path(__file__).resolve().parent.parent
CASES = [  # name, machine, what it stands for, how to make its source
    ("pow55", "qv100", "launch-bound", ("pow", dict(ctas=55, threads=128))),
    ("vecadd-256", "qv100", "streaming", ("vecadd", dict(ctas=256))),
    ("vecadd-1024", "qv100", "streaming", ("vecadd", dict(ctas=1024))),
    ("vecadd-16384", "qv100", "streaming", ("vecadd", dict(ctas=16384))),
    ("alu-640", "qv100", "compute-bound", ("alu", dict(ctas=640, loads=256))),
    ("gather-64", "qv100", "irregular", ("gather", dict(ctas=64))),
    ("gather-512", "qv100", "irregular", ("gather", dict(ctas=512))),
    ("vecadd-1024-gtx480", "gtx480", "streaming", ("vecadd", dict(ctas=1024))),
    ("gather-64-gtx480", "gtx480", "irregular", ("gather", dict(ctas=64))),
    ("idle", "h200", "mostly idle", ["chase", "--ctas", "1", "--threads", "32", "--divergence", "1",
                                     "--accesses", "20000", "--footprint", "64MiB"]),
    ("alu-pattern", "h200", "compute-bound", ["alu", "--ctas", "2000", "--compute", "64"]),
]


def source(name, recipe):
    if isinstance(recipe, list):
        return recipe
    kind, options = recipe
    folder = ROOT / "build" / "bench" / name.removesuffix("-gtx480")
    listing = folder / "kernelslist.g"
    if not listing.exists():
        traces.write(kind, folder, **options)
    return [str(listing)]


def command_of(name, machine, recipe):
    return [ROOT / "build/release/heddle", "run", "-m", machine, "--json", *source(name, recipe)]


def best_of(runs, *commands):
    """The records of the fastest of so many runs of each command, in turns."""
    best = [None] * len(commands)
    for _ in range(runs):
        for k, command in enumerate(commands):
            record = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
            if best[k] is None or record["simulation"]["cpu_seconds"] < best[k]["simulation"]["cpu_seconds"]:
                best[k] = record
    return best


def translation(runs, only):
    print(f"{'case':20} {'data':>10} {'walks':>10} {'CPU s off':>9} {'on':>8} {'per CPU s off':>13} {'on':>11} {'ratio':>6} {'data':>6}")
    for name, machine, _, recipe in CASES:
        if only not in name:
            continue
        off = command_of(name, machine, recipe)
        on = [*off, "--set", "translation.design=shared-tlb", "--set", "translation.page_size=4KiB"]
        records = best_of(runs, off, on)
        seconds = [r["simulation"]["cpu_seconds"] for r in records]
        data, walks = (sum(records[1]["counters"][c]["value"] for c in counters) for counters in (
            ["gpu.sm.load_requests", "gpu.sm.store_requests", "gpu.sm.atomic_requests"], ["gpu.translation.walks.reads"]))
        if data == 0:
            continue
        rates = [data / seconds[0], (data + walks) / seconds[1]]
        print(f"{name:20} {data:10,} {walks:10,} {seconds[0]:9.3f} {seconds[1]:8.3f} {rates[0]:13,.0f} {rates[1]:11,.0f} "
              f"{rates[1] / rates[0]:6.2f} {seconds[0] / seconds[1]:6.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--only", default="")
    parser.add_argument("--translation", action="store_true", help="requests per CPU second with address translation and without")
    args = parser.parse_args()
    subprocess.run([ROOT / "cmake" / "build.sh", "release", "heddle"], check=True)
    if args.translation:
        translation(args.runs, args.only)
        return
    peer = dict(line.split("\t") for line in (ROOT / "bench" / "peer.tsv").read_text().splitlines() if line[:1] not in "#")
    print(f"{'case':20} {'kind':14} {'cycles':>10} {'warp inst.':>11} {'CPU s':>8} {'per CPU s':>11} {'memory':>7} {'x peer':>7}")
    ratios = []
    for name, machine, kind, recipe in CASES:
        if args.only not in name:
            continue
        best, = best_of(args.runs, command_of(name, machine, recipe))
        app, cost = best["apps"][0], best["simulation"]
        rate = cost["warp_instructions_per_cpu_second"]
        ratio = ""
        if name in peer:
            ratio = f"{rate / float(peer[name]):7.0f}"
            if machine == "qv100":
                ratios.append(rate / float(peer[name]))
        print(f"{name:20} {kind:14} {app['cycles']:10,} {app['warp_instructions']:11,} {cost['cpu_seconds']:8.3f} "
              f"{rate:11,.0f} {cost['peak_memory_bytes'] / 2**20:5.0f} M {ratio:>7}")
    if ratios:
        mean = math.exp(sum(map(math.log, ratios)) / len(ratios))
        print(f"\ngeometric mean of the qv100 ratios: {mean:.0f}, smallest {min(ratios):.0f}")


if __name__ == "__main__":
    main()
