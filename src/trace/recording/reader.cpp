// Replaying a recording.

#include <algorithm>
#include <cstring>
#include <fstream>

#include "trace/recording.h"
#include "trace/recording/cta_block.h"
#include "trace/recording/facts.h"
#include "trace/recording/file.h"

namespace heddle {
namespace {

using namespace recording;

using Table = std::shared_ptr<const std::vector<StaticInst>>;

/// A recording's file, and the tables of static instructions that were read last: a kernel is often launched many times.
class Blocks {
  public:
    explicit Blocks(const std::string& path) : file(path) {}

    Table table(u64 block) {
        const auto known = std::find_if(tables_.begin(), tables_.end(),
                                        [block](const auto& entry) { return entry.first == block; });
        if (known != tables_.end()) {
            std::rotate(tables_.begin(), known, known + 1);
            return tables_.front().second;
        }
        const Bytes payload = file.read(block, BlockType::table);
        Table table = file.in_block(block, [&] {
            ByteReader in(payload);
            auto read = std::make_shared<const std::vector<StaticInst>>(get_static_insts(in));
            if (in.left() != 0) ByteReader::damaged();
            return read;
        });
        if (tables_.size() == kKept) tables_.pop_back();
        tables_.emplace(tables_.begin(), block, table);
        return table;
    }

    const FileReader file;

  private:
    static constexpr std::size_t kKept = 64;
    std::vector<std::pair<u64, Table>> tables_;  // the one used last first
};

struct KernelFacts {
    KernelInfo info;
    Table table;
    std::vector<std::pair<std::string, u64>> unknown;
    std::vector<std::string> warnings;
    std::vector<u64> cta_blocks;
};

KernelFacts read_kernel(Blocks& blocks, u64 block) {
    const FileReader& file = blocks.file;
    const Bytes payload = file.read(block, BlockType::kernel);
    KernelFacts facts;
    u64 table_block = 0;
    file.in_block(block, [&] {
        ByteReader in(payload);
        facts.info = get_kernel(in);
        // Version 1 has the table in the kernel's block.
        if (file.version() == 1)
            facts.table = std::make_shared<const std::vector<StaticInst>>(get_static_insts(in));
        else
            table_block = in.varint();
        for (u64 n = in.bounded(in.left()); n != 0; --n) {
            std::string opcode = in.string();
            facts.unknown.emplace_back(std::move(opcode), in.varint());
        }
        for (u64 n = in.bounded(in.left()); n != 0; --n) facts.warnings.push_back(in.string());
        u64 last = 0;
        for (u64 n = in.bounded(in.left()); n != 0; --n) facts.cta_blocks.push_back(last += in.varint());
        if (in.left() != 0) ByteReader::damaged();
    });
    if (facts.table == nullptr) facts.table = blocks.table(table_block);
    return facts;
}

/// A long CTA: each warp reads its pieces one after the other.
class RecordedCta final : public CtaStream {
  public:
    struct Warp {
        std::vector<u64> pieces;
        std::size_t next = 0;
        std::vector<u32> words;
    };

    std::span<const u32> refill(u32 warp) override {
        Warp& w = warps[warp];
        if (w.next == w.pieces.size()) return {};
        const u64 block = w.pieces[w.next++];
        const Bytes payload = blocks->file.read(block, BlockType::pieces);
        blocks->file.in_block(block, [&] {
            BlockDecoder decoder(ByteReader(payload), facts->info, *facts->table);
            decoder.warp(warp, w.words);
        });
        return w.words;
    }

    std::shared_ptr<const Blocks> blocks;
    std::shared_ptr<const KernelFacts> facts;
    std::vector<Warp> warps;
};

class RecordedKernel final : public KernelStream {
  public:
    RecordedKernel(const std::shared_ptr<Blocks>& blocks, u64 block)
        : blocks_(blocks), facts_(std::make_shared<const KernelFacts>(read_kernel(*blocks, block))) {}

    const KernelInfo& info() const override { return facts_->info; }
    const std::vector<StaticInst>& static_insts() const override { return *facts_->table; }
    std::vector<std::pair<std::string, u64>> unknown_opcodes() const override { return facts_->unknown; }
    std::vector<std::string> warnings() const override { return facts_->warnings; }
    std::unique_ptr<CtaStream> make_cta() override { return std::make_unique<RecordedCta>(); }

    bool next_cta(CtaStream& out) override {
        for (;;) {
            if (decoder_ != nullptr) {
                const u64 block = facts_->cta_blocks[next_ - 1];
                if (blocks_->file.in_block(block, [&] { return decoder_->next(out); })) return true;
                decoder_.reset();
            }
            if (next_ == facts_->cta_blocks.size()) return false;
            const u64 block = facts_->cta_blocks[next_++];
            if (block < blocks_->file.blocks().size() &&
                blocks_->file.blocks()[block].type == BlockType::long_cta) {
                open_long(out, block);
                return true;
            }
            const Bytes payload = blocks_->file.read(block, BlockType::ctas);
            decoder_ = blocks_->file.in_block(block, [&] {
                return std::make_unique<BlockDecoder>(ByteReader(payload), facts_->info, *facts_->table);
            });
        }
    }

