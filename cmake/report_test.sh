#!/usr/bin/env bash
# report_test.sh PROGRAM: writes a page and opens it in headless Chromium, light and dark: every chart must be drawn,
# with something in it, and nothing may be said on the console. Needs chromium and a program built with Chart.js.
set -euo pipefail
program="$1"
out="$(mktemp -d)"
trap 'rm -rf "$out"' EXIT
"$program" compare gather stream --ctas 1 --accesses 4 --set dram.scheduler=fr-fcfs,fcfs --metric ipc,row_hit_rate --timeline 200 \
    --store "$out/store.db" --html "$out/page.html" >"$out/text"
if grep -q 'src="http\|href="http\|@import' "$out/page.html"; then echo "the page asks for something from the network" >&2; exit 1; fi
# Appended: what looks at the canvases when all has been drawn.
cat >>"$out/page.html" <<'SCRIPT'
<script>
addEventListener('load', () => setTimeout(() => {
  const drawn = [...document.querySelectorAll('canvas')].filter((c) =>
    c.width && c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((x) => x !== 0)).length;
  document.body.dataset.drawn = drawn;
}, 500));
</script>
SCRIPT
for mode in light dark; do
    options=(--headless --no-sandbox --disable-gpu --disable-dev-shm-usage --window-size=1200,3000 --hide-scrollbars
        --enable-logging=stderr --v=0 --virtual-time-budget=4000)
    [ "$mode" = light ] || options+=(--force-dark-mode)
    chromium "${options[@]}" --dump-dom "file://$out/page.html" >"$out/dom" 2>"$out/log"
    if grep -i 'CONSOLE' "$out/log"; then echo "$mode: the console is not empty" >&2; exit 1; fi
    # Two metrics, and seven charts of one workload, three of them over time.
    grep -q 'data-charts="9"' "$out/dom" || { echo "$mode: not 9 charts" >&2; exit 1; }
    grep -q 'data-drawn="9"' "$out/dom" || { echo "$mode: $(grep -o 'data-drawn="[0-9]*"' "$out/dom") of 9 charts are drawn" >&2; exit 1; }
    grep -q '<td>gather</td>' "$out/dom" || { echo "$mode: the table is missing" >&2; exit 1; }
done
