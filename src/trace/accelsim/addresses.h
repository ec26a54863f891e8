#pragma once
// The addresses of a memory line, in any of the three modes, brought to one canonical form: the same
// accesses give the same words however they were written (the choice is CtaWriter's: strided if the step is
// constant, deltas if each fits 32 bits, else absolute).

#include <array>

#include "trace/stream.h"

namespace heddle::accelsim {

inline constexpr u32 kLanes = 32;

struct Accesses {
    AddressForm form = AddressForm::none;
    u32 count = 0;                     // active lanes
    u64 base = 0;                      // strided, deltas
    i32 stride = 0;                    // strided
    std::array<u32, kLanes> deltas;    // deltas: count-1 signed words
    std::array<u64, kLanes> absolute;  // absolute: count addresses

    /// Fills `absolute` from the other forms.
    void expand();
    /// Chooses the form for `absolute[0..count)`.
    void compress();

    u64 first() const { return form == AddressForm::absolute ? absolute[0] : base; }
    /// Writes the address words behind an instruction's head; the end of what was written.
    u32* put(u32* words) const;
};

/// Reads "mode ADDR ..." for the active lanes of `mask`. Returns the character after the last number, or null
/// with `error` set to what is wrong.
const char* parse_addresses(const char* p, u32 mask, Accesses& out, const char*& error);

}  // namespace heddle::accelsim