  private:
    void open_long(CtaStream& out, u64 block) {
        auto& cta = dynamic_cast<RecordedCta&>(out);
        const Bytes payload = blocks_->file.read(block, BlockType::long_cta);
        blocks_->file.in_block(block, [&] {
            ByteReader in(payload);
            cta.index.x = in.varint32();
            cta.index.y = in.varint32();
            cta.index.z = in.varint32();
            cta.warps.assign(in.bounded(in.left()), {});
            for (auto& warp : cta.warps)
                for (u64 n = in.bounded(in.left()); n != 0; --n) warp.pieces.push_back(in.varint());
            if (in.left() != 0) ByteReader::damaged();
        });
        cta.blocks = blocks_;
        cta.facts = facts_;
        cta.words.clear();
        cta.ranges.assign(cta.warps.size(), {0, 0});
        cta.chunked = true;
    }

    std::shared_ptr<const Blocks> blocks_;
    std::shared_ptr<const KernelFacts> facts_;
    std::unique_ptr<BlockDecoder> decoder_;
    std::size_t next_ = 0;
};

class Recording final : public StreamSource {
  public:
    explicit Recording(const std::string& path) : blocks_(std::make_shared<Blocks>(path)) {
        read_events();
        blocks_->file.in_block(block_, [&] {
            ByteReader in(in_);
            name_ = in.string();
            at_ = in_.size() - in.left();
        });
    }

    const std::string& name() const override { return name_; }

    bool next(ProgramEvent& out) override {
        while (at_ == in_.size()) {
            ++block_;
            if (!read_events()) return false;
        }
        u64 kernel = 0;
        const bool plain = blocks_->file.in_block(block_, [&] {
            ByteReader in(in_.data() + at_, in_.data() + in_.size());
            const bool is_plain = get_event(in, out, kernel);
            at_ = in_.size() - in.left();
            return is_plain;
        });
        if (!plain) out = LaunchEvent{std::make_unique<RecordedKernel>(blocks_, kernel)};
        return true;
    }

    std::vector<ProgramRange> ranges() const override {
        std::vector<ProgramRange> out;
        const FileReader& file = blocks_->file;
        for (u64 k = 0; k < file.blocks().size(); ++k) {
            if (file.blocks()[k].type != BlockType::ranges) continue;
            const Bytes payload = file.read(k, BlockType::ranges);
            file.in_block(k, [&] {
                ByteReader in(payload);
                for (u64 n = in.bounded(in.left()); n != 0; --n) out.push_back(get_range(in));
                if (in.left() != 0) ByteReader::damaged();
            });
        }
        return out;
    }

  private:
    /// The next block of events from block_ on; false if there is none.
    bool read_events() {
        while (block_ < blocks_->file.blocks().size() &&
               blocks_->file.blocks()[block_].type != BlockType::events)
            ++block_;
        if (block_ == blocks_->file.blocks().size()) return false;
        in_ = blocks_->file.read(block_, BlockType::events);
        at_ = 0;
        return true;
    }

    std::shared_ptr<Blocks> blocks_;
    std::string name_;
    u64 block_ = 0;
    Bytes in_;
    std::size_t at_ = 0;
};

}  // namespace

bool is_recording(const std::string& path) {
    char head[sizeof kMagic] = {};
    std::ifstream(path, std::ios::binary).read(head, sizeof head);
    return std::memcmp(head, kMagic, sizeof kMagic) == 0;
}

std::unique_ptr<StreamSource> open_recording(const std::string& path) {
    return std::make_unique<Recording>(path);
}

RecordingSummary verify_recording(const std::string& path) {
    RecordingSummary summary;
    {
        // Also blocks that no kernel names.
        const FileReader file(path);
        for (u64 k = 0; k < file.blocks().size(); ++k) file.read(k, file.blocks()[k].type);
        summary.bytes = file.bytes();
    }
    const auto source = open_recording(path);
    for (ProgramEvent event; source->next(event);) {
        ++summary.events;
        auto* launch = std::get_if<LaunchEvent>(&event);
        if (launch == nullptr) continue;
        ++summary.kernels;
        KernelStream& kernel = *launch->kernel;
        const auto cta = kernel.make_cta();
        while (kernel.next_cta(*cta)) {
            ++summary.ctas;
            for (u32 w = 0; w < cta->ranges.size(); ++w) {
                WarpCursor cursor = cta->cursor(w, kernel.info());
                for (DynInst inst; cursor.next(inst);) ++summary.warp_instructions;
            }
        }
    }
    return summary;
}

}  // namespace heddle
