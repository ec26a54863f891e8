// Replaying a recording.

#include <cstring>
#include <fstream>

#include "trace/recording.h"
#include "trace/recording/cta_block.h"
#include "trace/recording/facts.h"
#include "trace/recording/file.h"

namespace heddle {
namespace {

using namespace recording;

struct KernelFacts {
    KernelInfo info;
    std::vector<StaticInst> table;
    std::vector<std::pair<std::string, u64>> unknown;
    std::vector<std::string> warnings;
    std::vector<u64> cta_blocks;
};

KernelFacts read_kernel(const FileReader& file, u64 block) {
    const Bytes payload = file.read(block, BlockType::kernel);
    return file.in_block(block, [&] {
        ByteReader in(payload);
        KernelFacts facts;
        facts.info = get_kernel(in);
        facts.table = get_static_insts(in);
        for (u64 n = in.bounded(in.left()); n != 0; --n) {
            std::string opcode = in.string();
            facts.unknown.emplace_back(std::move(opcode), in.varint());
        }
        for (u64 n = in.bounded(in.left()); n != 0; --n) facts.warnings.push_back(in.string());
        u64 last = 0;
        for (u64 n = in.bounded(in.left()); n != 0; --n) facts.cta_blocks.push_back(last += in.varint());
        if (in.left() != 0) ByteReader::damaged();
        return facts;
    });
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
        const Bytes payload = file->read(block, BlockType::pieces);
        file->in_block(block, [&] {
            BlockDecoder decoder(ByteReader(payload), facts->info, facts->table);
            decoder.warp(warp, w.words);
        });
        return w.words;
    }

    std::shared_ptr<const FileReader> file;
    std::shared_ptr<const KernelFacts> facts;
    std::vector<Warp> warps;
};

class RecordedKernel final : public KernelStream {
  public:
    RecordedKernel(std::shared_ptr<const FileReader> file, u64 block)
        : file_(std::move(file)), facts_(std::make_shared<const KernelFacts>(read_kernel(*file_, block))) {}

    const KernelInfo& info() const override { return facts_->info; }
    const std::vector<StaticInst>& static_insts() const override { return facts_->table; }
    std::vector<std::pair<std::string, u64>> unknown_opcodes() const override { return facts_->unknown; }
    std::vector<std::string> warnings() const override { return facts_->warnings; }
    std::unique_ptr<CtaStream> make_cta() override { return std::make_unique<RecordedCta>(); }

    bool next_cta(CtaStream& out) override {
        for (;;) {
            if (decoder_ != nullptr) {
                const u64 block = facts_->cta_blocks[next_ - 1];
                if (file_->in_block(block, [&] { return decoder_->next(out); })) return true;
                decoder_.reset();
            }
            if (next_ == facts_->cta_blocks.size()) return false;
            const u64 block = facts_->cta_blocks[next_++];
            if (block < file_->blocks().size() && file_->blocks()[block].type == BlockType::long_cta) {
                open_long(out, block);
                return true;
            }
            const Bytes payload = file_->read(block, BlockType::ctas);
            decoder_ = file_->in_block(block, [&] {
                return std::make_unique<BlockDecoder>(ByteReader(payload), facts_->info, facts_->table);
            });
        }
    }

  private:
    void open_long(CtaStream& out, u64 block) {
        auto& cta = dynamic_cast<RecordedCta&>(out);
        const Bytes payload = file_->read(block, BlockType::long_cta);
        file_->in_block(block, [&] {
            ByteReader in(payload);
            cta.index.x = in.varint32();
            cta.index.y = in.varint32();
            cta.index.z = in.varint32();
            cta.warps.assign(in.bounded(in.left()), {});
            for (auto& warp : cta.warps)
                for (u64 n = in.bounded(in.left()); n != 0; --n) warp.pieces.push_back(in.varint());
            if (in.left() != 0) ByteReader::damaged();
        });
        cta.file = file_;
        cta.facts = facts_;
        cta.words.clear();
        cta.ranges.assign(cta.warps.size(), {0, 0});
        cta.chunked = true;
    }

    std::shared_ptr<const FileReader> file_;
    std::shared_ptr<const KernelFacts> facts_;
    std::unique_ptr<BlockDecoder> decoder_;
    std::size_t next_ = 0;
};

class Recording final : public StreamSource {
  public:
    explicit Recording(const std::string& path) : file_(std::make_shared<const FileReader>(path)) {
        read_events();
        file_->in_block(block_, [&] {
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
        const bool plain = file_->in_block(block_, [&] {
            ByteReader in(in_.data() + at_, in_.data() + in_.size());
            const bool is_plain = get_event(in, out, kernel);
            at_ = in_.size() - in.left();
            return is_plain;
        });
        if (!plain) out = LaunchEvent{std::make_unique<RecordedKernel>(file_, kernel)};
        return true;
    }

  private:
    /// The next block of events from block_ on; false if there is none.
    bool read_events() {
        while (block_ < file_->blocks().size() && file_->blocks()[block_].type != BlockType::events) ++block_;
        if (block_ == file_->blocks().size()) return false;
        in_ = file_->read(block_, BlockType::events);
        at_ = 0;
        return true;
    }

    std::shared_ptr<const FileReader> file_;
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
