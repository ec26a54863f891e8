#pragma once
// Everything but instructions: program events, kernel descriptions, static instructions, as bytes.

#include "trace/recording/bytes.h"
#include "trace/recording/streams.h"
#include "trace/stream.h"

namespace heddle::recording {

/// An event; a launch is told by its kernel block's number.
void put_event(Bytes& out, const ProgramEvent& event, u64 kernel_block);
/// False if the event is a launch: then only `kernel_block` is set.
bool get_event(ByteReader& in, ProgramEvent& event, u64& kernel_block);

void put_range(Bytes& out, const ProgramRange& range);
ProgramRange get_range(ByteReader& in);

void put_kernel(Bytes& out, const KernelInfo& info);
KernelInfo get_kernel(ByteReader& in);

void put_static_insts(Bytes& out, const std::vector<StaticInst>& table, StreamPacker& packer);
std::vector<StaticInst> get_static_insts(ByteReader& in);

}  // namespace heddle::recording
