#pragma once
// A warp's state as handlers and the interpreter see it, and what handlers need of the CTA and the launch.

#include <array>
#include <cstring>
#include <vector>

#include "ptx/code.h"

namespace heddle::ptx {

struct Cta;
struct Machine;

/// Addresses known to lie in one live allocation.
struct Range {
    u64 begin = 1, end = 0;
};

/// Lanes that execute together. A warp's splits form a stack; the last runs. See divergence.h.
struct Split {
    u32 pc = 0;
    u32 rpc = kNoOperand;  // where it meets the others; kNoOperand: nowhere
    u32 mask = 0;
    u32 call = 0;      // in Warp::calls
    u32 rpc_call = 0;  // the activation that rpc belongs to
    enum class State : u8 {
        running,
        barrier,   // has arrived at a CTA barrier
        members,   // waits for the lanes of a member mask
        spinning,  // its loop repeats without any effect
    } state = State::running;
    u32 members = 0;  // while it waits at a bar.warp.sync: the mask
};

/// An activation of a function. Entry 0 is the kernel's.
struct Activation {
    u32 function = 0;
    u32 frame = 0;  // byte offset of its registers
    u32 local = 0;  // byte offset in each thread's local memory
    u32 parent = 0;
    u32 return_pc = 0;
    u32 site = 0;   // call site in the parent's function
    u32 users = 0;  // splits in it and activations called from it
};

/// A value that a waiting loop has read.
struct Watch {
    u64 address = 0;  // a host address: global or shared memory
    u64 value = 0;
    u32 bytes = 0;
};

/// Where a loop stood when it last looked (see synchronisation.cpp).
struct SpinState {
    const Op* branch = nullptr;
    u32 mask = 0, call = 0;
    u64 effects = 0;
    u64 clock_reads = 0, first_clock = 0;  // the clock when the loop was first seen
    u32 iterations = 0, next_save = 1;
    u32* mark = nullptr;  // in the words; null: gone with a flushed chunk
    u64 instructions = 0, thread_instructions = 0;
    u32 last_wait = 0;
    std::size_t first_watch = 0;  // in Warp::watches: what it has read since
    std::vector<std::byte> registers;
};

struct Warp {
    std::array<std::byte*, 3> base{};  // by Area
    u32 active = 0;                    // lanes of the running split
    u32 index = 0;                     // in the CTA
    u32 live = 0;                      // lanes that have not ended
    u32 launched = 0;                  // lanes of the warp as launched
    Cta* cta = nullptr;
    Machine* machine = nullptr;

    // The stream.
    u32* out = nullptr;  // next word; null: nothing is recorded
    u32* out_begin = nullptr;
    u32* out_end = nullptr;
    u32 rec_base = 0;  // of the running function
    u64 instructions = 0, thread_instructions = 0;
    bool has_edge = false;  // attached to the next instruction
    u32 edge = 0;

    const u32* extra = nullptr;  // FunctionCode::extra of the running function
    u64 clock = 0;
    std::byte* local = nullptr;  // interleaved by 4-byte words: word w of lane l at (w * 32 + l) * 4
    u32 local_bytes = 0;         // of a thread
    u32 local_base = 0;          // of the running activation
    u64 local_stream = 0;        // address of `local` as the stream shows it
    alignas(64) std::array<std::array<u32, kLanes>, 3> tid{};

    enum class State : u8 { ready, barrier, parked, done } state = State::ready;
    u32 barrier = 0;  // the CTA barrier that it waits at
    std::vector<Split> splits;
    std::vector<Activation> calls;
    std::vector<u32> free_calls;
    AlignedBytes frame_memory, local_memory;

    // Waiting.
    std::array<SpinState, 4> spins;  // loops, and different lanes in the same loop
    u32 next_spin = 0;               // which is replaced next
    std::vector<Watch> watches;      // what was read since the oldest of them
    bool watch_overflow = false;     // more was read than fits
    std::vector<Watch> awaited;      // what spinning splits have read
    u64 effects = 0;                 // what others could notice, so far
    u64 clock_reads = 0;             // of %clock and %globaltimer, so far
    u64 look_again = 0;              // parked, and reads the clock: when it looks again; 0: does not
    u32 last_wait = 0;               // edge
    u64 unshared = 0;                // operations since splits last gave way
    u32 loop_count = 0;
    const Op* loop_branch = nullptr;
};

struct Cta {
    std::byte* shared = nullptr;
    u32 shared_bytes = 0;
};

/// The services of the launch that handlers call on.
struct Machine {
    virtual ~Machine() = default;
    /// Every byte of the lanes' accesses must lie in a live allocation: fills `range` if one holds them all,
    /// else checks lane by lane; throws DeviceFault.
    virtual void check_global(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes,
                              Range& range) = 0;
    [[noreturn]] virtual void fault_misaligned(Warp& w, const Op& op, u32 mask, const u64* address,
                                               u32 bytes) = 0;
    [[noreturn]] virtual void fault_shared(Warp& w, const Op& op, u32 mask, const u64* address,
                                           u32 bytes) = 0;
    [[noreturn]] virtual void fault_local(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes) = 0;
    /// Only called while `tracking`: see synchronisation.cpp. Addresses are global, or offsets in `space`.
    virtual void see_load(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes, MemSpace space) = 0;
    virtual void see_store(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes, MemSpace space,
                           u32 changed) = 0;
    virtual void special(Warp& w, const Op& op, u32 mask) = 0;
    virtual void print(Warp& w, const Op& op, u32 mask) = 0;
    virtual void fail_assertion(Warp& w, const Op& op, u32 mask) = 0;
    virtual void allocate(Warp& w, const Op& op, u32 mask) = 0;
    virtual void release(Warp& w, const Op& op, u32 mask) = 0;
    virtual void launch_from_device(Warp& w, const Op& op, u32 mask) = 0;
    virtual void wait_for_launched(Warp& w, const Op& op, u32 mask) = 0;
    virtual void parameter_bytes(Warp& w, const Op& op, u32 mask) = 0;
    virtual void fetch_texture(Warp& w, const Op& op, u32 mask) = 0;
    virtual void query_texture(Warp& w, const Op& op, u32 mask) = 0;
    virtual void surface_address(Warp& w, const Op& op, u32 mask) = 0;

    bool tracking = false;
    const std::byte* params = nullptr;
    u32 param_bytes = 0;
    std::array<Range, 256> ranges;  // by instruction line: where it hit last
};

inline std::byte* global_pointer(u64 address) {
    return reinterpret_cast<std::byte*>(address);
}
/// Byte `offset` of a lane's local memory.
inline std::byte* local_pointer(const Warp& w, u32 lane, u64 offset) {
    return w.local + (offset >> 2) * kRegisterBytes + lane * 4 + (offset & 3);
}
inline std::byte* operand_pointer(const Warp& w, u32 ref) {
    return w.base[ref >> 30] + (ref & 0x3fffffff);
}
inline u32 operand_word(const Warp& w, u32 ref, u32 lane) {
    u32 v;
    std::memcpy(&v, operand_pointer(w, ref) + lane * 4, 4);
    return v;
}

}  // namespace heddle::ptx
