#!/usr/bin/env python3
"""Writes docs/cuda-functions.md: which functions of CUDA's runtime and driver there are, from what src/cuda/runtime defines and
from its lists of what is not supported. With --check it compares only, and fails if the page differs."""

import glob
import os
import re
import sys
import textwrap

top = os.path.join(os.path.dirname(os.path.abspath(__file__)), "..")
folder = os.path.join(top, "src/cuda/runtime")


def read(path):
    with open(path) as f:
        return f.read()


def defined():
    """Functions that do what they say."""
    names = set()
    for path in glob.glob(folder + "/*.cpp") + glob.glob(folder + "/abi/*.cpp"):
        if "unsupported" not in path:
            names |= set(re.findall(r"^(?:CUresult|cudaError_t|const char\*|cudaChannelFormatDesc) (cu\w+)\(", read(path), re.M))
    # The driver's header renames these to their second forms; the linker gives them both names.
    second = set(re.findall(r"--defsym=(cu\w+)=\1_v2", read(folder + "/abi/first_forms.txt")))
    return names | {name + "_v2" for name in second & names}


def unsupported(path):
    """Names by what they need."""
    needs = {}
    for what, names in re.findall(r'#define HEDDLE_NEEDS "([^"]*)"\n(.*?)#undef', read(path), re.S):
        needs[what] = re.findall(r"HEDDLE_UNSUPPORTED\((cu\w+)\)", names)
    return needs


def section(title, names, needs):
    text = f"## {title}\n\nSupported ({len(names)}):\n\n"
    text += textwrap.fill(", ".join(f"`{name}`" for name in sorted(names)), 140, break_on_hyphens=False) + "\n\n"
    count = sum(len(n) for n in needs.values())
    text += f"Not supported ({count}); a call prints a note once and returns the error:\n\n| function | what it needs |\n|---|---|\n"
    for what in sorted(needs):
        for name in sorted(needs[what]):
            text += f"| `{name}` | {what} |\n"
    return text


def page():
    names = defined()
    runtime = {name for name in names if name.startswith("cuda")}
    return "\n".join([
        "# Functions of CUDA\n\nThe functions of the runtime and of the driver API, in the forms of CUDA 11 to 13. [cuda.md](cuda.md) says what"
        "\neach kind does here. This page is generated: `python3 cmake/cuda_functions.py`.\n",
        section("Runtime", runtime, unsupported(folder + "/unsupported.cpp")),
        section("Driver API", names - runtime, unsupported(folder + "/driver_unsupported.cpp")),
    ])


out = os.path.join(top, "docs/cuda-functions.md")
if "--check" in sys.argv:
    if not os.path.exists(out) or read(out) != page():
        sys.exit("docs/cuda-functions.md is not what cmake/cuda_functions.py writes")
else:
    with open(out, "w") as f:
        f.write(page())
