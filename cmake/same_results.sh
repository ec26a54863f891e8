#!/usr/bin/env bash
# same_results.sh PRESET PRESET...: all builds must give the same record, byte for byte, except `simulation`.
set -euo pipefail
cd "$(dirname "$0")/.."
without_simulation() {
    python3 -c 'import json, sys; r = json.load(sys.stdin); del r["simulation"]; print(json.dumps(r, indent=1))'
}
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
for machine in gtx480 gtx480-wg gtx480-wg-sim kepler-its kepler-its-sim maxwell-mask qv100 h200 cc-numa; do
    for pattern in stream gather chase alu; do
        pids=()
        for preset in "$@"; do
            "build/$preset/heddle" run -m "$machine" --json --ctas 24 "$pattern" | without_simulation >"$out/$preset" &
            pids+=($!)
        done
        for pid in "${pids[@]}"; do wait "$pid"; done
        for preset in "$@"; do
            cmp "$out/$1" "$out/$preset" || { echo "$machine, $pattern: $1 and $preset differ" >&2; exit 1; }
        done
    done
done
