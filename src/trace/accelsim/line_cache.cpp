#include "trace/accelsim/line_cache.h"

#include <algorithm>

#include "sim/error.h"
#include "trace/accelsim/inst_text.h"

namespace heddle::accelsim {
namespace {

constexpr u32 kMaxStatic = 1u << 22;  // index bits of an instruction word
constexpr u32 kMaxSamePc = 1024;      // functions have PCs of their own, each from 0
constexpr u32 kMaskDigits = 8;
constexpr std::size_t kMaxFixed =
    LineReader::kPadding;  // a comparison near the file's end stays in the padding
constexpr std::size_t kMaxUnknown = 512;

LineKind kind_of(const InstText& text) {
    if (!text.has_addresses)
        return text.opcode == nullptr || text.opcode->needs_addresses ? LineKind::watched : LineKind::plain;
    if (text.opcode == nullptr || text.opcode->mem == MemOp::none) return LineKind::ignored;
    if (text.opcode->generic) return LineKind::generic;
    return text.opcode->name == "LDGSTS" ? LineKind::copy : LineKind::memory;
}

}  // namespace

LineCache::LineCache(const Dialect& dialect, std::vector<StaticInst>& static_insts)
    : dialect_(dialect), static_insts_(static_insts), heads_(1024, Line::kNone) {
    // Line 0 precedes a warp's first instruction; its text matches nothing.
    lines_.emplace_back();
    lines_[0].text[0] = 1;
    lines_[0].care[0] = ~u64{0};
    hashes_.push_back(0);
}

bool LineCache::tail_matches(const Line& line, const char* p) const {
    const std::string& tail = tails_[line.tail];
    return std::memcmp(p + Line::kInline, tail.data(), tail.size()) == 0;
}

u64 LineCache::pc_hash(const char* p) const {
    u64 hash = 0xcbf29ce484222325;
    const int words = dialect_.line_info ? 2 : 1;
    for (int k = 0; k < words; ++k) {
        while (*p == ' ') ++p;
        for (; static_cast<u8>(*p) > ' '; ++p) hash = (hash ^ static_cast<u8>(*p)) * 0x100000001b3;
    }
    return hash ^ hash >> 32;
}

u32 LineCache::find(const LineReader& in, u64 line_number, const char* p) {
    const u64 hash = pc_hash(p);
    for (u32 k = heads_[hash & (heads_.size() - 1)]; k != Line::kNone; k = lines_[k].same_pc)
        if (hashes_[k] == hash && matches(lines_[k], p)) return k;
    return add(in, line_number, p, hash);
}

void LineCache::grow() {
    heads_.assign(heads_.size() * 2, Line::kNone);
    for (u32 k = 1; k < lines_.size(); ++k) {
        u32& head = heads_[hashes_[k] & (heads_.size() - 1)];
        lines_[k].same_pc = head;
        head = k;
    }
}

u32 LineCache::add_static(const StaticInst& inst, const LineReader& in, u64 line_number) {
    if (static_insts_.size() == kMaxStatic)
        in.fail_at(line_number, "more than 4194304 different instructions in one kernel");
    static_insts_.push_back(inst);
    return static_cast<u32>(static_insts_.size() - 1);
}

u32 LineCache::add(const LineReader& in, u64 line_number, const char* p, u64 hash) {
    u32 same = 0;
    for (u32 k = heads_[hash & (heads_.size() - 1)]; k != Line::kNone; k = lines_[k].same_pc)
        same += hashes_[k] == hash;
    if (same >= kMaxSamePc)
        in.fail_at(line_number,
                   "more than 1024 different instructions with the same PC: the text is damaged");

    const auto* newline =
        static_cast<const char*>(std::memchr(p, '\n', static_cast<std::size_t>(in.limit() - p)));
    if (newline == nullptr)
        in.fail_at(line_number, "the file ends in the middle of an instruction: it was cut off");
    const std::string_view whole(p, static_cast<std::size_t>(newline + 1 - p));
    const InstText text = parse_inst(in, line_number, whole, dialect_);

    if (text.fixed_bytes > kMaxFixed)
        in.fail_at(line_number, "more than 256 characters before the addresses");

    Line line;
    line.bytes = text.fixed_bytes;
    line.mask_at = text.mask_at;
    line.kind = kind_of(text);
    line.is_exit = text.inst.op == OpClass::exit;
    line.space = text.inst.space;
    line.access_bytes = text.inst.access_bytes;
    const std::size_t here = std::min<std::size_t>(line.bytes, Line::kInline);
    std::memcpy(line.text.data(), p, here);
    std::memset(line.care.data(), 0xff, here);
    if (line.mask_at + kMaskDigits > Line::kInline)
        in.fail_at(line_number, "more than 56 characters before the mask");
    std::memset(reinterpret_cast<char*>(line.care.data()) + line.mask_at, 0, kMaskDigits);
    if (line.bytes > here) {
        line.tail = static_cast<u32>(tails_.size());
        tails_.emplace_back(whole.substr(here, line.bytes - here));
    }
    if (text.opcode == nullptr) {
        const std::string_view name = text.name.substr(0, text.name.find('.'));
        line.unknown = 0;
        while (line.unknown < unknown_.size() && unknown_[line.unknown].first != name) ++line.unknown;
        if (unknown_.size() == kMaxUnknown)
            in.fail_at(line_number, "more than 512 different unknown opcodes: the text is damaged");
        if (line.unknown == unknown_.size()) unknown_.emplace_back(name, 0);
    }
    line.static_index = add_static(text.inst, in, line_number);

    if (lines_.size() > heads_.size()) grow();
    u32& head = heads_[hash & (heads_.size() - 1)];
    line.same_pc = head;
    head = static_cast<u32>(lines_.size());
    lines_.push_back(line);
    hashes_.push_back(hash);
    return head;
}

u32 LineCache::variant(u32 index, MemSpace space) {
    const bool local = space == MemSpace::local;
    u32& made = lines_[index].variant[local ? 1 : 0];
    if (made == Line::kNone) {
        if (static_insts_.size() == kMaxStatic)
            throw InputError("more than 4194304 different instructions in one kernel");
        StaticInst inst = static_insts_[lines_[index].static_index];
        inst.space = space;
        inst.bypass_l1 = false;
        made = static_cast<u32>(static_insts_.size());
        static_insts_.push_back(inst);
    }
    return made;
}

}  // namespace heddle::accelsim
