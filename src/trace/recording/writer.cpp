// Draining a source into a recording.

#include "trace/recording.h"
#include "trace/recording/cta_block.h"
#include "trace/recording/facts.h"
#include "trace/recording/file.h"

namespace heddle {
namespace {

using namespace recording;

constexpr u64 kBlockWords = u64{2} << 20;    // of whole CTAs, before compression
constexpr u64 kPieceWords = u64{128} << 10;  // of one warp of a long CTA
constexpr std::size_t kEventBytes = 256 << 10;

/// A kernel's blocks, in the order of its CTAs.
class KernelWriter {
  public:
    KernelWriter(FileWriter& file, KernelStream& kernel, Compression compression, RecordingSummary& summary)
        : file_(file),
          kernel_(kernel),
          compression_(compression),
          summary_(summary),
          encoder_(kernel.info(), compression) {}

    /// The number of the kernel's block.
    u64 write() {
        const auto cta = kernel_.make_cta();
        while (kernel_.next_cta(*cta)) {
            ++summary_.ctas;
            if (cta->chunked) {
                flush();
                write_long(*cta);
            } else {
                encoder_.add(*cta, kernel_.static_insts());
                if (encoder_.words() >= kBlockWords) flush();
            }
        }
        flush();
        Bytes out;
        put_kernel(out, kernel_.info());
        put_static_insts(out, kernel_.static_insts());
        const auto unknown = kernel_.unknown_opcodes();
        put_varint(out, unknown.size());
        for (const auto& [opcode, count] : unknown) {
            put_string(out, opcode);
            put_varint(out, count);
        }
        const auto warnings = kernel_.warnings();
        put_varint(out, warnings.size());
        for (const std::string& line : warnings) put_string(out, line);
        put_varint(out, cta_blocks_.size());
        u64 last = 0;
        for (const u64 block : cta_blocks_) {
            put_varint(out, block - last);
            last = block;
        }
        return file_.add(BlockType::kernel, out);
    }

  private:
    void flush() {
        if (encoder_.empty()) return;
        cta_blocks_.push_back(add(encoder_, BlockType::ctas));
    }

    u64 add(BlockEncoder& encoder, BlockType type) {
        summary_.warp_instructions += encoder.instructions();
        Bytes out;
        encoder.finish(out);
        return file_.add(type, out);
    }

    /// The warps take turns, chunk by chunk, as they would in a machine: a source that executes as it goes
    /// need not run one warp far ahead of the others.
    void write_long(CtaStream& cta) {
        struct Warp {
            std::vector<u32> words;
            std::vector<u64> pieces;
            bool open = true;
        };
        std::vector<Warp> warps(cta.ranges.size());
        const auto flush_warp = [&](u32 w) {
            if (warps[w].words.empty()) return;
            BlockEncoder encoder(kernel_.info(), compression_);
            encoder.add_warp(w, warps[w].words, kernel_.static_insts());
            warps[w].words.clear();
            warps[w].pieces.push_back(add(encoder, BlockType::pieces));
        };
        for (u32 w = 0; w < warps.size(); ++w) {
            const auto [begin, end] = cta.ranges[w];
            warps[w].words.assign(cta.words.begin() + begin, cta.words.begin() + end);
        }
        for (std::size_t open = warps.size(); open != 0;) {
            for (u32 w = 0; w < warps.size(); ++w) {
                if (!warps[w].open) continue;
                const auto chunk = cta.refill(w);
                warps[w].words.insert(warps[w].words.end(), chunk.begin(), chunk.end());
                if (chunk.empty()) {
                    warps[w].open = false;
                    --open;
                }
                if (chunk.empty() || warps[w].words.size() >= kPieceWords) flush_warp(w);
            }
        }
        Bytes out;
        for (const u32 v : {cta.index.x, cta.index.y, cta.index.z}) put_varint(out, v);
        put_varint(out, warps.size());
        for (const Warp& warp : warps) {
            put_varint(out, warp.pieces.size());
            for (const u64 piece : warp.pieces) put_varint(out, piece);
        }
        cta_blocks_.push_back(file_.add(BlockType::long_cta, out));
    }

    FileWriter& file_;
    KernelStream& kernel_;
    const Compression compression_;
    RecordingSummary& summary_;
    BlockEncoder encoder_;
    std::vector<u64> cta_blocks_;
};

}  // namespace

RecordingSummary record(StreamSource& source, const std::string& path, Compression compression) {
    RecordingSummary summary;
    FileWriter file(path);
    Bytes events;
    put_string(events, source.name());
    for (ProgramEvent event; source.next(event);) {
        ++summary.events;
        u64 kernel_block = 0;
        if (auto* launch = std::get_if<LaunchEvent>(&event)) {
            ++summary.kernels;
            kernel_block = KernelWriter(file, *launch->kernel, compression, summary).write();
        }
        put_event(events, event, kernel_block);
        if (events.size() >= kEventBytes) {
            file.add(BlockType::events, events);
            events.clear();
        }
    }
    file.add(BlockType::events, events);
    summary.bytes = file.finish();
    return summary;
}

}  // namespace heddle
