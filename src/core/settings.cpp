#include "core/settings.h"

namespace heddle {

using config::Schema;
using config::Unit;

WarpSchedulerPoint& warp_schedulers() {
    static WarpSchedulerPoint point("warp scheduler");
    return point;
}

const Schema<OpSettings>& OpSettings::schema() {
    static const auto s =
        Schema<OpSettings>("op", "how a class of operations executes")
            .one_of("pipe", &OpSettings::pipe,
                    {{"alu", Pipe::alu},
                     {"integer", Pipe::integer},
                     {"fp32", Pipe::fp32},
                     {"fp64", Pipe::fp64},
                     {"sfu", Pipe::sfu},
                     {"tensor", Pipe::tensor},
                     {"branch", Pipe::branch}},
                    {.def = "alu", .about = "execution pipe"})
            .key("latency", &OpSettings::latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "4",
                  .min = "1",
                  .max = "100000",
                  .about = "from issue to the issue of an instruction that uses the result"})
            .key("interval", &OpSettings::interval,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1",
                  .min = "1",
                  .max = "100000",
                  .about = "initiation interval: cycles for which the pipe accepts nothing else"});
    return s;
}

const OpSettings& OpsSettings::of(OpClass op) const {
    switch (op) {
        case OpClass::int_add:
            return int_add;
        case OpClass::int_mul:
            return int_mul;
        case OpClass::int_mad:
            return int_mad;
        case OpClass::int_div:
            return int_div;
        case OpClass::fp32_add:
            return fp32_add;
        case OpClass::fp32_mul:
            return fp32_mul;
        case OpClass::fp32_mad:
            return fp32_mad;
        case OpClass::fp32_div:
            return fp32_div;
        case OpClass::fp64:
            return fp64;
        case OpClass::sfu:
            return sfu;
        case OpClass::tensor:
            return tensor;
        case OpClass::branch:
            return branch;
        case OpClass::texture:
            return texture;
        default:
            return other;
    }
}

const Schema<OpsSettings>& OpsSettings::schema() {
    using O = OpsSettings;
    const auto& op = OpSettings::schema();
    static const auto s = Schema<O>("ops", "operation classes")
                              .section("int_add", &O::int_add, op)
                              .section("int_mul", &O::int_mul, op)
                              .section("int_mad", &O::int_mad, op)
                              .section("int_div", &O::int_div, op)
                              .section("fp32_add", &O::fp32_add, op)
                              .section("fp32_mul", &O::fp32_mul, op)
                              .section("fp32_mad", &O::fp32_mad, op)
                              .section("fp32_div", &O::fp32_div, op)
                              .section("fp64", &O::fp64, op)
                              .section("sfu", &O::sfu, op)
                              .section("tensor", &O::tensor, op)
                              .section("branch", &O::branch, op)
                              .section("texture", &O::texture, op)
                              .section("other", &O::other, op);
    return s;
}

bool SharedPipes::of(Pipe pipe) const {
    switch (pipe) {
        case Pipe::alu:
            return alu;
        case Pipe::integer:
            return integer;
        case Pipe::fp32:
            return fp32;
        case Pipe::fp64:
            return fp64;
        case Pipe::sfu:
            return sfu;
        case Pipe::tensor:
            return tensor;
        case Pipe::branch:
            return branch;
        default:
            return true;
    }
}

const Schema<SharedPipes>& SharedPipes::schema() {
    using P = SharedPipes;
    constexpr const char* about = "true: one pipe of this kind for the whole SM; false: one per scheduler";
    static const auto s = Schema<P>("shared_pipes", "which execution pipes the schedulers of an SM share")
                              .key("alu", &P::alu, {.def = "false", .about = about})
                              .key("integer", &P::integer, {.def = "false", .about = about})
                              .key("fp32", &P::fp32, {.def = "false", .about = about})
                              .key("fp64", &P::fp64, {.def = "false", .about = about})
                              .key("sfu", &P::sfu, {.def = "false", .about = about})
                              .key("tensor", &P::tensor, {.def = "false", .about = about})
                              .key("branch", &P::branch, {.def = "false", .about = about});
    return s;
}

