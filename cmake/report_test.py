#!/usr/bin/env python3
"""report_test.py PROGRAM: writes pages and opens them in headless Chromium, light and dark, wide and narrow.

Every chart must be drawn with something in it, nothing may be said on the console, the switches must switch, and what the
buttons save must be right: SVG that is XML and shows the chart's bars and words, CSV with the figures of `compare --csv`."""
import csv
import html
import io
import json
import os
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

PROGRAM = os.path.abspath(sys.argv[1])
SVG = "{http://www.w3.org/2000/svg}"

# Appended to the page: keeps what the buttons save, notes what the switches do, and looks at the canvases.
WATCH = """<script>
const kept = { saved: [] };
globalThis.Blob = class extends Blob {
  constructor(parts, options) {
    super(parts, options);
    this.content = parts.join('');
  }
};
URL.createObjectURL = (blob) => { kept.saved.push(blob); return '#'; };
HTMLAnchorElement.prototype.click = function () { kept.saved.at(-1).fileName = this.download; };
const shown = () => [...document.querySelectorAll('figure')].filter((f) => !f.hidden);
const axes = () => shown().map((f) => Chart.getChart(f.querySelector('canvas'))).map((c) => [c.scales.y.min, c.scales.y.max, !!c.options.scales.y.stacked]);
const press = () => shown().forEach((f) => f.querySelectorAll('button').forEach((b) => b.click()));
addEventListener('load', () => setTimeout(() => {
  kept.drawn = shown().map((f) => f.querySelector('canvas')).map((c) => c.getContext('2d').getImageData(0, 0, c.width, c.height).data.some((x) => x !== 0));
  kept.fromZero = axes();
  press();
  document.querySelector('p.tools input').click();
  kept.fitted = axes();
  press();
  document.querySelectorAll('p.tools input')[1].click();
  press();
  const choice = document.querySelector('select[aria-label=workload]');
  if (choice) {
    choice.selectedIndex = 1;
    choice.dispatchEvent(new Event('change'));
    press();
  }
  kept.overflow = document.documentElement.scrollWidth - innerWidth;
  kept.saved = kept.saved.map((b) => ({ name: b.fileName, type: b.type, text: b.content }));
  const out = document.createElement('pre');
  out.id = 'kept';
  out.textContent = JSON.stringify(kept);
  document.body.appendChild(out);
}, 300));
</script>
"""


def heddle(*words):
    return subprocess.run([PROGRAM, *words], check=True, capture_output=True, text=True).stdout


def open_page(folder, page, width, dark=False):
    """What WATCH has kept of the page."""
    watched = os.path.join(folder, "watched.html")
    with open(page, encoding="utf-8") as f:
        text = f.read()
    assert not re.search(r'(src|href)="http|@import', text), "the page asks for something from the network"
    with open(watched, "w", encoding="utf-8") as f:
        f.write(text + WATCH)
    done = subprocess.run(
        ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", f"--window-size={width},3000",
         "--hide-scrollbars", "--enable-logging=stderr", "--v=0", "--virtual-time-budget=8000", "--dump-dom",
         *(["--blink-settings=preferredColorScheme=0"] if dark else []), f"file://{watched}"],
        capture_output=True, text=True, timeout=120)
    console = [line for line in done.stderr.splitlines() if "CONSOLE" in line]
    assert not console, console
    kept = json.loads(html.unescape(re.search(r'<pre id="kept">(.*?)</pre>', done.stdout, re.S)[1]))
    assert all(kept["drawn"]), f"{kept['drawn'].count(False)} charts are empty"
    assert kept["overflow"] <= 0, f"the page is {kept['overflow']} pixels wider than the window"
    return kept


def check_axes(kept):
    for low, high, _ in kept["fromZero"]:
        assert low == 0 < high, f"an axis from {low}"
    for (low, high, stacked), (_, before, _) in zip(kept["fitted"], kept["fromZero"]):
        assert stacked or high - low <= 1.25 * before, "the fitted axis is wider"
    (low, high, _), (_, before, _) = kept["fitted"][0], kept["fromZero"][0]
    assert 0 < low < 1 < high and high - low < before / 2, f"ratios on an axis from {low} to {high}"


