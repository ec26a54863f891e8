#include "trace/accelsim/inst_text.h"

#include <algorithm>
#include <array>

#include "trace/accelsim/header.h"
#include "trace/input/numbers.h"

namespace heddle::accelsim {
namespace {

constexpr u32 kMaxDestinations = 1;
constexpr u16 kZeroRegister = 255;
constexpr u16 kOldZeroUniform = 63;  // before binary version 100

/// The blank-separated words of a line.
class Words {
  public:
    Words(const LineReader& in, u64 line_number, std::string_view line)
        : in_(in), line_number_(line_number), line_(line) {}

    std::string_view next(const char* what) {
        skip_blanks();
        const std::size_t begin = at_;
        while (at_ < line_.size() && !is_space(line_[at_])) ++at_;
        if (at_ == begin) fail(std::string("the line ends where ") + what + " should be");
        return line_.substr(begin, at_ - begin);
    }
    u64 decimal(const char* what, u64 limit) {
        const std::string_view word = next(what);
        u64 value = 0;
        const char* end = parse_decimal(word.data(), value);
        if (end != word.data() + word.size() || value > limit)
            fail("'" + std::string(word) + "' where " + what + " should be");
        return value;
    }
    void skip_blanks() {
        while (at_ < line_.size() && (line_[at_] == ' ' || line_[at_] == '\t')) ++at_;
    }
    /// Nothing but blanks and the line's end is left.
    void end() {
        while (at_ < line_.size() && is_space(line_[at_])) ++at_;
        if (at_ != line_.size())
            fail("unexpected text at the end of the instruction: '" +
                 std::string(line_.substr(at_, line_.find_last_not_of(" \t\r\n") - at_ + 1)) + "'");
    }
    std::size_t at() const { return at_; }
    [[noreturn]] void fail(const std::string& what) const { in_.fail_at(line_number_, what); }

  private:
    static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

