#!/usr/bin/env python3
"""A file of src/ includes only from its own folder and those before it in this list (docs/architecture.md)."""
import pathlib
import re
import sys

ORDER = ["sim", "config", "mem", "trace", "dram", "noc", "link", "cache", "memory", "vm", "core", "cpu", "gpu", "ptx", "cuda",
         "machine", "report", "study", "cli"]
root = pathlib.Path(__file__).resolve().parent.parent / "src"
bad = []
for path in sorted(root.rglob("*")):
    if path.suffix not in (".h", ".cpp"):
        continue
    folder = path.relative_to(root).parts[0]
    if folder not in ORDER:
        bad.append(f"{path}: folder {folder} is not in the list")
        continue
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'#include "([a-z_]+)/', line)
        if match and match[1] in ORDER and ORDER.index(match[1]) > ORDER.index(folder):
            bad.append(f"{path}:{number}: {folder} includes from {match[1]}, which stands above it")
print("\n".join(bad))
sys.exit(bool(bad))
