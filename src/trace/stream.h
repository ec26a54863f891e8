#pragma once
// The contract between whatever produces warp instructions and the timing simulation.
//
// A StreamSource yields a program's events in program order. A kernel launch is an event that carries a
// KernelStream; the machine pulls the kernel's CTAs from it one by one, in launch order, as room for them
// appears. A CTA's instructions are compact words (layout below), read through one WarpCursor a warp.
// Memory stays bounded: a CTA holds its own words only, and a CTA too long to hold is refilled in chunks.
//
// Word layout of one dynamic instruction (32-bit words, least significant bit first):
//   word 0        bits 0..21  index into KernelStream::static_insts()
//                 bit  22     full: every lane of the warp as launched is active; no mask follows
//                 bits 23..24 AddressForm (memory operations with active lanes; none otherwise)
//                 bit  25     an edge follows
//   [mask]        1 word if KernelInfo::warp_lanes <= 32, else 2 (low first); absent if full
//   [edge]        1 word: bit 0 is EdgeKind, bits 1..31 the edge's number, unique in the kernel
//   [addresses]   strided:  base (2 words, low first), stride (1 word, signed): lane k of the active lanes in
//                           ascending order has base + rank*stride, rank = k's position among the active
//                           lanes
//                 deltas:   base (2 words), then popcount(mask)-1 signed words, each from the previous lane
//                 absolute: popcount(mask) times 2 words
// Addresses are virtual byte addresses of the lanes, for shared memory byte offsets in the CTA's window.

#include <bit>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "sim/types.h"
#include "trace/instruction.h"

namespace heddle {

inline constexpr int kMaxLanes = 64;

enum class AddressForm : u8 { none = 0, strided = 1, deltas = 2, absolute = 3 };

/// A dependence between CTAs of one kernel that the program waited for: a `wait` may not issue before the
/// `signal` of the same number has been performed.
enum class EdgeKind : u8 { signal = 0, wait = 1 };

struct Dim3 {
    u32 x = 1, y = 1, z = 1;
    u64 count() const { return u64{x} * y * z; }
    friend bool operator==(const Dim3&, const Dim3&) = default;
};

struct KernelInfo {
    std::string name;
    u64 id = 0;  // as the source numbers it; 1 for the first launch
    Dim3 grid, block;
    u32 shared_bytes = 0;      // a CTA's static and dynamic shared memory
    u32 registers = 0;         // 32-bit registers a thread
    u64 stream = 0;            // launches of one stream run in order, of several side by side
    u32 warp_lanes = 32;       // 32 or 64
    u32 register_names = 0;    // register numbers in static_insts() are below this
    bool cooperative = false;  // all CTAs must be resident at once
    std::string place;         // file (and line) for messages

    u32 warps_per_cta() const { return static_cast<u32>(ceil_div(block.count(), warp_lanes)); }
    u64 cta_count() const { return grid.count(); }
};

/// One dynamic instruction, decoded. `payload` points at the address words.
struct DynInst {
    u32 static_index = 0;
    AddressForm form = AddressForm::none;
    bool has_edge = false;
    u32 edge = 0;  // the edge word as stored
    u64 mask = 0;  // active lanes
    const u32* payload = nullptr;

    EdgeKind edge_kind() const { return static_cast<EdgeKind>(edge & 1); }
    u32 edge_number() const { return edge >> 1; }
};

class CtaStream;

/// Where a warp is in its instructions. Owned by the warp's slot in the SM; valid while its CTA runs.
class WarpCursor {
  public:
    WarpCursor() = default;
    WarpCursor(const u32* begin, const u32* end, u64 full_mask, bool wide, CtaStream* refill, u32 warp)
        : p_(begin), end_(end), full_mask_(full_mask), refill_(refill), warp_(warp), wide_(wide) {}

    /// Decodes the next instruction and moves past it. False at the warp's end.
    bool next(DynInst& out);

    u64 full_mask() const { return full_mask_; }

  private:
    bool refill();

    const u32* p_ = nullptr;
    const u32* end_ = nullptr;
    u64 full_mask_ = 0;
    CtaStream* refill_ = nullptr;  // null: [p_, end_) is everything
    u32 warp_ = 0;
    bool wide_ = false;
};

/// The instructions of one CTA. Producers fill it through a CtaWriter (trace/cta_writer.h); objects are
/// reused, so a CTA costs no allocation once buffers have grown.
class CtaStream {
  public:
    virtual ~CtaStream() = default;

    /// The next words of a warp whose previous ones are used up; empty at its end. An instruction never
    /// straddles two chunks. The previous span of this warp becomes invalid.
    virtual std::span<const u32> refill(u32 warp);

    WarpCursor cursor(u32 warp, const KernelInfo& kernel);

