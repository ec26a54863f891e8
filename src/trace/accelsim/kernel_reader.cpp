#include "trace/accelsim/kernel_reader.h"

#include <algorithm>
#include <bit>
#include <optional>

#include "sim/error.h"
#include "trace/input/numbers.h"
#include "trace/words.h"

namespace heddle::accelsim {
namespace {

constexpr u64 kSegment = 4096;                          // instructions between looks at the memory held
constexpr u64 kPlainWords = 2;                          // head and mask
constexpr u64 kMemoryWords = kPlainWords + 2 * kLanes;  // and an address each

// Local memory is per thread; where it lies is the driver's choice, which a trace does not tell. Hardware
// interleaves it so that the same word of a warp's lanes is contiguous. Pieces of 16 bytes a thread (512 a
// warp) of all resident warps lie side by side; regions of successive pieces are an odd number of lines
// apart, so one warp's pieces spread over a cache's sets.
constexpr u64 kLocalBase = u64{1} << 46;
constexpr u64 kLocalSlots = 8192;  // warps that have room of their own: more than any GPU keeps resident
constexpr u64 kLocalPiece = 16, kLocalPieces = 4096;
constexpr u64 kLocalRegion = kLocalSlots * kLocalPiece * kLanes + 17 * 128;

bool blank_or_end(char c) {
    return static_cast<u8>(c) <= ' ';
}

bool starts_instruction(char c) {
    return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F') || c == ' ' ||
           c == '\t';
}

/// "key = N", "key = X,Y,Z": the numbers, or nothing if the line is not of that form.
template <std::size_t N>
std::optional<std::array<u64, N>> key_values(std::string_view line, std::string_view key) {
    auto skip = [&] {
        while (!line.empty() && (line[0] == ' ' || line[0] == '\t')) line.remove_prefix(1);
    };
    skip();
    if (!line.starts_with(key)) return {};
    line.remove_prefix(key.size());
    skip();
    std::array<u64, N> values{};
    for (std::size_t k = 0; k < N; ++k) {
        if (line.empty() || line[0] != (k == 0 ? '=' : ',')) return {};
        line.remove_prefix(1);
        skip();
        const char* const end = parse_decimal(line.data(), values[k]);
        if (end == nullptr) return {};
        line.remove_prefix(static_cast<std::size_t>(end - line.data()));
        skip();
    }
    if (!line.empty()) return {};
    return values;
}

/// The rest of a memory line: the immediate of version 5, blanks, the line's end. Null if it is not that.
const char* line_end(const char* p, bool immediate) {
    while (*p == ' ' || *p == '\t') ++p;
    if (immediate) {
        u64 value = 0;
        if (*p == '-') ++p;
        const char* end = parse_hex(p, value);
        if (end == nullptr || !blank_or_end(*end)) end = parse_decimal(p, value);
        if (end == nullptr) return nullptr;
        p = end;
        while (*p == ' ' || *p == '\t') ++p;
    }
    if (*p == '\r') ++p;
    return *p == '\n' ? p + 1 : nullptr;
}

}  // namespace

KernelReader::KernelReader(const std::string& path, ReaderOptions options)
    : path_(path), options_(options), cache_(header_.dialect, static_insts_) {
    LineReader in(path);
    header_ = read_header(in);
}

void KernelReader::open_body() {
    in_ = std::make_unique<LineReader>(path_);
    read_header(*in_);
}

std::vector<std::pair<std::string, u64>> KernelReader::unknown_opcodes() const {
    auto met = cache_.unknown_opcodes();
    std::erase_if(met, [](const auto& opcode) { return opcode.second == 0; });
    return met;
}

bool KernelReader::next_cta(CtaStream& out) {
    const u64 all = header_.kernel.cta_count();
    if (ctas_read_ == all) return false;
    if (ctas_read_ == 0) open_body();
    read_block(out);
    if (++ctas_read_ == all) check_end();
    return true;
}

void KernelReader::check_end() {
    std::string_view line;
    if (in_->text_line(line))
        in_->fail("text after the last of the grid's " + std::to_string(ctas_read_) +
                  " thread blocks: the grid is smaller than the trace");
    // Damage after the last block (a checksum, say) would otherwise go unnoticed.
    if (in_->damaged()) in_->fail("the file is damaged after its last block");
    in_.reset();
    out_of_order_.clear();
}

void KernelReader::claim(Dim3 index) {
    const Dim3 grid = header_.kernel.grid;
    auto text = [](Dim3 d) {
        return std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z);
    };
    if (index.x >= grid.x || index.y >= grid.y || index.z >= grid.z)
        in_->fail("thread block " + text(index) + " lies outside the grid of " + text(grid));
    const u64 number = index.x + u64{grid.x} * (index.y + u64{grid.y} * index.z);
    if (number < in_order_ || !out_of_order_.insert(number).second)
        in_->fail("thread block " + text(index) + " appears in the file twice");
    while (!out_of_order_.empty() && out_of_order_.erase(in_order_) != 0) ++in_order_;
    local_slot_ = number * header_.kernel.warps_per_cta();
}

