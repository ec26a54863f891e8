// Writing a recording, event by event.

#include <unordered_map>

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

/// The blocks of static instructions. Of kernels with one name the last table is remembered: a kernel is often launched
/// many times, and then has the same.
class TableWriter {
  public:
    TableWriter(FileWriter& file, StreamPacker& packer) : file_(file), packer_(packer) {}

    /// The number of the block that holds the table.
    u64 write(const std::string& kernel, const std::vector<StaticInst>& table) {
        auto [at, is_new] = last_.try_emplace(kernel);
        Known& known = at->second;
        if (is_new || known.table != table) {
            Bytes out;
            put_static_insts(out, table, packer_);
            known = {table, file_.add(BlockType::table, out)};
        }
        return known.block;
    }

  private:
    struct Known {
        std::vector<StaticInst> table;
        u64 block = 0;
    };
    FileWriter& file_;
    StreamPacker& packer_;
    std::unordered_map<std::string, Known> last_;
};

/// A kernel's blocks, in the order of its CTAs.
class KernelWriter {
  public:
    KernelWriter(FileWriter& file, TableWriter& tables, StreamPacker& packer, KernelStream& kernel,
                 RecordingSummary& summary)
        : file_(file),
          tables_(tables),
          packer_(packer),
          kernel_(kernel),
          summary_(summary),
          encoder_(kernel.info(), packer) {}

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
        put_varint(out, tables_.write(kernel_.info().name, kernel_.static_insts()));
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
            BlockEncoder encoder(kernel_.info(), packer_);
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
    TableWriter& tables_;
    StreamPacker& packer_;
    KernelStream& kernel_;
    RecordingSummary& summary_;
    BlockEncoder encoder_;
    std::vector<u64> cta_blocks_;
};

}  // namespace

struct RecordingWriter::Impl {
    Impl(std::unique_ptr<ByteSink> sink, Compression how)
        : file(std::move(sink)), packer(how), tables(file, packer) {}

    FileWriter file;
    StreamPacker packer;
    TableWriter tables;
    RecordingSummary summary;
    Bytes events;
    std::vector<ProgramRange> ranges;
    bool whole = true;  // no event was lost half-way
};

RecordingWriter::RecordingWriter(std::unique_ptr<ByteSink> sink, const std::string& program,
                                 Compression compression)
    : impl_(std::make_unique<Impl>(std::move(sink), compression)) {
    put_string(impl_->events, program);
}

RecordingWriter::~RecordingWriter() = default;

void RecordingWriter::add(const ProgramEvent& event) {
    Impl& r = *impl_;
    r.whole = false;
    ++r.summary.events;
    u64 kernel_block = 0;
    if (const auto* launch = std::get_if<LaunchEvent>(&event)) {
        ++r.summary.kernels;
        kernel_block = KernelWriter(r.file, r.tables, r.packer, *launch->kernel, r.summary).write();
    }
    put_event(r.events, event, kernel_block);
    if (r.events.size() >= kEventBytes) {
        r.file.add(BlockType::events, r.events);
        r.events.clear();
    }
    r.whole = true;
}

void RecordingWriter::add(ProgramRange range) {
    impl_->ranges.push_back(std::move(range));
}

RecordingSummary RecordingWriter::finish() {
    Impl& r = *impl_;
    if (!r.whole) throw InputError("the recording is incomplete: an event could not be recorded");
    r.file.add(BlockType::events, r.events);
    if (!r.ranges.empty()) {
        Bytes out;
        put_varint(out, r.ranges.size());
        for (const ProgramRange& range : r.ranges) put_range(out, range);
        r.file.add(BlockType::ranges, out);
    }
    r.summary.bytes = r.file.finish();
    return r.summary;
}

RecordingSummary record(StreamSource& source, const std::string& path, Compression compression) {
    RecordingWriter writer(std::make_unique<OutputFile>(path, "the recording"), source.name(), compression);
    for (ProgramEvent event; source.next(event);) writer.add(event);
    for (ProgramRange& range : source.ranges()) writer.add(std::move(range));
    return writer.finish();
}

}  // namespace heddle