    const LineReader& in_;
    u64 line_number_;
    std::string_view line_;
    std::size_t at_ = 0;
};

u16 parse_register(const Words& words, std::string_view word, const Dialect& dialect) {
    const bool uniform = word.starts_with("UR");
    u64 number = 0;
    if ((!uniform && !word.starts_with('R')) ||
        parse_decimal(word.data() + (uniform ? 2 : 1), number) != word.data() + word.size() ||
        number > kZeroRegister)
        words.fail("'" + std::string(word) + "' is not a register: expected R0 to R255 or UR<n>");
    if (!uniform) return number == kZeroRegister ? StaticInst::kNoRegister : static_cast<u16>(number);
    const u16 names = uniform_registers(dialect);
    if (number == kZeroRegister || (number == kOldZeroUniform && dialect.binary_version < 100))
        return StaticInst::kNoRegister;
    if (number >= names)
        words.fail("'" + std::string(word) + "' is not a register of binary version " +
                   std::to_string(dialect.binary_version) + ", which has " + std::to_string(names) +
                   " uniform ones");
    return static_cast<u16>(kUniformBase + number);
}

/// Calls visit(modifier) for each part after a '.'.
template <class Visit>
void for_each_modifier(std::string_view opcode, Visit visit) {
    for (auto dot = opcode.find('.'); dot != std::string_view::npos;) {
        const auto next = opcode.find('.', dot + 1);
        visit(opcode.substr(dot + 1, next == std::string_view::npos ? next : next - dot - 1));
        dot = next;
    }
}

bool has_modifier(std::string_view opcode, std::string_view modifier) {
    bool found = false;
    for_each_modifier(opcode, [&](std::string_view m) { found |= m == modifier; });
    return found;
}

/// Width in bits of the first modifier that is all digits, or digits after U, S or F; 32 if none.
u32 width_bits(std::string_view opcode) {
    u32 bits = 0;
    for_each_modifier(opcode, [&](std::string_view m) {
        if (bits != 0 || m.empty()) return;
        if (m[0] == 'U' || m[0] == 'S' || m[0] == 'F') m.remove_prefix(1);
        if (m == "8") bits = 8;
        if (m == "16") bits = 16;
        if (m == "32") bits = 32;
        if (m == "64") bits = 64;
        if (m == "128") bits = 128;
        if (m == "256") bits = 256;
    });
    return bits == 0 ? 32 : bits;
}

/// 32-bit registers that an instruction writes.
u8 result_registers(const Opcode& opcode, std::string_view text) {
    if (opcode.name == "LDSM")
        return has_modifier(text, "4") || text.ends_with("M88.4") ? 4 : text.ends_with(".2") ? 2 : 1;
    if (opcode.op == OpClass::memory && opcode.mem != MemOp::store)
        return static_cast<u8>(std::max(1u, width_bits(text) / 32));
    if (opcode.name == "IMAD" || opcode.name == "IMUL") return has_modifier(text, "WIDE") ? 2 : 1;
    // Accumulators of 16x8 tiles are four registers in 32 bits, two in 16; IMMA's are four.
    if (opcode.name == "HMMA" || opcode.name == "IMMA") return has_modifier(text, "F16") ? 2 : 4;
    return opcode.dst_registers;
}

void set_memory(StaticInst& inst, const Opcode& opcode, std::string_view text) {
    inst.mem = opcode.mem;
    inst.space = opcode.space;
    if (opcode.mem == MemOp::none) return;
    // A lane of LDSM/STSM names a row of 16 bytes; the 16 in its name is the element.
    const bool matrix = opcode.name == "LDSM" || opcode.name == "STSM";
    inst.access_bytes = matrix ? u8{16} : static_cast<u8>(width_bits(text) / 8);
    const bool wide_scope = has_modifier(text, "GPU") || has_modifier(text, "SYS");
    const bool global_atomic =
        opcode.space == MemSpace::global && (opcode.mem == MemOp::atomic || opcode.mem == MemOp::reduction);
    inst.bypass_l1 = global_atomic || (has_modifier(text, "STRONG") && wide_scope) ||
                     has_modifier(text, "CG") || has_modifier(text, "CV") ||
                     (opcode.mem == MemOp::async_copy && has_modifier(text, "BYPASS"));
}

/// `immediate` is the last immediate operand (version 5), which is all that a trace says about a barrier.
void set_barrier(StaticInst& inst, std::string_view text, u64 immediate) {
    inst.barrier_arrive_only = has_modifier(text, "ARV");
    constexpr u64 kBarriers = 16, kLanes = 32, kMaxWarps = 32;
    if (immediate < kBarriers) {
        inst.barrier_id = static_cast<u8>(immediate);
    } else if (immediate % kLanes == 0 && immediate <= kLanes * kMaxWarps) {
        // The thread count came last and hid the number: some barrier other than 0.
        inst.barrier_id = 1;
        inst.barrier_warps = static_cast<u8>(immediate / kLanes);
    }
}

u64 parse_immediate(Words& words) {
    const std::string_view word = words.next("the immediate");
    i64 value = 0;
    const char* const end = word.data() + word.size();
    if (parse_signed(word.data(), value) == end) return static_cast<u64>(value);
    u64 number = 0;
    const bool negative = word.starts_with('-');
    if (parse_decimal(word.data(), number) == end) return number;
    if (parse_hex(word.data() + (negative ? 1 : 0), number) == end)
        return negative ? u64{0} - number : number;
    words.fail("'" + std::string(word) + "' where the immediate should be");
}

}  // namespace

InstText parse_inst(const LineReader& in, u64 line_number, std::string_view line, const Dialect& dialect) {
    Words words(in, line_number, line);
    InstText result;
    StaticInst& inst = result.inst;
    if (dialect.line_info) words.decimal("the source line (lineinfo is on)", 0xffffffff);

    const std::string_view pc = words.next("the PC");
    if (parse_hex(pc.data(), inst.pc) != pc.data() + pc.size())
        words.fail("'" + std::string(pc) + "' where the PC of an instruction should be");
    const std::string_view mask = words.next("the mask");
    u32 mask_value = 0;
    if (mask.size() != 8 || parse_hex8(mask.data(), mask_value) == nullptr)
        words.fail("'" + std::string(mask) + "' where a mask of eight hexadecimal digits should be");
    result.mask_at = static_cast<u32>(mask.data() - line.data());

    const u64 destinations = words.decimal("the number of destinations (0 or 1)", kMaxDestinations);
    for (u64 k = 0; k < destinations; ++k)
        inst.dst[0] = parse_register(words, words.next("a destination"), dialect);
    result.name = words.next("the opcode");
    const u64 sources = words.decimal("the number of sources (0 to 4)", StaticInst::kMaxSources);
    std::size_t filled = 0;
    for (u64 k = 0; k < sources; ++k) {
        const u16 number = parse_register(words, words.next("a source"), dialect);
        if (number != StaticInst::kNoRegister) inst.src[filled++] = number;
    }
    const u64 mem_width = words.decimal("mem_width", 0xffff);
    result.has_addresses = mem_width != 0;

    result.opcode = find_opcode(dialect.generation, result.name.substr(0, result.name.find('.')));
    u64 immediate = 0;
    if (result.has_addresses) {
        words.skip_blanks();
        result.fixed_bytes = static_cast<u32>(words.at());
    } else {
        if (dialect.immediate()) immediate = parse_immediate(words);
        words.end();
        result.fixed_bytes = static_cast<u32>(line.size());
    }
    if (result.opcode == nullptr) return result;

    const Opcode& opcode = *result.opcode;
    if (opcode.needs_addresses && !result.has_addresses && mask_value != 0)
        words.fail(std::string(result.name) +
                   " with active lanes but mem_width 0: its addresses are missing");
    inst.op = opcode.op;
    inst.dst_width = inst.dst[0] == StaticInst::kNoRegister ? u8{1} : result_registers(opcode, result.name);
    set_memory(inst, opcode, result.name);
    if (opcode.op == OpClass::barrier) set_barrier(inst, result.name, immediate);
    if (opcode.name == "LDGDEPBAR") inst.async_role = AsyncRole::commit;
    if (opcode.name == "DEPBAR") {
        inst.async_role = AsyncRole::wait;
        inst.async_keep = static_cast<u8>(std::min<u64>(immediate, 255));
    }
    return result;
}

}  // namespace heddle::accelsim
