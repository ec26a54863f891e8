#pragma once
// One kernel trace as a KernelStream: CTAs in the file's order, each read when the machine asks for it.
//
// Everything that a damaged trace can hold is an InputError naming file and line: a missing or extra CTA,
// warp or instruction, a repeated CTA, a warp that does not end with EXIT, text that is not an instruction.

#include <memory>
#include <string>
#include <unordered_set>
#include <vector>

#include "trace/accelsim/addresses.h"
#include "trace/accelsim/header.h"
#include "trace/accelsim/line_cache.h"
#include "trace/input/line_reader.h"
#include "trace/spill.h"
#include "trace/stream.h"

namespace heddle::accelsim {

struct ReaderOptions {
    /// A CTA with more words than this goes to a temporary file.
    u64 max_cta_words = u64{2} << 20;
};

class KernelReader final : public KernelStream {
  public:
    /// Reads the header; the body is opened when the first CTA is asked for, so a kernel that waits, or is
    /// not wanted, holds no file.
    explicit KernelReader(const std::string& path, ReaderOptions options = {});

    const KernelInfo& info() const override { return header_.kernel; }
    const std::vector<StaticInst>& static_insts() const override { return static_insts_; }
    std::unique_ptr<CtaStream> make_cta() override { return std::make_unique<SpillCta>(); }
    bool next_cta(CtaStream& out) override;
    std::vector<std::pair<std::string, u64>> unknown_opcodes() const override;
    std::vector<std::string> warnings() const override { return header_.warnings; }

  private:
    void open_body();
    void check_end();
    void read_block(CtaStream& out);
    void read_warp(CtaStream& out, u32 warp);
    void read_insts(CtaStream& out, u64 count, u64 done, u64 total, u32 full);
    void claim(Dim3 index);
    // Out of line: plain instructions, of which most traces have most, keep the registers.
    [[gnu::noinline]] bool second_side(u32 previous, u32 index, u32 mask) const;
    [[gnu::noinline]] const char* read_addresses(const char* p, u32 mask, u64 line_number);
    /// Puts the addresses that have been read where the access goes, and gives its static instruction.
    u32 place_access(const Line& line, u32 index, u32 mask);
    [[gnu::noinline]] void to_shared();
    [[gnu::noinline]] void to_local(u32 mask, u32 access_bytes);
    [[gnu::noinline]] void make_room(CtaStream& out, u64 words);
    void spill(CtaStream& out);
    [[noreturn]] void fail_prefix(u64 line_number);
    [[noreturn]] void fail_missing(u64 line_number, u64 done, u64 total, bool at_end);

    std::string path_;
    ReaderOptions options_;
    Header header_;
    std::vector<StaticInst> static_insts_;
    LineCache cache_;
    std::unique_ptr<LineReader> in_;
    Accesses accesses_;
    std::string prefix_;  // "bx by bz warp " of old versions

    // The CTA being read: words [0, used_) of its vector, and those in its temporary file before them.
    u64 used_ = 0, spilled_ = 0;
    std::vector<std::pair<u64, u64>> positions_;  // of each warp
    u64 local_slot_ = 0;
    u32 previous_ = 0;           // line of the instruction before
    bool copy_dropped_ = false;  // the instruction before was the second listing of an LDGSTS

    u64 ctas_read_ = 0;
    u64 in_order_ = 0;                      // CTAs below this number were all read
    std::unordered_set<u64> out_of_order_;  // those read before their turn
};

}  // namespace heddle::accelsim
