"""Writes the benchmark's Accel-Sim traces (tracer version 5, plain text): vecadd, gather, alu and pow.

The kernels are those whose peer rates stand in peer.tsv: a vector addition, a dependent gather from a table, a
chain of fused multiply-adds, and a short kernel with 128-bit accesses. Usable alone: traces.py KIND DIR [KEY=N...]
"""
import pathlib
import random
import sys

FULL = "ffffffff"
BASE = 0x7F0000000000
HEADER = """-kernel name = {name}
-kernel id = 1
-grid dim = ({ctas},1,1)
-block dim = ({threads},1,1)
-shmem = 0
-nregs = 16
-binary version = 70
-cuda stream id = 0
-shmem base_addr = 0x00007e0000000000
-local mem base_addr = 0x00007e0002000000
-nvbit version = 1.7
-accelsim tracer version = 5
-enable lineinfo = 0

#traces format = [line_num] PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width [adrrescompress?] [mem_addresses] immediate

"""


class Warp:
    """Instruction lines of one warp; the PC advances by 16."""

    def __init__(self):
        self.lines = []

    def op(self, text, mask=FULL, memory="0"):
        self.lines.append(f"{16 * len(self.lines):04x} {mask} {text} {memory} 0")

    def stride(self, text, base, step, width=4):
        self.op(text, memory=f"{width} 1 {base:#x} {step}")

    def scatter(self, text, addresses, width=4):
        deltas = " ".join(str(b - a) for a, b in zip(addresses, addresses[1:]))
        self.op(text, memory=f"{width} 2 {addresses[0]:#x} {deltas}")


def index(w):
    w.op("1 R1 IMAD.MOV.U32 2 R255 R255")
    w.op("1 R6 S2R 0")
    w.op("1 R3 S2R 0")
    w.op("1 R6 IMAD 2 R6 R3")


def vecadd(warp, arrays, rng, options):
    w = Warp()
    index(w)
    w.op("0 ISETP.GE.AND 1 R6")
    w.op("0 EXIT 0", mask="00000000")
    w.op("1 R7 IMAD.MOV.U32 2 R255 R255")
    w.op("1 R4 IMAD.WIDE 2 R6 R7")
    w.op("1 R2 IMAD.WIDE 2 R6 R7")
    w.stride("1 R4 LDG.E.SYS 1 R4", arrays[0] + 128 * warp, 4)
    w.stride("1 R3 LDG.E.SYS 1 R2", arrays[1] + 128 * warp, 4)
    w.op("1 R6 IMAD.WIDE 2 R6 R7")
    w.op("1 R9 FADD 2 R4 R3")
    w.stride("0 STG.E.SYS 2 R6 R9", arrays[2] + 128 * warp, 4)
    w.op("0 EXIT 0")
    return w.lines


def gather(warp, arrays, rng, options):
    w = Warp()
    index(w)
    w.op("1 R4 IMAD.WIDE 2 R6 R7")
    w.stride("1 R8 LDG.E.SYS 1 R4", arrays[0] + 128 * warp, 4)
    words = options["table"] // 4
    for _ in range(options["loads"]):
        w.op("1 R10 IMAD.WIDE 2 R8 R7")
        w.scatter("1 R12 LDG.E.SYS 1 R10", [arrays[3] + 4 * rng.randrange(words) for _ in range(32)])
        w.op("1 R9 FADD 2 R9 R12")
    w.stride("0 STG.E.SYS 2 R6 R9", arrays[2] + 128 * warp, 4)
    w.op("0 EXIT 0")
    return w.lines


def alu(warp, arrays, rng, options):
    w = Warp()
    w.op("1 R1 IMAD.MOV.U32 2 R255 R255")
    for k in range(options["loads"]):
        w.op(f"1 R{8 + k % 16} FFMA 3 R{40 + k % 16} R{8 + k % 16} R{60 + k % 16}")
    w.op("0 EXIT 0")
    return w.lines


def pow2(warp, arrays, rng, options):
    """Two 128-bit loads, sixteen multiplications, two 128-bit stores."""
    w = Warp()
    w.op("1 R1 MOV 0")
    w.op("1 R0 S2R 0")
    w.op("1 R0 SHF.L.U32 2 R0 R255")
    w.op("1 R2 IADD3 2 R0 R255")
    w.op("0 ISETP.GE.U32.AND 1 R2")
    w.op("0 BRA 0", mask="00000000")
    w.op("1 R11 S2R 0")
    w.op("1 R9 MOV 0")
    w.op("1 R2 IMAD.WIDE 2 R0 R9")
    w.op("1 R2 IMAD.WIDE.U32 2 R11 R2")
    cta, lane_block = warp // 4 * 4096, warp % 4 * 512
    load, store = BASE + 0xFACE400 + cta + lane_block, BASE + 0xFB3C400 + cta + lane_block
    w.stride("1 R12 LDG.E.128.SYS 1 R2", load, 16, 16)
    w.stride("1 R4 LDG.E.128.SYS 1 R2", load + 2048, 16, 16)
    w.op("1 R8 IMAD.WIDE.U32 2 R0 R9")
    w.op("1 R8 IMAD.WIDE 2 R11 R8")
    for d in (11, 0, 12, 13, 17, 10, 3, 0, 11, 2, 14, 15, 4, 5, 6, 7):
        source = {11: 12, 0: 13, 12: 12, 13: 13, 17: 14, 10: 15, 3: 4, 2: 7, 14: 14, 15: 15}.get(d, d)
        w.op(f"1 R{d} FMUL 2 R{source} R{source}")
    w.stride("0 STG.E.128.SYS 2 R8 R12", store, 16, 16)
    w.stride("0 STG.E.128.SYS 2 R8 R4", store + 2048, 16, 16)
    w.op("0 EXIT 0")
    return w.lines


KINDS = {"vecadd": vecadd, "gather": gather, "alu": alu, "pow": pow2}


def write(kind, folder, ctas, threads=256, loads=8, table=64 << 20, seed=1):
    """The trace in `folder`; its kernelslist.g and the number of warp instructions."""
    folder = pathlib.Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    span = (ctas * threads * 4 + 0x1FFFFF) & ~0x1FFFFF
    arrays = [BASE + k * span for k in range(4)]
    rng, warps, total = random.Random(seed), threads // 32, 0
    options = {"loads": loads, "table": table}
    (folder / "kernelslist.g").write_text("kernel-1.traceg\n")
    with open(folder / "kernel-1.traceg", "w") as out:
        out.write(HEADER.format(name=kind, ctas=ctas, threads=threads))
        for cta in range(ctas):
            out.write(f"\n#BEGIN_TB\n\nthread block = {cta},0,0\n")
            for k in range(warps):
                lines = KINDS[kind](cta * warps + k, arrays, rng, options)
                total += len(lines)
                out.write(f"\nwarp = {k}\ninsts = {len(lines)}\n" + "\n".join(lines) + "\n")
            out.write("\n#END_TB\n")
    return folder / "kernelslist.g", total


if __name__ == "__main__":
    kind, folder, *settings = sys.argv[1:]
    print(write(kind, folder, **{k: int(v) for k, v in (s.split("=") for s in settings)})[1], "warp instructions")