def check_saved(kept, charts, presses):
    saved = kept["saved"]
    assert len(saved) == 2 * charts * presses, f"{len(saved)} files of {charts} charts"
    for one in saved:
        assert one["text"], f"{one['name']} is empty"
        if one["type"] == "image/svg+xml":
            assert "NaN" not in one["text"] and "undefined" not in one["text"], one["name"]
            root = xml.fromstring(one["text"])
            words = {t.text for t in root.iter(SVG + "text")}
            assert root.find(SVG + "title").text in words, f"{one['name']} has no title"
        else:
            rows = list(csv.reader(io.StringIO(one["text"])))
            assert len(rows) > 1 and len({len(r) for r in rows}) == 1, f"{one['name']}: {one['text']}"


def chart_of(kept, name, kind, press=0):
    return [s["text"] for s in kept["saved"] if s["name"] == f"{name}.{kind}"][press]


def check_against_csv(kept, figures, metric, baseline, workloads, variants):
    """The saved figures are those of the command line, to the last digit."""
    rows = list(csv.DictReader(io.StringIO(chart_of(kept, f"{metric}-relative-to-{baseline}", "csv"))))
    for workload, row in zip(workloads, rows):
        assert row["workload"] == workload
        for variant in variants:
            line = next(f for f in figures if (f["workload"], f["variant"], f["metric"]) == (workload, variant, metric))
            assert float(row[variant]) == float(line["ratio"]), (workload, variant, row, line)
            assert float(row[variant + " margin"]) == float(line["ratio_margin"]), (workload, variant, row, line)


def check_bars(kept, name, values):
    """The bars of the SVG are as high as their values, from 0. `values`: of the first series, then of the second."""
    svg = xml.fromstring(chart_of(kept, name, "svg"))
    heights = []
    for colour in ("#0072b2", "#e69f00"):
        corners = [re.findall(r"[-\d.]+", p.get("d")) for p in svg.iter(SVG + "path") if p.get("fill") == colour]
        heights += [abs(float(c[1]) - float(c[5])) for c in corners[1:]]  # the first is the legend's
    assert len(heights) == len(values), (heights, values)
    scale = max(heights) / max(values)
    for height, value in zip(heights, values):
        assert abs(height - value * scale) < 1.5, (heights, values)


def comparison(folder):
    page = os.path.join(folder, "page.html")
    words = ["compare", "gather", "random", "--ctas", "8", "--accesses", "8", "--set", "dram.scheduler=fr-fcfs,fcfs", "--metric",
             "ipc,row_hit_rate", "--timeline", "200", "--seeds", "1-3", "--store", os.path.join(folder, "store.db")]
    heddle(*words, "--html", page)
    figures = list(csv.DictReader(io.StringIO(heddle(*words, "--csv"))))
    assert any(float(f["ratio"]) != 1 and float(f["ratio_margin"]) != 0 for f in figures)
    # Two metrics, five figures of a workload, five over time, its kernels.
    for width, dark in ((1200, False), (1200, True), (420, False)):
        kept = open_page(folder, page, width, dark)
        assert len(kept["drawn"]) == 13, f"{len(kept['drawn'])} charts"
        check_axes(kept)
        check_saved(kept, 13, 4)
        check_against_csv(kept, figures, "ipc", "fr-fcfs", ["gather", "random"], ["fr-fcfs", "fcfs"])
        ratios = [float(f["ratio"]) for v in ("fr-fcfs", "fcfs") for f in figures if f["metric"] == "ipc" and f["variant"] == v]
        mean = lambda two: (two[0] * two[1]) ** 0.5
        check_bars(kept, "ipc-relative-to-fr-fcfs", [*ratios[:2], mean(ratios[:2]), *ratios[2:], mean(ratios[2:])])


def single(folder):
    """One workload, one variant, nothing sampled, nothing random; an instruction mix without loads has no latencies."""
    page = os.path.join(folder, "single.html")
    heddle("compare", "alu", "--ctas", "1", "--html", page, "--store", os.path.join(folder, "store.db"))
    kept = open_page(folder, page, 800)
    check_saved(kept, len(kept["drawn"]), 3)
    names = {s["name"] for s in kept["saved"]}
    assert "latency-of-global-loads.svg" not in names and "performance.csv" in names, names


with tempfile.TemporaryDirectory() as scratch:
    comparison(scratch)
    single(scratch)
