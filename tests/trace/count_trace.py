#!/usr/bin/env python3
"""Counts what an Accel-Sim trace asks of memory, for facts in tests.

usage: count_trace.py FILE...      (kernelslist.g, or kernel traces, plain or .xz/.gz)

A parser of its own, written from the format and from nothing else, so that its counts can be held against
the reader's. One row a kernel: warp instructions; global loads and stores with active lanes; the 32-byte
sectors that these touch, counted for each instruction; the distinct 128-byte lines of the whole kernel."""
import gzip
import lzma
import os
import sys

WINDOW = 1 << 24


def open_text(path):
    magic = open(path, 'rb').read(6)
    if magic == b'\xfd7zXZ\0':
        return lzma.open(path, 'rt', newline='\n')
    if magic[:2] == b'\x1f\x8b':
        return gzip.open(path, 'rt', newline='\n')
    return open(path, newline='\n')


def access_bytes(opcode):
    for modifier in opcode.split('.')[1:]:
        digits = modifier[1:] if modifier.startswith('U') else modifier
        if digits.isdigit():
            return int(digits) // 8
    return 4


def addresses(words, mask):
    """Addresses of the active lanes from the words after mem_width."""
    lanes = [lane for lane in range(32) if mask >> lane & 1]
    mode = words[0]
    if not lanes:
        return []
    if mode == '0':
        return [int(word, 16) for word in words[1:1 + len(lanes)]]
    base = int(words[1], 16)
    if mode == '1':
        return [base + k * int(words[2]) for k in range(len(lanes))]
    if mode == '2':
        result = [base]
        for word in words[2:1 + len(lanes)]:
            result.append(result[-1] + int(word))
        return result
    raise ValueError('address mode ' + mode)


def count(path):
    header, kernel = {}, dict(instructions=0, loads=0, stores=0, sectors=0)
    lines, left = set(), 0
    for text in open_text(path):
        text = text.strip()
        if text.startswith('-') and left == 0:
            key, value = text[1:].split('=', 1)
            header[key.strip()] = value.strip()
            continue
        if text.startswith('insts ='):
            left = int(text.split('=')[1])
            continue
        if left == 0 or not text:
            continue
        left -= 1
        kernel['instructions'] += 1
        words = text.split()
        if int(header.get('accelsim tracer version', 0)) < 3:
            words = words[4:]
        if header.get('enable lineinfo') == '1':
            words = words[1:]
        mask = int(words[1], 16)
        words = words[3 + int(words[2]):]
        opcode = words[0]
        words = words[2 + int(words[1]):]
        name = opcode.split('.')[0]
        if name not in ('LDG', 'STG', 'LD', 'ST') or words[0] == '0':
            continue
        lanes = addresses(words[1:], mask)
        if not lanes:
            continue
        if name in ('LD', 'ST'):
            bases = [int(header[k], 16) for k in ('shmem base_addr', 'local mem base_addr')]
            if any(base and base <= lanes[0] < base + WINDOW for base in bases):
                continue
        kernel['loads' if name.startswith('LD') else 'stores'] += 1
        size = access_bytes(opcode)
        sectors = set()
        for address in lanes:
            sectors.update(range(address // 32, (address + size - 1) // 32 + 1))
        kernel['sectors'] += len(sectors)
        lines.update(sector // 4 for sector in sectors)
    kernel['lines'] = len(lines)
    return header.get('kernel id', '?'), kernel


def main():
    total = {}
    for path in sys.argv[1:]:
        files = [path]
        if path.endswith('kernelslist.g'):
            names = [line.strip() for line in open(path)]
            files = [os.path.join(os.path.dirname(path), n) for n in names if n and not n.startswith('Memcpy')]
        for file in files:
            number, kernel = count(file)
            print('{%s, %d, %d, %d, %d, %d},' % ((number,) + tuple(kernel.values())))
            for key, value in kernel.items():
                total[key] = total.get(key, 0) + value
    print(total)


main()
