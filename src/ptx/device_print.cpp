#include "ptx/device_print.h"

#include <bit>
#include <cstdio>

namespace heddle::ptx {

namespace {

template <class... Args>
void append(std::string& out, const std::string& spec, Args... args) {
    char small[256];
    const int n = std::snprintf(small, sizeof small, spec.c_str(), args...);
    if (n < 0) return;
    if (static_cast<std::size_t>(n) < sizeof small) {
        out.append(small, static_cast<std::size_t>(n));
        return;
    }
    std::string big(static_cast<std::size_t>(n) + 1, '\0');
    std::snprintf(big.data(), big.size(), spec.c_str(), args...);
    out.append(big.data(), static_cast<std::size_t>(n));
}

}  // namespace

std::string format_device_print(std::string_view format, const std::function<u64(u32, u32)>& read,
                                const std::function<std::string(u64)>& text) {
    std::string out;
    u32 at = 0;
    auto next = [&](u32 bytes) {
        at = (at + bytes - 1) / bytes * bytes;
        const u64 v = read(at, bytes);
        at += bytes;
        return v;
    };
    for (std::size_t k = 0; k < format.size(); ++k) {
        if (format[k] != '%') {
            out += format[k];
            continue;
        }
        std::string spec = "%";
        std::size_t j = k + 1;
        auto take = [&](std::string_view set) {
            while (j < format.size() && set.find(format[j]) != std::string_view::npos) {
                if (format[j] == '*')
                    spec += std::to_string(static_cast<i32>(static_cast<u32>(next(4))));
                else if (spec.size() < 64)
                    spec += format[j];
                ++j;
            }
        };
        take("-+ #0");
        take("0123456789*");
        take(".");
        take("0123456789*");
        std::string length;
        while (j < format.size() && std::string_view("hlLjzt").find(format[j]) != std::string_view::npos)
            length += format[j++];
        if (j >= format.size()) {
            out += format.substr(k);
            break;
        }
        const bool wide = length.find_first_of("ljzt") != std::string::npos;
        const char c = format[j];
        switch (c) {
            case '%':
                out += '%';
                break;
            case 'd':
            case 'i': {
                const i64 v = wide ? static_cast<i64>(next(8)) : static_cast<i32>(static_cast<u32>(next(4)));
                const i64 shown = length == "h"    ? static_cast<i16>(v)
                                  : length == "hh" ? static_cast<i8>(v)
                                                   : v;
                append(out, spec + "ll" + c, static_cast<long long>(shown));
                break;
            }
            case 'u':
            case 'o':
            case 'x':
            case 'X': {
                const u64 v = next(wide ? 8 : 4);
                const u64 shown = length == "h"    ? static_cast<u16>(v)
                                  : length == "hh" ? static_cast<u8>(v)
                                                   : v;
                append(out, spec + "ll" + c, static_cast<unsigned long long>(shown));
                break;
            }
            case 'c':
                append(out, spec + c, static_cast<int>(next(4)));
                break;
            case 'p': {
                const u64 v = next(8);
                append(out, spec + 'p', reinterpret_cast<void*>(v));
                break;
            }
            case 's':
                append(out, spec + 's', text(next(8)).c_str());
                break;
            case 'a':
            case 'A':
            case 'e':
            case 'E':
            case 'f':
            case 'F':
            case 'g':
            case 'G':
                append(out, spec + c, std::bit_cast<double>(next(8)));
                break;
            default:
                out += format.substr(k, j - k + 1);
        }
        k = j;
    }
    return out;
}

}  // namespace heddle::ptx
