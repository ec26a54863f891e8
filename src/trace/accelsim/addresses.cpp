#include "trace/accelsim/addresses.h"

#include <bit>

#include "trace/input/numbers.h"

namespace heddle::accelsim {
namespace {

constexpr const char* kTooFew = "fewer addresses than active lanes";
constexpr const char* kNoBase = "no base address after the address mode";

const char* skip_blanks(const char* p) {
    while (*p == ' ' || *p == '\t') ++p;
    return p;
}

/// A number must be followed by a blank or the line's end.
bool stops(const char* p) {
    return static_cast<u8>(*p) <= ' ';
}

bool fits_word(i64 value) {
    return value == static_cast<i32>(value);
}

const char* parse_list(const char* p, Accesses& out, const char*& error) {
    for (u32 k = 0; k < out.count; ++k) {
        const char* const end = parse_hex(skip_blanks(p), out.absolute[k]);
        if (end == nullptr || !stops(end)) {
            error = kTooFew;
            return nullptr;
        }
        p = end;
    }
    out.compress();
    return p;
}

const char* parse_strided(const char* p, u32 mask, Accesses& out, const char*& error) {
    i64 stride = 0;
    p = parse_hex(skip_blanks(p), out.base);
    if (p == nullptr || !stops(p)) {
        error = kNoBase;
        return nullptr;
    }
    p = parse_signed(skip_blanks(p), stride);
    if (p == nullptr || !stops(p)) {
        error = "no stride after the base address of address mode 1";
        return nullptr;
    }
    if (out.count == 0) return p;
    const u64 run = u64{mask} >> std::countr_zero(mask);
    if ((run & (run + 1)) != 0) {
        error = "address mode 1 (base and stride) with gaps between the active lanes";
        return nullptr;
    }
    if (fits_word(stride)) {
        out.form = AddressForm::strided;
        out.stride = out.count == 1 ? 0 : static_cast<i32>(stride);
        return p;
    }
    for (u32 k = 0; k < out.count; ++k) out.absolute[k] = out.base + k * static_cast<u64>(stride);
    out.compress();
    return p;
}

const char* parse_deltas(const char* p, Accesses& out, const char*& error) {
    p = parse_hex(skip_blanks(p), out.base);
    if (p == nullptr || !stops(p)) {
        error = kNoBase;
        return nullptr;
    }
    u32 differ = 0;
    bool narrow = true;
    const char* const deltas = p;
    for (u32 k = 0; k + 1 < out.count; ++k) {
        i64 delta = 0;
        p = parse_signed(skip_blanks(p), delta);
        if (p == nullptr || !stops(p)) {
            error = kTooFew;
            return nullptr;
        }
        out.deltas[k] = static_cast<u32>(delta);
        differ |= out.deltas[k] ^ out.deltas[0];
        narrow &= fits_word(delta);
    }
    if (out.count == 0) return p;
    if (narrow) {
        const bool strided = differ == 0;
        out.form = strided ? AddressForm::strided : AddressForm::deltas;
        out.stride = out.count > 1 ? static_cast<i32>(out.deltas[0]) : 0;
        return p;
    }
    u64 address = out.absolute[0] = out.base;
    const char* q = deltas;
    for (u32 k = 1; k < out.count; ++k) {
        i64 delta = 0;
        q = parse_signed(skip_blanks(q), delta);
        out.absolute[k] = address += static_cast<u64>(delta);
    }
    out.compress();
    return p;
}

}  // namespace

void Accesses::expand() {
    u64 address = base;
    switch (form) {
        case AddressForm::none:
        case AddressForm::absolute:
            return;
        case AddressForm::strided:
            for (u32 k = 0; k < count; ++k, address += static_cast<u64>(i64{stride})) absolute[k] = address;
            return;
        case AddressForm::deltas:
            absolute[0] = address;
            for (u32 k = 1; k < count; ++k)
                absolute[k] = address += static_cast<u64>(i64{static_cast<i32>(deltas[k - 1])});
            return;
    }
}

void Accesses::compress() {
    if (count == 0) {
        form = AddressForm::none;
        return;
    }
    base = absolute[0];
    u64 differ = 0;
    bool narrow = true;
    const u64 step = count > 1 ? absolute[1] - absolute[0] : 0;
    for (u32 k = 1; k < count; ++k) {
        const u64 delta = absolute[k] - absolute[k - 1];
        deltas[k - 1] = static_cast<u32>(delta);
        differ |= delta ^ step;
        narrow &= fits_word(static_cast<i64>(delta));
    }
    form = !narrow ? AddressForm::absolute : differ == 0 ? AddressForm::strided : AddressForm::deltas;
    stride = static_cast<i32>(step);
}

u32* Accesses::put(u32* words) const {
    auto put64 = [&](u64 value) {
        *words++ = static_cast<u32>(value);
        *words++ = static_cast<u32>(value >> 32);
    };
    switch (form) {
        case AddressForm::none:
            break;
        case AddressForm::strided:
            put64(base);
            *words++ = static_cast<u32>(stride);
            break;
        case AddressForm::deltas:
            put64(base);
            for (u32 k = 0; k + 1 < count; ++k) *words++ = deltas[k];
            break;
        case AddressForm::absolute:
            for (u32 k = 0; k < count; ++k) put64(absolute[k]);
            break;
    }
    return words;
}

const char* parse_addresses(const char* p, u32 mask, Accesses& out, const char*& error) {
    out.count = static_cast<u32>(std::popcount(mask));
    out.form = AddressForm::none;
    const char mode = *p;
    if (!stops(p + 1)) {
        error = "unknown address mode: expected 0 (list), 1 (base and stride) or 2 (base and deltas)";
        return nullptr;
    }
    switch (mode) {
        case '0':
            return parse_list(p + 1, out, error);
        case '1':
            return parse_strided(p + 1, mask, out, error);
        case '2':
            return parse_deltas(p + 1, out, error);
        default:
            error = "unknown address mode: expected 0 (list), 1 (base and stride) or 2 (base and deltas)";
            return nullptr;
    }
}

}  // namespace heddle::accelsim
