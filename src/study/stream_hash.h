#pragma once
// The SHA-256 of a program's stream: what names an input, so that a study can hold on to it (docs/studies.md).
//
// Hashed are the decoded events, not a file: a program, its recording and a recording of that one have the same hash,
// however they are compressed, cut into pieces or called. In the order of the program, numbers little-endian:
//
//   "heddle stream 1\n"
//   launch       'L' grid, block (6 x 4 bytes), shared bytes, registers (4), stream (8), lanes of a warp (4), cooperative (1);
//                each CTA in the order of launch: 'C' its index (3 x 4), each warp: its instructions, then 'W'; after the
//                last 'E'
//   instruction  'I', its number (4): that of the static instruction, counted by first appearance in this launch; the first
//                time what stands there: pc (8), two destinations and four sources (2 each), class, operation, space, bytes a
//                lane, L1 bypass, barrier and its warps, arrive only, register width, role and depth of an asynchronous
//                copy (1 each). Then the mask (8), whether an edge follows (1) and the edge (4), and the addresses of the
//                active lanes: 0: none; 1: base and step from lane to lane (8 each), 2: base (8) and differences (4 each),
//                3: all (8 each), whichever is the first that can say them
//   copy         'c' kind (1), destination, source, bytes, stream (8 each)
//   allocation   'a' kind (1), address, bytes (8 each)
//   free         'f' address (8)
//   wait         's' kind (1), stream, event (8 each)
//
// Host memory lies where the system has put it. Its allocations are therefore numbered (from 0, in the order of the
// program), and an address in the Nth is 2^63 + N 2^40 + the distance from its start. Left out: names, files and lines, NVTX
// ranges, warnings, and the numbers that a trace gives its launches.

#include <string>

#include "trace/stream.h"

namespace heddle::study {

/// 64 hexadecimal digits; the stream is read to its end. Throws what the source throws.
std::string stream_hash(StreamSource& source);

/// That of a workload: its application's stream's, or, if there are several, the SHA-256 of all of theirs, a line each.
std::string workload_hash(const std::vector<std::string>& streams);

}  // namespace heddle::study