void KernelReader::read_block(CtaStream& out) {
    LineReader& in = *in_;
    const u32 warps = header_.kernel.warps_per_cta();
    std::string_view line;
    if (!in.text_line(line))
        in.fail("the file ends after " + std::to_string(ctas_read_) + " of the grid's " +
                std::to_string(header_.kernel.cta_count()) + " thread blocks");
    if (starts_instruction(line.front()))
        in.fail(
            "an instruction outside a thread block: this is the tracer's raw output, not yet grouped by "
            "thread block. Run Accel-Sim's post-traces-processing on the list, then give kernelslist.g");
    if (line != "#BEGIN_TB") in.fail("expected #BEGIN_TB, found '" + std::string(line.substr(0, 60)) + "'");
    if (!in.text_line(line)) in.fail("the file ends where 'thread block = x,y,z' should be");
    const auto xyz = key_values<3>(line, "thread block");
    if (!xyz || std::max({(*xyz)[0], (*xyz)[1], (*xyz)[2]}) > 0xffffffff)
        in.fail("expected 'thread block = x,y,z', found '" + std::string(line.substr(0, 60)) + "'");
    out.index = {static_cast<u32>((*xyz)[0]), static_cast<u32>((*xyz)[1]), static_cast<u32>((*xyz)[2])};
    claim(out.index);

    if (auto* spill = dynamic_cast<SpillCta*>(&out)) spill->begin();
    out.chunked = false;
    used_ = spilled_ = 0;
    positions_.assign(warps, {0, 0});
    u32 found = 0;
    for (;;) {
        if (!in.text_line(line)) in.fail("the file ends within a thread block: it was cut off");
        if (line == "#END_TB") break;
        const auto warp = key_values<1>(line, "warp");
        if (!warp)
            in.fail("expected 'warp = w' or #END_TB, found '" + std::string(line.substr(0, 60)) +
                    "'; if it is an instruction, 'insts' before it is too small");
        const u64 number = (*warp)[0];
        if (number >= warps)
            in.fail("warp " + std::to_string(number) + " in a block of " +
                    std::to_string(header_.kernel.block.count()) + " threads, which has " +
                    std::to_string(warps) + " warps");
        if (positions_[number].second != 0)
            in.fail("warp " + std::to_string(number) + " appears in the block twice");
        read_warp(out, static_cast<u32>(number));
        ++found;
    }
    if (found != warps)
        in.fail("the block ends after " + std::to_string(found) + " of its " + std::to_string(warps) +
                " warps");

    if (spilled_ != 0) {
        spill(out);
        static_cast<SpillCta&>(out).finish(header_.kernel, positions_);
        return;
    }
    out.words.resize(used_);
    out.ranges.resize(warps);
    for (u32 w = 0; w < warps; ++w)
        out.ranges[w] = {static_cast<u32>(positions_[w].first), static_cast<u32>(positions_[w].second)};
}

void KernelReader::read_warp(CtaStream& out, u32 warp) {
    LineReader& in = *in_;
    std::string_view line;
    if (!in.text_line(line)) in.fail("the file ends where 'insts = n' should be");
    const auto insts = key_values<1>(line, "insts");
    if (!insts) in.fail("expected 'insts = n', found '" + std::string(line.substr(0, 60)) + "'");
    const u64 total = (*insts)[0];
    if (total == 0) in.fail("insts = 0: every warp executes at least EXIT");

    if (header_.dialect.place_prefix())
        prefix_ = std::to_string(out.index.x) + " " + std::to_string(out.index.y) + " " +
                  std::to_string(out.index.z) + " " + std::to_string(warp) + " ";
    const u32 full = static_cast<u32>(full_mask(header_.kernel, warp));
    const u64 first_slot = local_slot_;
    local_slot_ += warp;
    positions_[warp].first = spilled_ + used_;
    previous_ = 0;
    copy_dropped_ = false;
    for (u64 done = 0; done < total; done += kSegment) {
        if (used_ > options_.max_cta_words) spill(out);
        read_insts(out, std::min(kSegment, total - done), done, total, full);
    }
    positions_[warp].second = spilled_ + used_;
    local_slot_ = first_slot;
    if (!cache_.at(previous_).is_exit)
        in.fail("warp " + std::to_string(warp) + " does not end with EXIT: instructions are missing");
}

