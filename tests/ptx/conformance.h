#pragma once
// Instructions against plain C++: a case is one instruction (or a few) on up to three inputs, and what the PTX manual
// says it gives. Cases of a list are compiled into one module, a kernel each.

#include <functional>
#include <random>
#include <string>
#include <vector>

#include "ptx/device.h"

namespace heddle::ptx::test {

enum class Inputs { integers, floats, halves, bfloats };

struct Case {
    std::string body;  // of %a, %b, %c (inputs), %d (result), %p, %q (predicates)
    std::array<int, 3> in_bits{32, 32, 32};
    int out_bits = 32;
    std::function<u64(u64, u64, u64)> want;
    Inputs inputs = Inputs::integers;
};

inline std::string case_kernel(const Case& c, std::size_t number) {
    auto reg = [](const char* name, int bits) {
        return "\t.reg .b" + std::to_string(bits < 16 ? 16 : bits) + " " + name + ";\n";
    };
    std::string s = ".visible .entry case" + std::to_string(number) +
                    "(.param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u64 pd)\n{\n"
                    "\t.reg .pred %p, %q;\n\t.reg .b32 %i<5>;\n\t.reg .b64 %x<9>;\n";
    const char* names[3] = {"%a", "%b", "%c"};
    const char* params[3] = {"pa", "pb", "pc"};
    for (int k = 0; k < 3; ++k) s += reg(names[k], c.in_bits[static_cast<std::size_t>(k)]);
    s += reg("%d", c.out_bits);
    s += "\tmov.u32 %i0, %ctaid.x;\n\tmov.u32 %i1, %ntid.x;\n\tmov.u32 %i2, %tid.x;\n\tmad.lo.s32 %i3, %i0, "
         "%i1, %i2;\n"
         "\tmul.wide.u32 %x8, %i3, 8;\n";
    for (int k = 0; k < 3; ++k) {
        const std::string x = "%x" + std::to_string(k);
        const int bits = c.in_bits[static_cast<std::size_t>(k)];
        s += "\tld.param.u64 " + x + ", [" + params[k] + "];\n\tadd.s64 " + x + ", " + x +
             ", %x8;\n\tld.global.b" + std::to_string(bits) + " " + names[k] + ", [" + x + "];\n";
    }
    s += "\t" + c.body + "\n\tld.param.u64 %x4, [pd];\n\tadd.s64 %x4, %x4, %x8;\n\tst.global.b" +
         std::to_string(c.out_bits) + " [%x4], %d;\n\tret;\n}\n";
    return s;
}

inline std::string case_module(const std::vector<Case>& cases) {
    std::string s = ".version 8.0\n.target sm_80\n.address_size 64\n";
    for (std::size_t k = 0; k < cases.size(); ++k) s += case_kernel(cases[k], k);
    return s;
}

inline u64 low_bits(u64 v, int bits) {
    return bits >= 64 ? v : v & ((u64{1} << bits) - 1);
}

/// Values where instructions turn corners, and random ones; a multiple of 32.
inline std::vector<u64> interesting(int bits, Inputs kind, std::size_t n, u32 seed) {
    std::vector<u64> v;
    const u64 top = u64{1} << (bits - 1);
    if (kind == Inputs::integers) {
        for (u64 x :
             {u64{0}, u64{1}, u64{2}, u64{3}, u64{7}, u64{31}, u64{32}, u64{33}, u64{63}, u64{64}, u64{255},
              top, top - 1, top + 1, ~u64{0}, ~u64{0} - 1, ~u64{0} - 30, u64{0x8080808080808080}})
            v.push_back(low_bits(x, bits));
    } else {
        const int fraction = kind == Inputs::halves ? 10 : kind == Inputs::bfloats ? 7 : bits == 32 ? 23 : 52;
        const u64 infinity = low_bits(~u64{0} << fraction, bits - 1),
                  one = (infinity >> 1) & (~u64{0} << fraction);
        for (u64 x : {u64{0}, u64{1}, (u64{1} << fraction) - 1, u64{1} << fraction, (u64{1} << fraction) + 1,
                      one, one + 1, one - 1, one + (u64{1} << fraction), one | u64{1} << (fraction - 1),
                      infinity - 1, infinity, infinity + 1, infinity | u64{1} << (fraction - 1)}) {
            v.push_back(x);
            v.push_back(x | top);
        }
    }
    std::mt19937_64 random(seed);
    while (v.size() < n || v.size() % 32 != 0) {
        u64 x = random();
        if (kind == Inputs::integers) {
            x >>= random() % 64;
            if (random() % 4 == 0) x = ~x;
        } else if (random() % 2 == 0) {  // exponents near one
            const int fraction = kind == Inputs::halves    ? 10
                                 : kind == Inputs::bfloats ? 7
                                 : bits == 32              ? 23
                                                           : 52;
            const u64 one = (low_bits(~u64{0} << fraction, bits - 1) >> 1) & (~u64{0} << fraction);
            x = (x & (top | ((u64{1} << fraction) - 1))) |
                (one + ((random() % 8) << fraction) - (u64{4} << fraction));
        }
        v.push_back(low_bits(x, bits));
    }
    return v;
}

/// Inputs of a case: all pairs of corners first, then random triples.
struct CaseInputs {
    std::vector<u64> a, b, c;
};
inline CaseInputs make_inputs(const Case& c, std::size_t n) {
    CaseInputs in;
    const auto a = interesting(c.in_bits[0], c.inputs, 64, 1), b = interesting(c.in_bits[1], c.inputs, 64, 2),
               z = interesting(c.in_bits[2], c.inputs, 64, 3);
    std::mt19937_64 random(4);
    const std::size_t corners = c.inputs == Inputs::integers ? 18 : 28;
    for (std::size_t i = 0; i < corners; ++i)
        for (std::size_t j = 0; j < corners; ++j) {
            in.a.push_back(a[i]);
            in.b.push_back(b[j]);
            in.c.push_back(z[random() % z.size()]);
        }
    const auto ra = interesting(c.in_bits[0], c.inputs, n, 5), rb = interesting(c.in_bits[1], c.inputs, n, 6),
               rc = interesting(c.in_bits[2], c.inputs, n, 7);
    while (in.a.size() < n || in.a.size() % 32 != 0) {
        in.a.push_back(ra[random() % ra.size()]);
        in.b.push_back(rb[random() % rb.size()]);
        in.c.push_back(rc[random() % rc.size()]);
    }
    return in;
}

}  // namespace heddle::ptx::test
