#pragma once
// Runs PTX text in tests: a context, buffers, launches, and the stream that a launch leaves.

#include <cstring>
#include <map>
#include <string>
#include <vector>

#include "ptx/launch.h"

namespace heddle::ptx::test {

/// Keeps a launch's stream as CTAs that cursors can read.
class StreamKeeper final : public KernelSink {
  public:
    void begin_kernel(const KernelInfo& kernel, const std::vector<StaticInst>& insts) override {
        info = kernel;
        static_insts = insts;
    }
    void begin_cta(u64 cta, Dim3 index) override {
        order.push_back(cta);
        indices[cta] = index;
        warps[cta].resize(info.warps_per_cta());
    }
    void words(u64 cta, u32 warp, std::span<const u32> words) override {
        auto& to = warps[cta][warp];
        to.insert(to.end(), words.begin(), words.end());
    }
    void end_cta(u64 cta) override { ended.push_back(cta); }
    void end_kernel() override { complete = true; }

    /// Visits a warp's instructions: visit(const StaticInst&, const DynInst&).
    template <class Visit>
    void each(u64 cta, u32 warp, Visit visit) const {
        const u64 first = u64{warp} * 32, threads = info.block.count();
        const u64 lanes = threads - first < 32 ? threads - first : 32;
        const auto& w = warps.at(cta)[warp];
        WarpCursor cursor(w.data(), w.data() + w.size(), (u64{1} << lanes) - 1, false, nullptr, warp);
        DynInst inst;
        while (cursor.next(inst)) visit(static_insts[inst.static_index], inst);
    }
    u64 count(OpClass op) const {
        u64 n = 0;
        for (const auto& [cta, list] : warps)
            for (u32 w = 0; w < list.size(); ++w)
                each(cta, w, [&](const StaticInst& s, const DynInst&) { n += s.op == op; });
        return n;
    }

    KernelInfo info;
    std::vector<StaticInst> static_insts;
    std::map<u64, std::vector<std::vector<u32>>> warps;
    std::map<u64, Dim3> indices;
    std::vector<u64> order, ended;
    bool complete = false;
};

/// A kernel's argument bytes, by value in order (each aligned to its size).
template <class... Args>
std::vector<std::byte> pack_arguments(const Args&... args) {
    std::vector<std::byte> bytes;
    auto one = [&](const auto& a) {
        const std::size_t at = (bytes.size() + sizeof a - 1) / sizeof a * sizeof a;
        bytes.resize(at + sizeof a);
        std::memcpy(bytes.data() + at, &a, sizeof a);
    };
    (one(args), ...);
    return bytes;
}

class Device {
  public:
    explicit Device(const std::string& text, const DeviceLimits& limits = {}) : context(limits) {
        context.print = [this](std::string_view s) { printed += s; };
        program = context.load({Module::parse(text, "test.ptx")});
    }

    template <class T>
    u64 upload(const std::vector<T>& values) {
        const u64 at = context.memory().allocate(MemoryKind::device, values.size() * sizeof(T));
        std::memcpy(reinterpret_cast<void*>(at), values.data(), values.size() * sizeof(T));
        return at;
    }
    template <class T>
    std::vector<T> download(u64 address, std::size_t n) const {
        std::vector<T> values(n);
        std::memcpy(values.data(), reinterpret_cast<const void*>(address), n * sizeof(T));
        return values;
    }

    template <class... Args>
    ExecutionStats run(const char* kernel, Dim3 grid, Dim3 block, const Args&... args) {
        Launch launch;
        launch.kernel = program->kernel(kernel);
        launch.grid = grid;
        launch.block = block;
        launch.dynamic_shared = dynamic_shared;
        launch.cooperative = cooperative;
        launch.args = pack_arguments(args...);
        stream = StreamKeeper();
        Execution execution(context, launch, &stream);
        execution.run();
        return execution.stats();
    }

    Context context;
    std::shared_ptr<Program> program;
    StreamKeeper stream;
    std::string printed;
    u32 dynamic_shared = 0;
    bool cooperative = false;
};

/// The usual head of a module.
inline std::string module_text(const std::string& body) {
    return ".version 8.0\n.target sm_75\n.address_size 64\n" + body;
}

}  // namespace heddle::ptx::test