void KernelReader::make_room(CtaStream& out, u64 words) {
    // Never shrunk while a CTA is read: growing a vector again would write zeros each time.
    if (out.words.size() < used_ + words)
        out.words.resize(std::max<u64>(used_ + words, 2 * out.words.size()));
}

void KernelReader::spill(CtaStream& out) {
    auto* cta = dynamic_cast<SpillCta*>(&out);
    if (cta == nullptr) throw InvariantError("a CTA object that its kernel's make_cta() did not make");
    cta->spill(std::span<const u32>(out.words).first(used_));
    spilled_ += used_;
    used_ = 0;
}

void KernelReader::fail_missing(u64 line_number, u64 done, u64 total, bool at_end) {
    in_->fail_at(line_number, (at_end ? "the file ends after " : "found ") + std::to_string(done) +
                                  " instruction lines of a warp that has insts = " + std::to_string(total));
}

void KernelReader::fail_prefix(u64 line_number) {
    in_->fail_at(line_number, "an instruction that does not start with its block and warp, '" + prefix_ +
                                  "', as tracer version " + std::to_string(header_.dialect.tracer_version) +
                                  " writes it");
}

bool KernelReader::second_side(u32 previous, u32 index, u32 mask) const {
    // Nothing distinguishes the two listings of a copy without active lanes but that they follow each other.
    if (mask == 0) return previous == index && !copy_dropped_;
    const u64 first = accesses_.first();
    return first < kWindowBytes || in_window(first, header_.dialect.shared_base);
}

void KernelReader::read_insts(CtaStream& out, u64 count, u64 done, u64 total, u32 full) {
    LineReader& in = *in_;
    const u64 before = in.line_number();
    make_room(out, count * kPlainWords + kMemoryWords);
    u32* w = out.words.data() + used_;
    in.ensure();
    const char* p = in.at();
    const char* limit = in.limit();
    u64 k = 0;
    // In locals: as far as the compiler knows, stores to the words could change members.
    const std::size_t prefix = prefix_.size();
    u32 previous = previous_;
    auto line_number = [&] { return before + k + 1; };

    for (; k < count; ++k) {
        if (limit - p < static_cast<std::ptrdiff_t>(LineReader::kMaxLine)) {
            in.advance(p, line_number() - 1 - in.line_number());
            in.ensure();
            p = in.at();
            limit = in.limit();
        }
        if (prefix != 0) {
            if (std::memcmp(p, prefix_.data(), prefix) != 0) {
                if (!starts_instruction(*p)) fail_missing(line_number(), done + k, total, p == limit);
                fail_prefix(line_number());
            }
            p += prefix;
        }

        u32 index = cache_.at(previous).next;
        Line* line = &cache_.at(index);
        if (!cache_.matches(*line, p)) {
            if (!starts_instruction(*p)) fail_missing(line_number(), done + k, total, p == limit);
            index = cache_.find(in, line_number(), p);
            cache_.at(previous).next = index;
            line = &cache_.at(index);
        }

        if (const u64 text = swar::load(p + line->mask_at); text != line->mask_text) {
            u32 mask = 0;
            if (parse_hex8(p + line->mask_at, mask) == nullptr)
                in.fail_at(line_number(), "the mask is not eight hexadecimal digits");
            line->mask_text = text;
            line->mask = mask;
        }
        const u32 mask = line->mask;
        const bool partial = mask != full;
        w[0] = line->static_index | u32{!partial} << 22;
        w[1] = mask;
        p += line->bytes;
        if (line->kind == LineKind::plain) {
            w += 1 + u32{partial};
            previous = index;
            continue;
        }

        if (line->unknown != Line::kNone) ++cache_.unknown_opcodes()[line->unknown].second;
        if (line->kind == LineKind::watched) {
            if (line->unknown == Line::kNone && mask != 0)
                in.fail_at(
                    line_number(),
                    "a memory instruction with active lanes but mem_width 0: its addresses are missing");
            w += 1 + u32{partial};
            previous = index;
            continue;
        }
        p = read_addresses(p, mask, line_number());
        if (line->kind == LineKind::copy) copy_dropped_ = second_side(previous, index, mask);
        previous = index;
        if (line->kind == LineKind::copy && copy_dropped_) continue;
        w[0] =
            place_access(*line, index, mask) | u32{!partial} << 22 | static_cast<u32>(accesses_.form) << 23;
        w = accesses_.put(w + 1 + u32{partial});
        used_ = static_cast<u64>(w - out.words.data());
        make_room(out, (count - k) * kPlainWords + kMemoryWords);
        w = out.words.data() + used_;
    }
    previous_ = previous;
    used_ = static_cast<u64>(w - out.words.data());
    in.advance(p, before + count - in.line_number());
}

