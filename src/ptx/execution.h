#pragma once
// The state of one launch. execution.cpp: windows and CTAs; interpreter.cpp: a warp's turn; barrier.cpp;
// synchronisation.cpp: waiting between CTAs; fault.cpp: errors; device_print.cpp: printf.

#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "ptx/device_launch.h"
#include "ptx/launch.h"
#include "ptx/record.h"

namespace heddle::ptx {

/// A CTA barrier's state.
struct Barrier {
    u32 arrived = 0;   // warps
    u32 expected = 0;  // warps; 0: all that have not ended
    u32 count = 0;     // threads whose predicate held
    bool all = true, any = false;
    std::vector<u32> waiting;  // warps
};

struct CtaState : Cta {
    u64 linear = 0;
    Dim3 index;
    std::vector<Warp> warps;
    std::unique_ptr<u32[]> words;  // a chunk for each warp; not zeroed, so that only what is used costs
    AlignedBytes shared_memory;
    std::array<Barrier, kClusterBarrier + 1> barriers;
    u32 running = 0;  // warps that have not ended
    u64 clock = 0;
};

struct Execution::Impl final : Machine {
    Impl(Context& context, const Launch& launch, KernelSink* sink);
    ~Impl() override;
    bool advance();

    // Machine
    void check_global(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes, Range& range) override;
    [[noreturn]] void fault_misaligned(Warp& w, const Op& op, u32 mask, const u64* address,
                                       u32 bytes) override;
    [[noreturn]] void fault_shared(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes) override;
    [[noreturn]] void fault_local(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes) override;
    void see_load(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes, MemSpace space) override;
    void see_store(Warp& w, const Op& op, u32 mask, const u64* address, u32 bytes, MemSpace space,
                   u32 changed) override;
    void special(Warp& w, const Op& op, u32 mask) override;
    void print(Warp& w, const Op& op, u32 mask) override;
    void fail_assertion(Warp& w, const Op& op, u32 mask) override;
    void allocate(Warp& w, const Op& op, u32 mask) override;
    void release(Warp& w, const Op& op, u32 mask) override;
    void launch_from_device(Warp& w, const Op& op, u32 mask) override;
    void wait_for_launched(Warp& w, const Op& op, u32 mask) override;
    void parameter_bytes(Warp& w, const Op& op, u32 mask) override;
    const Kernel* kernel_at(u64 address) const;
    u32 launch_from_lane(Warp& w, const Op& op, u32 lane, u64 at);
    void fetch_texture(Warp& w, const Op& op, u32 mask) override;
    void query_texture(Warp& w, const Op& op, u32 mask) override;
    void surface_address(Warp& w, const Op& op, u32 mask) override;
    const TextureDescriptor& texture_of(Warp& w, const Op& op, u32 lane);

    // execution.cpp
    void check_launch();
    void prepare_functions();
    void fill_launch_area(u32 function);
    void start_cta(CtaState& cta);
    void start_warp(CtaState& cta, Warp& w, u32 index);
    void finish_cta(CtaState& cta);
    void flush(Warp& w);
    u64 turn(CtaState& cta);

    // interpreter.cpp
    /// Runs until the warp ends, waits, or has run `budget` operations; returns how many it ran.
    u64 run_warp(Warp& w, u64 budget);
    /// What follows an operation that steers the warp.
    enum class Flow : u8 {
        on,         // the running split goes on at `pc`
        elsewhere,  // the top split runs, from where it stands
        stop,       // the warp's turn is over
    };
    struct Step {
        u32 pc = 0;
        Flow flow = Flow::on;
    };
    inline Step branch(Warp& w, const Op& op, u32 pc, u32 mask);
    Step steer(Warp& w, const Op& op, u32 pc, u32 mask);
    Step branch_index(Warp& w, const Op& op, u32 pc, u32 mask);
    Step call(Warp& w, const Op& op, u32 pc);
    Step end_lanes(Warp& w, u32 pc, u32 mask);
    Step barrier(Warp& w, const Op& op, u32 pc, u32 mask);
    Step warp_barrier(Warp& w, const Op& op, u32 pc, u32 mask);
    bool wait(Warp& w);
    bool resume(Warp& w);
    /// Makes the top split the running one.
    void activate(Warp& w);
    void enter(Warp& w, u32 function, u32 site, u32 return_pc);
    void leave(Warp& w);
    u32 indirect_target(Warp& w, const Op& op, u32& lanes);
    void pass_values(Warp& w, const std::vector<ParamSlot>& from, const Activation& from_call,
                     const std::vector<ParamSlot>& to, const Activation& to_call, u32 mask);

    // barrier.cpp
    void arrive(Warp& w, const Op& op, u32 mask);
    void barrier_wait(Warp& w);
    void complete_if_full(CtaState& cta, Barrier& b);
    void warp_ended(Warp& w);

    // synchronisation.cpp
    /// A loop begins again. True: it would only repeat itself; the split is marked spinning.
    bool loop_repeats(Warp& w, const Op& op, u32 mask);
    bool awaited_changed(const Warp& w) const;
    void park(Warp& w);
    /// Nobody can go on: the clock goes on to when the first waiting warp looks at it again. False if none does.
    bool pass_time();
    /// Its spinning splits look again.
    void wake(Warp& w);
    /// The running split has run for long: others of its warp get their turn.
    void give_way(Warp& w);
    void forget_loops(Warp& w);

    // fault.cpp
    [[noreturn]] void fault(DeviceFault::Kind kind, const Warp& w, u32 line, u32 lane,
                            const std::string& what) const;
    [[noreturn]] void no_progress() const;
    void outside(const Warp& w, const Op& op, u32 lane, u64 address, u32 bytes);
    std::string at_lane(const Warp& w, u32 line, u32 lane, const std::string& what) const;
    const FunctionCode& function_of(const Warp& w) const {
        return *code.functions[w.calls[w.splits.back().call].function].code;
    }

    Context& context;
    Launch launch;
    Code& code;
    KernelSink* sink;
    KernelInfo info;
    std::vector<StaticInst> static_insts;
    std::vector<u32> rec_base;               // by function
    std::vector<AlignedBytes> launch_areas;  // by function
    std::vector<std::byte> args;
    ExecutionStats stats;
    std::deque<CtaState> ctas;
    std::vector<CtaState*> resident, spare;
    u64 window = 0, next_cta = 0, quantum = 0;
    bool interacts = false, spins = false, started = false, ended = false;
    u32 shared_bytes = 0;
    u64 latest_clock = 0;
    u64 now = 0;                         // the latest clock of any warp that has run or could have
    u64 workspace = 0;                   // of a cooperative launch
    std::vector<DeviceLaunch> unwanted;  // launches that nobody asks for
    std::vector<DeviceLaunch>* launched = nullptr;

    // Edges between CTAs (synchronisation.cpp): the last strong write to each 4-byte granule, what waiting
    // loops look at.
    struct Writer {
        u32 edge;
        u64 cta;
    };
    std::unordered_map<u64, Writer> writers;  // looked up only
    std::unordered_set<u64> looked_at;
    u32 next_edge = 1;
};

inline CtaState& cta_of(const Warp& w) {
    return static_cast<CtaState&>(*w.cta);
}

}  // namespace heddle::ptx