    Dim3 index;                               // blockIdx
    std::vector<u32> words;                   // all warps' words, warp by warp
    std::vector<std::pair<u32, u32>> ranges;  // a warp's [begin, end) in words
    bool chunked = false;                     // refill() may have more
};

/// A kernel's instructions, pulled CTA by CTA.
class KernelStream {
  public:
    virtual ~KernelStream() = default;
    virtual const KernelInfo& info() const = 0;
    /// Grows as CTAs are read; an index stays valid, a reference does not.
    virtual const std::vector<StaticInst>& static_insts() const = 0;
    /// An empty CTA object for next_cta; kept and reused by the machine.
    virtual std::unique_ptr<CtaStream> make_cta() { return std::make_unique<CtaStream>(); }
    /// Reads the next CTA in launch order. False after the last: exactly info().cta_count() are given, unless
    /// a filter ends the kernel early (trace/filters.h). Throws InputError naming file and line.
    virtual bool next_cta(CtaStream& out) = 0;
    /// Opcodes that are in no table, with how often each was met; reported once at the end of a run.
    virtual std::vector<std::pair<std::string, u64>> unknown_opcodes() const { return {}; }
    /// Notes for the user about what was not fully understood in the input; reported once per run.
    virtual std::vector<std::string> warnings() const { return {}; }
};

enum class CopyKind : u8 { host_to_device, device_to_host, device_to_device, set };

struct CopyEvent {
    CopyKind kind = CopyKind::host_to_device;
    u64 destination = 0, source = 0, bytes = 0;
    u64 stream = 0;
};
struct AllocEvent {
    u64 address = 0, bytes = 0;
    enum class Kind : u8 { device, managed, host } kind = Kind::device;
};
struct FreeEvent {
    u64 address = 0;
};
/// Event record/wait and host synchronization: later launches of `stream` (all streams if `host`) wait for
/// `event`.
struct SyncEvent {
    enum class Kind : u8 { record, wait, host_event, host_stream, host_device } kind = Kind::host_device;
    u64 stream = 0, event = 0;
};
/// Where a program wants pages to lie (cudaMemPrefetchAsync, cudaMemAdvise). On machines of several memories pages follow it.
struct PageHintEvent {
    enum class Kind : u8 {
        prefetch,  // they come there now
        prefer,    // they begin there, and do not leave it
        no_wish,   // what was preferred is no longer
    } kind = Kind::prefetch;
    bool to_host = false;
    u64 address = 0, bytes = 0;
    u64 stream = 0;
};
struct LaunchEvent {
    std::unique_ptr<KernelStream> kernel;
};
using ProgramEvent = std::variant<LaunchEvent, CopyEvent, AllocEvent, FreeEvent, SyncEvent, PageHintEvent>;

/// What a program calls a part of itself, by the marks and ranges of NVTX. It takes no time and orders nothing.
struct ProgramRange {
    std::string name, domain;
    u32 color = 0;         // ARGB; 0: none given
    bool is_mark = false;  // a moment: it has no launches
    u64 first_launch = 0;  // launches (KernelInfo::id) up to this one came before
    u64 launches = 0;      // those that follow belong to it
};

/// A program: one address space, events in program order.
class StreamSource {
  public:
    virtual ~StreamSource() = default;
    virtual const std::string& name() const = 0;
    /// The next event; false at the program's end.
    virtual bool next(ProgramEvent& out) = 0;
    /// Notes for the user about the program as a whole, as KernelStream::warnings(); complete at its end.
    virtual std::vector<std::string> warnings() const { return {}; }
    /// In the order in which they began; complete at the program's end.
    virtual std::vector<ProgramRange> ranges() const { return {}; }
};

/// Calls visit(lane, address) for each active lane, ascending.
template <class Visit>
inline void for_each_address(const DynInst& inst, Visit visit) {
    u64 mask = inst.mask;
    const u32* p = inst.payload;
    auto u64_at = [](const u32* q) { return u64{q[0]} | u64{q[1]} << 32; };
    switch (inst.form) {
        case AddressForm::none:
            return;
        case AddressForm::strided: {
            u64 address = u64_at(p);
            const u64 stride = static_cast<u64>(static_cast<i64>(static_cast<i32>(p[2])));
            for (; mask != 0; mask &= mask - 1, address += stride) visit(std::countr_zero(mask), address);
            return;
        }
        case AddressForm::deltas: {
            u64 address = u64_at(p);
            p += 2;
            visit(std::countr_zero(mask), address);
            for (mask &= mask - 1; mask != 0; mask &= mask - 1) {
                address += static_cast<u64>(static_cast<i64>(static_cast<i32>(*p++)));
                visit(std::countr_zero(mask), address);
            }
            return;
        }
        case AddressForm::absolute:
            for (; mask != 0; mask &= mask - 1, p += 2) visit(std::countr_zero(mask), u64_at(p));
            return;
    }
}

inline bool WarpCursor::next(DynInst& out) {
    if (p_ == end_ && !refill()) return false;
    // Many warps run between two instructions of this one: its next line will be gone from the caches.
    __builtin_prefetch(p_ + 16);
    const u32 w = *p_++;
    out.static_index = w & 0x3fffff;
    out.form = static_cast<AddressForm>(w >> 23 & 3);
    out.has_edge = (w >> 25 & 1) != 0;
    if ((w >> 22 & 1) != 0) {
        out.mask = full_mask_;
    } else {
        out.mask = *p_++;
        if (wide_) out.mask |= u64{*p_++} << 32;
    }
    if (out.has_edge) out.edge = *p_++;
    out.payload = p_;
    switch (out.form) {
        case AddressForm::none:
            break;
        case AddressForm::strided:
            p_ += 3;
            break;
        case AddressForm::deltas:
            p_ += 1 + std::popcount(out.mask);
            break;
        case AddressForm::absolute:
            p_ += 2 * std::popcount(out.mask);
            break;
    }
    return true;
}

}  // namespace heddle
