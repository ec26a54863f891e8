#include "ptx/device_runtime.h"

#include <array>
#include <set>
#include <string>
#include <string_view>

#include "ptx/code.h"

namespace heddle::ptx {

namespace {

/// A function: its result ("" for none), its parameters and its body. Bodies write $ for the function's name.
struct RuntimeFunction {
    std::string_view name, parameters, body;
    std::string_view result = "b32";
};

/// What is called and has no effect of its own, as all launches of a block run in their order.
constexpr std::string_view kSucceed = "st.param.b32 [r], 0; ret;";
/// cudaErrorNotSupported.
constexpr std::string_view kNotSupported = "st.param.b32 [r], 801; ret;";
/// Handles and numbers that are 0.
constexpr std::string_view kWriteWide = "ld.param.b64 %d, [a]; st.b64 [%d], 0; st.param.b32 [r], 0; ret;";
constexpr std::string_view kWriteZero = "ld.param.b64 %d, [a]; st.b32 [%d], 0; st.param.b32 [r], 0; ret;";

// A launch's record (DeviceLaunchRecord) fills the first 56 bytes of a buffer, the parameters follow at 64.
constexpr std::string_view kBufferFor =
    "ld.param.b64 %d, [f];\n"
    "call (%n), __heddle_parameter_bytes, (%d);\n"
    "add.u64 %q, %n, 64;\n"
    "call (%p), malloc, (%q);\n"
    "setp.eq.u64 %t, %p, 0;\n"
    "@%t bra none;\n"
    "st.b64 [%p], %d;\n"
    "cvt.u32.u64 %w, %n; st.b32 [%p+16], %w;\n"
    "ld.param.b32 %w, [g]; st.b32 [%p+20], %w;\n"
    "ld.param.b32 %w, [g+4]; st.b32 [%p+24], %w;\n"
    "ld.param.b32 %w, [g+8]; st.b32 [%p+28], %w;\n"
    "ld.param.b32 %w, [c]; st.b32 [%p+32], %w;\n"
    "ld.param.b32 %w, [c+4]; st.b32 [%p+36], %w;\n"
    "ld.param.b32 %w, [c+8]; st.b32 [%p+40], %w;\n"
    "ld.param.b32 %w, [s]; st.b32 [%p+44], %w;\n"
    "add.u64 %p, %p, 64;\n"
    "st.b64 [%p+-56], %p;\n"
    "none: st.param.b64 [r], %p; ret;";
constexpr std::string_view kLaunchBuffer =
    "ld.param.b64 %p, [a];\n"
    "setp.eq.u64 %t, %p, 0;\n"
    "@%t bra none;\n"
    "ld.param.b64 %d, [b]; st.b64 [%p+-16], %d;\n"
    "sub.u64 %p, %p, 64;\n"
    "call (%w), __heddle_launch, (%p);\n"
    "call free, (%p);\n"
    "st.param.b32 [r], %w; ret;\n"
    "none: st.param.b32 [r], 1; ret;";  // cudaErrorInvalidValue
constexpr std::string_view kBufferOf =
    "ld.param.b64 %n, [b]; call (%p), malloc, (%n); st.param.b64 [r], %p; ret;";
constexpr std::string_view kLaunchParts =
    ".local .align 8 .b8 record[56];\n"
    "ld.param.b64 %d, [f]; st.local.b64 [record], %d;\n"
    "call (%n), __heddle_parameter_bytes, (%d);\n"
    "cvt.u32.u64 %w, %n; st.local.b32 [record+16], %w;\n"
    "ld.param.b64 %p, [a]; st.local.b64 [record+8], %p;\n"
    "ld.param.b32 %w, [g]; st.local.b32 [record+20], %w;\n"
    "ld.param.b32 %w, [g+4]; st.local.b32 [record+24], %w;\n"
    "ld.param.b32 %w, [g+8]; st.local.b32 [record+28], %w;\n"
    "ld.param.b32 %w, [c]; st.local.b32 [record+32], %w;\n"
    "ld.param.b32 %w, [c+4]; st.local.b32 [record+36], %w;\n"
    "ld.param.b32 %w, [c+8]; st.local.b32 [record+40], %w;\n"
    "ld.param.b32 %w, [s]; st.local.b32 [record+44], %w;\n"
    "ld.param.b64 %q, [b]; st.local.b64 [record+48], %q;\n"
    "mov.u64 %q, record; cvta.local.u64 %q, %q;\n"
    "call (%w), __heddle_launch, (%q);\n"
    "call free, (%p);\n"
    "st.param.b32 [r], %w; ret;";

// Copies and fills come after what the block has launched.
constexpr std::string_view kCopy =
    "ld.param.b64 %p, [a]; ld.param.b64 %q, [b]; ld.param.b64 %n, [n];\n"
    "call (%w), __heddle_wait;\n"
    "byte: setp.eq.u64 %t, %n, 0;\n"
    "@%t bra end;\n"
    "ld.u8 %w, [%q]; st.u8 [%p], %w;\n"
    "add.u64 %p, %p, 1; add.u64 %q, %q, 1; sub.u64 %n, %n, 1;\n"
    "bra byte;\n"
    "end: st.param.b32 [r], 0; ret;";
constexpr std::string_view kCopyRows =
    "ld.param.b64 %p, [a]; ld.param.b64 %q, [b]; ld.param.b64 %h, [h];\n"
    "ld.param.b64 %x, [x]; ld.param.b64 %y, [y];\n"
    "call (%w), __heddle_wait;\n"
    "row: setp.eq.u64 %t, %h, 0;\n"
    "@%t bra end;\n"
    "ld.param.b64 %n, [n];\n"
    "byte: setp.eq.u64 %t, %n, 0;\n"
    "@%t bra next;\n"
    "sub.u64 %n, %n, 1;\n"
    "add.u64 %d, %q, %n; ld.u8 %w, [%d]; add.u64 %d, %p, %n; st.u8 [%d], %w;\n"
    "bra byte;\n"
    "next: add.u64 %p, %p, %x; add.u64 %q, %q, %y; sub.u64 %h, %h, 1;\n"
    "bra row;\n"
    "end: st.param.b32 [r], 0; ret;";
constexpr std::string_view kFill =
    "ld.param.b64 %p, [a]; ld.param.b32 %w, [v]; ld.param.b64 %n, [n];\n"
    "call (%u), __heddle_wait;\n"
    "byte: setp.eq.u64 %t, %n, 0;\n"
    "@%t bra end;\n"
    "st.u8 [%p], %w; add.u64 %p, %p, 1; sub.u64 %n, %n, 1;\n"
    "bra byte;\n"
    "end: st.param.b32 [r], 0; ret;";
constexpr std::string_view kFillRows =
    "ld.param.b64 %p, [a]; ld.param.b32 %w, [v]; ld.param.b64 %h, [h]; ld.param.b64 %x, [x];\n"
    "call (%u), __heddle_wait;\n"
    "row: setp.eq.u64 %t, %h, 0;\n"
    "@%t bra end;\n"
    "ld.param.b64 %n, [n];\n"
    "byte: setp.eq.u64 %t, %n, 0;\n"
    "@%t bra next;\n"
    "sub.u64 %n, %n, 1; add.u64 %d, %p, %n; st.u8 [%d], %w;\n"
    "bra byte;\n"
    "next: add.u64 %p, %p, %x; sub.u64 %h, %h, 1;\n"
    "bra row;\n"
    "end: st.param.b32 [r], 0; ret;";
constexpr std::string_view kAllocate =
    "ld.param.b64 %d, [a]; ld.param.b64 %n, [b];\n"
    "call (%p), malloc, (%n);\n"
    "st.b64 [%d], %p;\n"
    "setp.eq.u64 %t, %p, 0;\n"
    "selp.b32 %w, 2, 0, %t;\n"  // cudaErrorMemoryAllocation
    "st.param.b32 [r], %w; ret;";

constexpr std::string_view kWide = ".param .b64 a", kWideWide = ".param .b64 a, .param .b64 b",
                           kWideWord = ".param .b64 a, .param .b32 w",
                           kWideWideWord = ".param .b64 a, .param .b64 b, .param .b32 w";

constexpr std::array kFunctions{
    RuntimeFunction{"GetParameterBufferV2",
                    ".param .b64 f, .param .align 4 .b8 g[12], .param .align 4 .b8 c[12], .param .b32 s",
                    kBufferFor, "b64"},
    RuntimeFunction{"LaunchDeviceV2", kWideWide, kLaunchBuffer},
    RuntimeFunction{"GetParameterBuffer", kWideWide, kBufferOf, "b64"},
    RuntimeFunction{
        "LaunchDevice",
        ".param .b64 f, .param .b64 a, .param .align 4 .b8 g[12], .param .align 4 .b8 c[12], .param .b32 s, "
        ".param .b64 b",
        kLaunchParts},
    RuntimeFunction{"DeviceSynchronize", "", "call (%w), __heddle_wait; st.param.b32 [r], %w; ret;"},
    RuntimeFunction{"GetLastError", "", kSucceed},
    RuntimeFunction{"PeekAtLastError", "", kSucceed},
    RuntimeFunction{"GetErrorString", ".param .b32 w",
                    "mov.u64 %p, $_text; cvta.global.u64 %p, %p; st.param.b64 [r], %p; ret;", "b64"},
    RuntimeFunction{"GetErrorName", ".param .b32 w",
                    "mov.u64 %p, $_text; cvta.global.u64 %p, %p; st.param.b64 [r], %p; ret;", "b64"},
    RuntimeFunction{"GetDevice", kWide, kWriteZero},
    RuntimeFunction{"GetDeviceCount", kWide,
                    "ld.param.b64 %d, [a]; st.b32 [%d], 1; st.param.b32 [r], 0; ret;"},
    RuntimeFunction{"RuntimeGetVersion", kWide,
                    "ld.param.b64 %d, [a]; st.b32 [%d], 13000; st.param.b32 [r], 0; ret;"},
    RuntimeFunction{"DeviceGetCacheConfig", kWide, kWriteZero},
    RuntimeFunction{"DeviceGetSharedMemConfig", kWide, kWriteZero},
    RuntimeFunction{"StreamCreateWithFlags", kWideWord, kWriteWide},
    RuntimeFunction{"StreamDestroy", kWide, kSucceed},
    RuntimeFunction{"StreamWaitEvent", kWideWideWord, kSucceed},
    RuntimeFunction{"EventCreateWithFlags", kWideWord, kWriteWide},
    RuntimeFunction{"EventRecord", kWideWide, kSucceed},
    RuntimeFunction{"EventRecordWithFlags", kWideWideWord, kSucceed},
    RuntimeFunction{"EventDestroy", kWide, kSucceed},
    RuntimeFunction{"Malloc", kWideWide, kAllocate},
    RuntimeFunction{"Free", kWide, "ld.param.b64 %p, [a]; call free, (%p); st.param.b32 [r], 0; ret;"},
    RuntimeFunction{"MemcpyAsync",
                    ".param .b64 a, .param .b64 b, .param .b64 n, .param .b32 k, .param .b64 s", kCopy},
    RuntimeFunction{"Memcpy2DAsync",
                    ".param .b64 a, .param .b64 x, .param .b64 b, .param .b64 y, .param .b64 n, .param .b64 "
                    "h, .param .b32 k, "
                    ".param .b64 s",
                    kCopyRows},
    RuntimeFunction{"MemsetAsync", ".param .b64 a, .param .b32 v, .param .b64 n, .param .b64 s", kFill},
    RuntimeFunction{
        "Memset2DAsync",
        ".param .b64 a, .param .b64 x, .param .b32 v, .param .b64 n, .param .b64 h, .param .b64 s",
        kFillRows},
    RuntimeFunction{"Memcpy3DAsync", kWideWide, kNotSupported},
    RuntimeFunction{"Memset3DAsync",
                    ".param .align 8 .b8 a[32], .param .b32 v, .param .align 8 .b8 e[24], .param .b64 s",
                    kNotSupported},
    RuntimeFunction{"DeviceGetAttribute", ".param .b64 a, .param .b32 v, .param .b32 w", kNotSupported},
    RuntimeFunction{"DeviceGetLimit", kWideWord, kNotSupported},
    RuntimeFunction{"FuncGetAttributes", kWideWide, kNotSupported},
    RuntimeFunction{"OccupancyMaxActiveBlocksPerMultiprocessor",
                    ".param .b64 a, .param .b64 f, .param .b32 w, .param .b64 s", kNotSupported},
    RuntimeFunction{"OccupancyMaxActiveBlocksPerMultiprocessorWithFlags",
                    ".param .b64 a, .param .b64 f, .param .b32 w, .param .b64 s, .param .b32 v",
                    kNotSupported},
};

constexpr std::string_view kHead =
    ".version 7.0\n.target sm_50\n.address_size 64\n"
    ".extern .func (.param .b32 r) __heddle_launch(.param .b64 a);\n"
    ".extern .func (.param .b32 r) __heddle_wait();\n"
    ".extern .func (.param .b64 r) __heddle_parameter_bytes(.param .b64 a);\n"
    ".extern .func (.param .b64 r) malloc(.param .b64 a);\n"
    ".extern .func free(.param .b64 a);\n";

const RuntimeFunction* find_runtime_function(std::string_view name) {
    constexpr std::string_view suffix = "_ptsz";
    if (name.ends_with(suffix)) name.remove_suffix(suffix.size());
    for (const std::string_view prefix : {"__cudaCDP2", "cuda"}) {
        if (!name.starts_with(prefix)) continue;
        for (const RuntimeFunction& f : kFunctions)
            if (f.name == name.substr(prefix.size())) return &f;
    }
    return nullptr;
}

/// "no error" where an error's text is asked for: there is none that the device would tell of.
void append_function(std::string& text, const std::string& name, const RuntimeFunction& f) {
    std::string body(f.body);
    if (const std::size_t at = body.find('$'); at != std::string::npos) {
        body.replace(at, 1, name);
        text += ".global .align 1 .b8 " + name + "_text[9] = {110, 111, 32, 101, 114, 114, 111, 114, 0};\n";
    }
    text +=
        ".visible .func (.param ." + std::string(f.result) + " r) " + name + "(" + std::string(f.parameters) +
        ")\n{\n.reg .b64 %d, %n, %p, %q, %h, %x, %y;\n.reg .b32 %w, %u;\n.reg .pred %t;\n" + body + "\n}\n";
}

}  // namespace

bool in_device_runtime(std::string_view name) {
    return find_runtime_function(name) != nullptr;
}

std::shared_ptr<const Module> device_runtime(const std::vector<std::shared_ptr<const Module>>& modules) {
    std::set<std::string> called, defined;
    for (const auto& module : modules)
        for (const FunctionCode& f : module->functions()) {
            defined.insert(f.name);
            for (const CallSite& site : f.calls) called.insert(site.callee);
        }
    std::string text(kHead);
    for (const std::string& name : called)
        if (const RuntimeFunction* f = find_runtime_function(name); f != nullptr && !defined.contains(name))
            append_function(text, name, *f);
    if (text.size() == kHead.size()) return nullptr;
    return Module::parse(text, "device runtime");
}

}  // namespace heddle::ptx