const Schema<SharedMemorySettings>& SharedMemorySettings::schema() {
    using S = SharedMemorySettings;
    static const auto s =
        Schema<S>("shared_memory", "shared memory of an SM")
            .key("size", &S::size_bytes,
                 {.unit = Unit::bytes, .def = "48KiB", .max = "1MiB", .about = "capacity per SM"})
            .key("latency", &S::latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "24",
                  .min = "1",
                  .max = "10000",
                  .about = "load-to-use latency of a conflict-free access"})
            .key("cycles_per_pass", &S::cycles_per_pass,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "1",
                  .min = "1",
                  .max = "64",
                  .about = "for each further pass that a bank conflict needs; also delays the next access"})
            .key(
                "banks", &S::banks,
                {.def = "32", .min = "1", .max = "64", .power_of_two = true, .about = "banks, 4 bytes wide"});
    return s;
}

const Schema<LsuSettings>& LsuSettings::schema() {
    using S = LsuSettings;
    static const auto s =
        Schema<S>("lsu", "load/store unit of an SM")
            .key("queue", &S::queue,
                 {.def = "8",
                  .min = "1",
                  .max = "1024",
                  .about = "memory instructions that may wait or be in progress"})
            .key(
                "lines_per_cycle", &S::lines_per_cycle,
                {.def = "1", .min = "1", .max = "8", .about = "128-byte lines that it sends to L1 per cycle"})
            .key("constant_latency", &S::constant_latency,
                 {.unit = Unit::cycles,
                  .clock = "core",
                  .def = "8",
                  .min = "1",
                  .max = "10000",
                  .about = "load from constant memory, or texture fetch of a CUDA program (always hits)"})
            .key("perfect_coalescing", &S::perfect_coalescing,
                 {.def = "false",
                  .about = "ideal: every load touches only one line, that of its first lane",
                  .source = "Chatterjee et al., SC 2014"})
            .key("divergence", &S::divergence,
                 {.def = "false",
                  .about = "count what each load touches in DRAM, and when its first and last data arrive",
                  .source = "Chatterjee et al., SC 2014"});
    return s;
}

const Schema<SmSettings>& SmSettings::schema() {
    using S = SmSettings;
    static const auto s =
        Schema<S>("sm", "one streaming multiprocessor")
            .key("threads", &S::threads,
                 {.def = "1536", .min = "32", .max = "4096", .about = "resident threads"})
            .key("warps", &S::warps, {.def = "48", .min = "1", .max = "64", .about = "resident warps"})
            .key("ctas", &S::ctas, {.def = "8", .min = "1", .max = "64", .about = "resident CTAs"})
            .key("registers", &S::registers,
                 {.def = "32768", .min = "1024", .max = "1048576", .about = "32-bit registers"})
            .key("register_granule", &S::register_granule,
                 {.def = "256",
                  .min = "1",
                  .max = "4096",
                  .about = "a warp's registers are allocated in multiples of this number"})
            .key("schedulers", &S::schedulers,
                 {.def = "2",
                  .min = "1",
                  .max = "4",
                  .about = "warp schedulers; warp slot w belongs to scheduler w mod schedulers"})
            .choice("warp_scheduler", &S::warp_scheduler, warp_schedulers(),
                    {.def = "gto", .about = "which ready warp issues"})
            .key("unified", &S::unified_bytes,
                 {.unit = Unit::bytes,
                  .def = "0B",
                  .max = "1MiB",
                  .about = "array that L1 and shared memory share: L1 gets what the kernel's carve-out "
                           "leaves; 0: separate arrays"})
            .key("carveouts", &S::carveouts,
                 {.unit = Unit::bytes,
                  .def = "[]",
                  .about = "sizes that shared memory can take from the unified array; the smallest that "
                           "holds the resident CTAs is used"})
            .section("ops", &S::ops, OpsSettings::schema())
            .section("shared_pipes", &S::shared_pipes, SharedPipes::schema())
            .section("shared_memory", &S::shared_memory, SharedMemorySettings::schema())
            .section("lsu", &S::lsu, LsuSettings::schema());
    return s;
}

}  // namespace heddle
