#pragma once
// Everything that a stream gives, as plain values that compare; and files for a test's time.

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <unistd.h>

#include "sim/error.h"
#include "trace/stream.h"

namespace heddle::test {

/// A folder that is removed with the test.
class Folder {
  public:
    Folder() {
        std::string path = (std::filesystem::temp_directory_path() / "heddle-test-XXXXXX").string();
        path_ = ::mkdtemp(path.data());
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() { std::filesystem::remove_all(path_); }

    std::string path(const std::string& name) const { return (path_ / name).string(); }
    std::string write(const std::string& name, const std::string& content) const {
        std::ofstream(path(name), std::ios::binary) << content;
        return path(name);
    }

  private:
    std::filesystem::path path_;
};

struct DumpInst {
    u32 static_index = 0;
    u64 mask = 0;
    AddressForm form = AddressForm::none;
    i64 edge = -1;
    std::vector<u64> addresses;
    friend bool operator==(const DumpInst&, const DumpInst&) = default;
};

struct DumpCta {
    Dim3 index;
    std::vector<std::vector<DumpInst>> warps;
    friend bool operator==(const DumpCta&, const DumpCta&) = default;
};

inline DumpCta dump(CtaStream& cta, const KernelInfo& info) {
    DumpCta out{cta.index, {}};
    for (u32 w = 0; w < cta.ranges.size(); ++w) {
        auto& warp = out.warps.emplace_back();
        WarpCursor cursor = cta.cursor(w, info);
        for (DynInst inst; cursor.next(inst);) {
            DumpInst& d = warp.emplace_back();
            d = {inst.static_index, inst.mask, inst.form, inst.has_edge ? i64{inst.edge} : -1, {}};
            for_each_address(inst, [&](int, u64 address) { d.addresses.push_back(address); });
        }
    }
    return out;
}

struct DumpKernel {
    KernelInfo info;
    std::vector<StaticInst> static_insts;
    std::vector<DumpCta> ctas;
    std::vector<std::vector<u32>> words;  // of CTAs that are held whole
    std::vector<std::pair<std::string, u64>> unknown;
    std::vector<std::string> warnings;
};

inline DumpKernel dump(KernelStream& kernel) {
    DumpKernel out;
    auto cta = kernel.make_cta();
    while (kernel.next_cta(*cta)) {
        out.ctas.push_back(dump(*cta, kernel.info()));
        out.words.push_back(cta->words);
    }
    out.info = kernel.info();
    out.static_insts = kernel.static_insts();
    out.unknown = kernel.unknown_opcodes();
    out.warnings = kernel.warnings();
    return out;
}

/// The kernels of a program, in order.
inline std::vector<DumpKernel> dump_kernels(StreamSource& source) {
    std::vector<DumpKernel> out;
    for (ProgramEvent event; source.next(event);)
        if (auto* launch = std::get_if<LaunchEvent>(&event)) out.push_back(dump(*launch->kernel));
    return out;
}

/// The message of the InputError that `act` throws; empty if it throws none.
template <class Act>
std::string input_error(Act act) {
    try {
        act();
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

}  // namespace heddle::test
