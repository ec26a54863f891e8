#include "ptx/execution.h"

#include <algorithm>
#include <cstring>

namespace heddle::ptx {

namespace {

constexpr u32 kChunkWords = 2048;
constexpr u64 kFineQuantum = 256, kCoarseQuantum = u64{1} << 16;  // operations of a warp in a turn
// Operations after which a split gives way to others of its warp, in kernels with loops that wait: rarely, as lanes that
// run apart are slow, and sooner if others wait for values.
constexpr u64 kPatience = u64{1} << 20, kPatienceWithWaiting = u64{1} << 14;
constexpr u32 kMaxThreads = 1024;

Launch fit_launch(const Context& context, Launch launch) {
    const u64 threads = launch.block.count();
    if (threads != 0 && threads <= kMaxThreads) launch.kernel = &context.fit(*launch.kernel, launch.block);
    return launch;
}

}  // namespace

void Launch::set_args(void** pointers) {
    args.assign(kernel->decl.param_bytes, std::byte{0});
    for (std::size_t k = 0; k < kernel->decl.params.size(); ++k)
        std::memcpy(args.data() + kernel->decl.params[k].offset, pointers[k], kernel->decl.params[k].bytes);
}

Execution::Execution(Context& context, const Launch& launch, KernelSink* sink)
    : impl_(std::make_unique<Impl>(context, launch, sink)) {}
Execution::~Execution() = default;
bool Execution::advance() {
    return impl_->advance();
}
const KernelInfo& Execution::info() const {
    return impl_->info;
}
const std::vector<StaticInst>& Execution::static_insts() const {
    return impl_->static_insts;
}
const ExecutionStats& Execution::stats() const {
    return impl_->stats;
}

Execution::Impl::Impl(Context& c, const Launch& l, KernelSink* s)
    : context(c), launch(fit_launch(c, l)), code(*launch.kernel->code), sink(s) {
    shared_bytes =
        static_cast<u32>(ceil_div(launch.kernel->static_shared_bytes, 16) * 16) + launch.dynamic_shared;
    if (launch.dynamic_shared == 0) shared_bytes = launch.kernel->static_shared_bytes;
    check_launch();
    args = launch.args;
    args.resize(ceil_div(args.size() + 16, 16) * 16);
    params = args.data();
    param_bytes = launch.kernel->decl.param_bytes;
    if (launch.cooperative) workspace = context.cooperative_workspace();
    prepare_functions();
    info.name = launch.kernel->decl.name;
    info.id = launch.id;
    info.grid = launch.grid;
    info.block = launch.block;
    info.shared_bytes = shared_bytes;
    info.registers = launch.kernel->registers;
    info.stream = launch.stream;
    info.cooperative = launch.cooperative;
    info.place = launch.place;
    launched = launch.children != nullptr ? launch.children : &unwanted;
    tracking = spins;
    quantum = interacts || spins || launch.cooperative ? kFineQuantum : kCoarseQuantum;
    latest_clock = context.clock;
}

Execution::Impl::~Impl() = default;

void Execution::Impl::check_launch() {
    const Kernel& k = *launch.kernel;
    const DeviceLimits& limits = context.limits();
    auto refuse = [&](DeviceFault::Kind kind, const std::string& what) {
        throw DeviceFault(kind, code.functions[k.function].code->unit->place(k.decl.line) + "kernel '" +
                                    k.decl.name + "': " + what);
    };
    auto bad = [&](const std::string& what) { refuse(DeviceFault::Kind::bad_launch, what); };
    const u64 threads = launch.block.count();
    if (launch.grid.count() == 0 || threads == 0) bad("the grid or the block is empty");
    // The same on every device since compute capability 3.0.
    if (launch.grid.x > 0x7fffffffu || launch.grid.y > 65535 || launch.grid.z > 65535)
        bad("a grid of " + std::to_string(launch.grid.x) + " by " + std::to_string(launch.grid.y) + " by " +
            std::to_string(launch.grid.z) + " blocks; a device takes 2147483647 by 65535 by 65535");
    const u64 most = std::min<u64>(limits.threads_per_cta, kMaxThreads);
    if (launch.block.z > 64)
        bad("a block " + std::to_string(launch.block.z) + " threads deep; a device takes 64");
    if (threads > most)
        bad("a block of " + std::to_string(threads) + " threads; the device takes " + std::to_string(most));
    if (k.decl.max_threads != 0 && threads > k.decl.max_threads)
        bad("a block of " + std::to_string(threads) + " threads; the kernel was compiled for at most " +
            std::to_string(k.decl.max_threads));
    if (launch.args.size() < k.decl.param_bytes)
        bad(std::to_string(launch.args.size()) + " bytes of arguments; it takes " +
            std::to_string(k.decl.param_bytes));
    if (shared_bytes > limits.shared_per_cta)
        bad(std::to_string(shared_bytes) + " bytes of shared memory a block; the device has " +
            std::to_string(limits.shared_per_cta));
    window = context.resident_ctas(k, launch.block, launch.dynamic_shared);
    if (window == 0)
        refuse(DeviceFault::Kind::out_of_resources, "an SM has no room for a block of " +
                                                        std::to_string(threads) + " threads with " +
                                                        std::to_string(k.registers) + " registers each");
    if (launch.cooperative && launch.grid.count() > window)
        bad("a cooperative launch of " + std::to_string(launch.grid.count()) + " blocks; the device keeps " +
            std::to_string(window) + " resident");
}

void Execution::Impl::prepare_functions() {
    rec_base.assign(code.functions.size(), 0);
    launch_areas.resize(code.functions.size());
    u32 names = 0;
    for (u32 f : code.functions[launch.kernel->function].reach) {
        const FunctionCode& fc = *code.functions[f].code;
        rec_base[f] = static_cast<u32>(static_insts.size());
        for (StaticInst s : fc.static_insts) {
            s.pc += u64{rec_base[f]} * 16;
            static_insts.push_back(s);
        }
        names = std::max(names, fc.registers + fc.predicates);
        interacts |= fc.interacts;
        spins |= fc.spins;
        fill_launch_area(f);
    }
    if (static_insts.size() >= 1u << 22)
        throw DeviceFault(DeviceFault::Kind::bad_launch,
                          "kernel '" + launch.kernel->decl.name + "' has too many instructions for a stream");
    info.register_names = names;
}

void Execution::Impl::fill_launch_area(u32 function) {
    const FunctionCode& fc = *code.functions[function].code;
    AlignedBytes& area = launch_areas[function];
    area.clear(fc.launch_values.size() * kSlotBytes);
    for (const LaunchValue& v : fc.launch_values) {
        u64 value = 0;
        switch (v.kind) {
            case LaunchValue::Kind::dynamic_shared:
                value = ceil_div(launch.kernel->static_shared_bytes, 16) * 16;
                break;
            case LaunchValue::Kind::special:
                switch (v.special) {
                    case ast::Special::ntid_x:
                        value = launch.block.x;
                        break;
                    case ast::Special::ntid_y:
                        value = launch.block.y;
                        break;
                    case ast::Special::ntid_z:
                        value = launch.block.z;
                        break;
                    case ast::Special::nctaid_x:
                        value = launch.grid.x;
                        break;
                    case ast::Special::nctaid_y:
                        value = launch.grid.y;
                        break;
                    case ast::Special::nctaid_z:
                        value = launch.grid.z;
                        break;
                    case ast::Special::nwarpid:
                        value = context.limits().threads_per_sm / kLanes;
                        break;
                    case ast::Special::nsmid:
                        value = context.limits().sms;
                        break;
                    case ast::Special::gridid:
                        value = launch.id;
                        break;
                    case ast::Special::dynamic_smem_size:
                        value = launch.dynamic_shared;
                        break;
                    case ast::Special::envreg:  // the cooperative workspace's address, in halves
                        value = v.offset == 1 ? workspace >> 32 : v.offset == 2 ? workspace : 0;
                        break;
                    default:
                        value = shared_bytes;
                }
                break;
            case LaunchValue::Kind::param: {
                const u32 bytes = type_bytes(v.type);
                if (u64{v.offset} + bytes > args.size()) break;  // a read past the parameters
                std::memcpy(&value, args.data() + v.offset, bytes);
                if (is_signed(v.type) && bytes < 8) {
                    const u32 up = 64 - 8 * bytes;
                    value = static_cast<u64>(static_cast<i64>(value << up) >> up);
                    if (v.half) value &= 0xffff;
                }
                break;
            }
        }
        splat(area.data() + v.slot, value, v.wide);
    }
}

void Execution::Impl::start_cta(CtaState& cta) {
    const Dim3 g = launch.grid;
    cta.linear = next_cta++;
    cta.index = {static_cast<u32>(cta.linear % g.x), static_cast<u32>(cta.linear / g.x % g.y),
                 static_cast<u32>(cta.linear / (u64{g.x} * g.y))};
    cta.shared_memory.clear(shared_bytes);
    cta.shared = cta.shared_memory.data();
    cta.shared_bytes = shared_bytes;
    for (Barrier& b : cta.barriers) b = Barrier{};
    const u32 count = info.warps_per_cta();
    cta.warps.resize(count);
    cta.running = count;
    if (sink != nullptr && cta.words == nullptr)
        cta.words = std::make_unique_for_overwrite<u32[]>(u64{count} * kChunkWords);
    for (u32 k = 0; k < count; ++k) start_warp(cta, cta.warps[k], k);
    if (sink != nullptr) sink->begin_cta(cta.linear, cta.index);
}

void Execution::Impl::start_warp(CtaState& cta, Warp& w, u32 index) {
    const FunctionCode& kernel = *code.functions[launch.kernel->function].code;
    const u32 threads = static_cast<u32>(launch.block.count()), first = index * kLanes;
    w.index = index;
    w.cta = &cta;
    w.machine = this;
    w.launched = threads - first >= kLanes ? ~0u : (1u << (threads - first)) - 1;
    w.live = w.launched;
    w.state = Warp::State::ready;
    w.clock = cta.clock;
    w.instructions = w.thread_instructions = 0;
    w.effects = 0;
    w.clock_reads = w.look_again = 0;
    w.last_wait = 0;
    w.has_edge = false;
    w.awaited.clear();
    w.unshared = 0;
    forget_loops(w);
    w.loop_branch = nullptr;
    const Dim3 block = launch.block;
    u32 x = first % block.x, y = first / block.x % block.y, z = first / (block.x * block.y);
    for (u32 lane = 0; lane < kLanes; ++lane) {
        w.tid[0][lane] = x;
        w.tid[1][lane] = y;
        w.tid[2][lane] = z;
        if (++x != block.x) continue;
        x = 0;
        if (++y != block.y) continue;
        y = 0;
        ++z;
    }
    w.out = w.out_begin = w.out_end = nullptr;
    if (sink != nullptr) {
        w.out = w.out_begin = cta.words.get() + u64{index} * kChunkWords;
        w.out_end = w.out_begin + kChunkWords;
    }
    w.frame_memory.clear(kernel.frame_bytes);
    w.local_bytes = kernel.local_bytes;
    w.local_memory.clear(u64{w.local_bytes} * kLanes);
    w.local = w.local_memory.data();
    // Each resident warp has a range of its own; CTAs that follow each other in a place share it.
    constexpr u64 kLocalRange = u64{1} << 25;
    const u64 slot = (cta.linear % window) * info.warps_per_cta() + index;
    w.local_stream = kLocalStreamBase + slot * kLocalRange;
    w.free_calls.clear();
    w.calls.assign(1, Activation{});
    w.calls[0].function = launch.kernel->function;
    w.calls[0].users = 1;
    Split all;
    all.mask = w.launched;
    w.splits.assign(1, all);
}

void Execution::Impl::flush(Warp& w) {
    if (w.out == w.out_begin || w.out == nullptr) return;
    sink->words(cta_of(w).linear, w.index, {w.out_begin, w.out});
    w.out = w.out_begin;
    for (SpinState& s : w.spins) s.mark = nullptr;
}

void Execution::Impl::finish_cta(CtaState& cta) {
    for (Warp& w : cta.warps) {
        if (sink != nullptr) flush(w);
        stats.warp_instructions += w.instructions;
        stats.thread_instructions += w.thread_instructions;
        cta.clock = std::max(cta.clock, w.clock);
    }
    latest_clock = std::max(latest_clock, cta.clock);
    if (sink != nullptr) sink->end_cta(cta.linear);
}

/// Each warp of the CTA that can run gets its share; waiting ones look whether they can go on.
u64 Execution::Impl::turn(CtaState& cta) {
    u64 ran = 0;
    const u64 most = quantum * cta.warps.size();
    for (bool any = true; any && ran < most && cta.running != 0;) {
        any = false;
        for (Warp& w : cta.warps) {
            if (w.state == Warp::State::parked) {
                if (w.look_again != 0 && w.look_again <= now) {
                    w.clock = std::max(w.clock, now);
                    wake(w);
                } else if (awaited_changed(w)) {
                    wake(w);
                }
            }
            if (w.state != Warp::State::ready) continue;
            any = true;
            const u64 operations = run_warp(w, quantum);
            ran += operations;
            now = std::max(now, w.clock);
            if (!spins || w.splits.size() == 1 || w.state != Warp::State::ready) continue;
            w.unshared += operations;
            if (w.unshared >= (w.awaited.empty() ? kPatience : kPatienceWithWaiting)) give_way(w);
        }
    }
    stats.executed_operations += ran;
    return ran;
}

bool Execution::Impl::advance() {
    if (ended) return false;
    if (!started) {
        started = true;
        if (sink != nullptr) sink->begin_kernel(info, static_insts);
        // CTAs that don't look at each other need no company: a short window keeps their state in the caches.
        const u64 first = quantum == kFineQuantum ? std::min(window, launch.grid.count()) : 1;
        while (resident.size() < first) {
            resident.push_back(&ctas.emplace_back());
            resident.back()->clock = context.clock;
            start_cta(*resident.back());
        }
    }
    u64 ran = 0;
    const u64 total = launch.grid.count();
    std::size_t kept = 0;
    bool unfinished = false;
    for (std::size_t k = 0; k < resident.size(); ++k) {
        CtaState& cta = *resident[k];
        ran += turn(cta);
        if (cta.running == 0) {
            finish_cta(cta);
            if (next_cta == total) continue;
            start_cta(cta);
            ++ran;
        } else {
            unfinished = true;
        }
        resident[kept++] = &cta;
    }
    resident.resize(kept);
    if (unfinished && resident.size() < window && next_cta < total) {
        resident.push_back(&ctas.emplace_back());
        resident.back()->clock = context.clock;
        start_cta(*resident.back());
        ++ran;
    }
    if (resident.empty()) {
        ended = true;
        context.clock = std::max(context.clock, latest_clock);
        if (sink != nullptr) sink->end_kernel();
        return false;
    }
    if (ran == 0 && !pass_time()) no_progress();
    return true;
}

}  // namespace heddle::ptx
