#pragma once
// Recognises instruction lines by their text, so that a line is read in full only the first time.
//
// A program executes the same few thousand instructions millions of times, mostly in the same order. For
// each different line the cache keeps the text that repeats (all of it but the mask, up to the addresses if
// there are any) and the line that followed it last time. The reader compares the input with the line that
// it expects: when that fits, which is nearly always, an instruction costs four 16-byte comparisons and no
// parsing. When it does not, the line is looked up by its PC, and only an unknown one is parsed.

#include <array>
#include <cstring>
#include <emmintrin.h>
#include <string>
#include <vector>

#include "trace/accelsim/dialect.h"
#include "trace/input/line_reader.h"
#include "trace/stream.h"

namespace heddle::accelsim {

/// What the reader has to do with a line.
enum class LineKind : u8 {
    plain,    // no addresses, nothing to watch: its word goes out
    watched,  // no addresses; unknown opcode, or one that must not have active lanes
    memory,   // addresses follow, the space is known
    generic,  // addresses follow; shared, local or global by the first
    copy,     // LDGSTS: global to shared; may be listed once for each side
    ignored,  // addresses follow but the operation has no use for them
};

struct Line {
    static constexpr u32 kInline = 64;
    static constexpr u32 kNone = 0xffffffff;

    std::array<u64, kInline / 8> text{};
    std::array<u64, kInline / 8> care{};  // ones where the text must be equal
    u64 mask_text = 0;                    // the mask met last, as text and as number
    u32 mask = 0;
    u32 next = 0;  // the line that followed last time
    u32 static_index = 0;
    u32 bytes = 0;  // of text that repeats
    u32 mask_at = 0;
    LineKind kind = LineKind::plain;
    bool is_exit = false;
    MemSpace space = MemSpace::none;
    u8 access_bytes = 0;
    u32 tail = kNone;                          // text beyond kInline bytes: index into tails_
    u32 same_pc = kNone;                       // next line with this PC
    u32 unknown = kNone;                       // index of the unknown opcode
    std::array<u32, 2> variant{kNone, kNone};  // generic: static index of the shared and local forms
};

class LineCache {
  public:
    LineCache(const Dialect& dialect, std::vector<StaticInst>& static_insts);

    /// The line at `p` (kPadding readable bytes follow), found or made; an index for at().
    /// Throws InputError if it is not an instruction.
    u32 find(const LineReader& in, u64 line_number, const char* p);

    Line& at(u32 index) { return lines_[index]; }
    bool matches(const Line& line, const char* p) const {
        auto load = [](const void* at) { return _mm_loadu_si128(static_cast<const __m128i*>(at)); };
        __m128i different = _mm_setzero_si128();
        for (u32 k = 0; k < Line::kInline; k += 16)
            different = _mm_or_si128(
                different,
                _mm_and_si128(_mm_xor_si128(load(p + k), load(&line.text[k / 8])), load(&line.care[k / 8])));
        const bool same = _mm_movemask_epi8(_mm_cmpeq_epi8(different, _mm_setzero_si128())) == 0xffff;
        return same && (line.tail == Line::kNone || tail_matches(line, p));
    }

    /// Static index of a generic line's form in shared or local memory.
    u32 variant(u32 index, MemSpace space);

    std::vector<std::pair<std::string, u64>>& unknown_opcodes() { return unknown_; }
    const std::vector<std::pair<std::string, u64>>& unknown_opcodes() const { return unknown_; }

  private:
    bool tail_matches(const Line& line, const char* p) const;
    u32 add(const LineReader& in, u64 line_number, const char* p, u64 hash);
    u32 add_static(const StaticInst& inst, const LineReader& in, u64 line_number);
    u64 pc_hash(const char* p) const;
    void grow();

    const Dialect& dialect_;
    std::vector<StaticInst>& static_insts_;
    std::vector<Line> lines_;
    std::vector<std::string> tails_;
    std::vector<u32> heads_;   // by PC hash: the first line of a chain
    std::vector<u64> hashes_;  // of lines_
    std::vector<std::pair<std::string, u64>> unknown_;
};

}  // namespace heddle::accelsim