u32 KernelReader::place_access(const Line& line, u32 index, u32 mask) {
    u32 static_index = line.static_index;
    MemSpace space = line.space;
    if (line.kind == LineKind::ignored) accesses_.form = AddressForm::none;
    if (line.kind == LineKind::generic && mask != 0) {
        if (in_window(accesses_.first(), header_.dialect.shared_base)) space = MemSpace::shared;
        if (in_window(accesses_.first(), header_.dialect.local_base)) space = MemSpace::local;
        if (space != MemSpace::global) static_index = cache_.variant(index, space);
    }
    if (space == MemSpace::shared) to_shared();
    if (space == MemSpace::local) to_local(mask, line.access_bytes);
    return static_index;
}

const char* KernelReader::read_addresses(const char* p, u32 mask, u64 line_number) {
    const char* error = nullptr;
    const char* const start = p;
    p = parse_addresses(p, mask, accesses_, error);
    const char* const end = p == nullptr ? nullptr : line_end(p, header_.dialect.immediate());
    if (end != nullptr) return end;
    if (std::memchr(start, '\n', static_cast<std::size_t>(in_->limit() - start)) == nullptr)
        in_->fail_at(line_number, "the file ends in the middle of an instruction: it was cut off");
    if (p == nullptr) in_->fail_at(line_number, error);
    in_->fail_at(line_number,
                 header_.dialect.immediate()
                     ? "something other than the immediate follows the addresses of the active lanes"
                     : "text after the addresses of the active lanes");
}

void KernelReader::to_shared() {
    if (accesses_.count == 0 || accesses_.form == AddressForm::none) return;
    const u64 base = header_.dialect.shared_base;
    auto offset = [&](u64 address) {
        return (in_window(address, base) ? address - base : address) % kWindowBytes;
    };
    if (accesses_.form == AddressForm::strided) {
        // The common case: the whole range moves as one.
        const u64 span = (accesses_.count - 1) * static_cast<u64>(i64{accesses_.stride});
        if (offset(accesses_.base) + span == offset(accesses_.base + span)) {
            accesses_.base = offset(accesses_.base);
            return;
        }
    }
    accesses_.expand();
    for (u32 k = 0; k < accesses_.count; ++k) accesses_.absolute[k] = offset(accesses_.absolute[k]);
    accesses_.compress();
}

void KernelReader::to_local(u32 mask, u32 access_bytes) {
    if (accesses_.count == 0 || accesses_.form == AddressForm::none) return;
    const u64 base = header_.dialect.local_base;
    const u64 slot = local_slot_ % kLocalSlots;
    accesses_.expand();
    for (u32 k = 0; mask != 0; ++k, mask &= mask - 1) {
        const u64 lane = static_cast<u64>(std::countr_zero(mask));
        const u64 address = accesses_.absolute[k];
        const u64 offset = (in_window(address, base) ? address - base : address) % kWindowBytes;
        const u64 piece = offset / kLocalPiece % kLocalPieces;
        const u64 within = offset % kLocalPiece;
        const u64 misaligned = within % access_bytes;
        accesses_.absolute[k] = kLocalBase + piece * kLocalRegion + slot * kLocalPiece * kLanes +
                                (within - misaligned) * kLanes + lane * access_bytes + misaligned;
    }
    accesses_.compress();
}

}  // namespace heddle::accelsim
