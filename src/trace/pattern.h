#pragma once
// Synthetic programs: one kernel whose warps follow a named pattern. For microbenchmarks of a memory system,
// where the access stream must be known exactly.
//
// A kernel has `ctas` CTAs of `threads` threads; each warp makes `accesses` accesses. An access is: `compute`
// dependent FP32 multiply-adds, then one memory instruction of all lanes (two for gather), each lane `bytes`
// wide. What lies where, with g the warp's number in the grid, G all warps, k the access, l the lane:
//
//   stream    element (k*G + g)*32 + l of an array of `footprint` bytes: the grid walks it in order, each
//             access one contiguous 32*`bytes`; wraps around at the end
//   strided   as stream, but elements are `stride` bytes apart
//   random    `divergence` lines, drawn evenly from the footprint; lanes are shared out evenly among them
//   chase     as random, but the address comes out of the access before: nothing overlaps within a warp
//   gather    as random, but each access first loads its index, as stream from an array of its own
//   hotset    as random, but `hot_percent` of the lines come from the first `hot` bytes
//   alu       no memory at all: the `compute` instructions only
//
// A share `read_percent` of the accesses are loads, the rest stores (chase and index loads always load).
// Loads write a register that nothing reads, except where said above, so latency hides as far as the machine
// lets it. The same settings give the same stream, CTA by CTA, in any order of generation.
//
// As text: "pattern:random,footprint=1GiB,divergence=8"; keys are the fields below.

#include <memory>
#include <string>
#include <string_view>

#include "trace/stream.h"

namespace heddle {

enum class PatternKind : u8 { stream, strided, random, chase, gather, hotset, alu };

struct PatternSettings {
    PatternKind kind = PatternKind::stream;
    u64 footprint = u64{64} << 20;  // bytes that data accesses stay in
    u64 stride = 128;               // bytes between adjacent lanes (strided)
    u32 divergence = 32;            // distinct 128-byte lines of an access: 1, 2, 4, 8, 16, 32
    u64 hot = u64{1} << 20;         // bytes of the hot set
    u32 hot_percent = 90;           // of lines that come from it
    u32 read_percent = 100;         // of accesses that load
    u32 compute = 0;                // FP32 multiply-adds before each access (alu: in place of it, at least 1)
    u32 bytes = 4;                  // of each lane: 1, 2, 4, 8, 16
    u64 ctas = 512;
    u32 threads = 256;  // of a CTA
    u32 accesses = 16;  // of a warp
    u64 seed = 1;
    u64 base = u64{1} << 32;  // address of the data; gather's indices lie behind it
};

inline constexpr std::string_view kPatternPrefix = "pattern:";

/// "stream", "strided", ...
std::string_view pattern_name(PatternKind kind);

/// Whether the seed decides anything.
bool draws_random_numbers(const PatternSettings& settings);

/// Reads "pattern:KIND[,key=value...]". Throws InputError with the nearest right word.
PatternSettings parse_pattern(std::string_view text);

/// The program. Throws InputError if the settings do not fit each other (a footprint below one access, ...).
std::unique_ptr<StreamSource> make_pattern(const PatternSettings& settings);

}  // namespace heddle
