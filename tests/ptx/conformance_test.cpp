#include <gtest/gtest.h>

#include "ptx/conformance_floats.h"
#include "ptx/operation.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

/// Runs every case and compares bit for bit; NaN results compare as the canonical NaN that PTX gives.
void check_all(const std::vector<Case>& cases, std::size_t n) {
    const std::string text = case_module(cases);
    Device d(text);
    const std::size_t most = 2048;
    const u64 a = d.upload(std::vector<u64>(most)), b = d.upload(std::vector<u64>(most)),
              c = d.upload(std::vector<u64>(most)), r = d.upload(std::vector<u64>(most));
    int reported = 0;
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const CaseInputs in = make_inputs(cases[k], n);
        const std::size_t count = in.a.size();
        ASSERT_LE(count, most);
        std::memcpy(reinterpret_cast<void*>(a), in.a.data(), count * 8);
        std::memcpy(reinterpret_cast<void*>(b), in.b.data(), count * 8);
        std::memcpy(reinterpret_cast<void*>(c), in.c.data(), count * 8);
        ASSERT_NO_THROW(d.run(("case" + std::to_string(k)).c_str(), {static_cast<u32>(count / 32), 1, 1},
                              {32, 1, 1}, a, b, c, r))
            << cases[k].body;
        const auto got = d.download<u64>(r, count);
        for (std::size_t i = 0; i < count; ++i) {
            const u64 want = low_bits(cases[k].want(in.a[i], in.b[i], in.c[i]), cases[k].out_bits);
            if (low_bits(got[i], cases[k].out_bits) == want) continue;
            ADD_FAILURE() << cases[k].body << std::hex << "  a=" << in.a[i] << " b=" << in.b[i]
                          << " c=" << in.c[i] << ": got " << low_bits(got[i], cases[k].out_bits) << ", want "
                          << want;
            if (++reported > 40) return;
            break;
        }
    }
}

/// The same instruction in both instruction sets.
void check_both(const std::vector<Case>& cases, std::size_t n) {
    use_wide_vectors(true);
    check_all(cases, n);
    use_wide_vectors(false);
    check_all(cases, n);
    use_wide_vectors(true);
}

}  // namespace

TEST(PtxConformance, IntegerInstructionsGiveWhatTheManualSays) {
    check_both(integer_cases(), 384);
}
TEST(PtxConformance, FloatInstructionsRoundAsIeeeDemands) {
    check_both(float_cases(), 800);
}

TEST(PtxConformance, EveryHalfConverts) {
    std::vector<Case> cases;
    for (const Case& c : float_cases())
        if (c.body == "cvt.f32.f16 %d, %a;" || c.body == "cvt.rzi.s32.f16 %d, %a;") cases.push_back(c);
    ASSERT_EQ(cases.size(), 2u);
    Device d(case_module(cases));
    std::vector<u64> all(65536);
    for (u64 k = 0; k < all.size(); ++k) all[k] = k;
    const u64 a = d.upload(all), r = d.upload(all);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        d.run(("case" + std::to_string(k)).c_str(), {64, 1, 1}, {1024, 1, 1}, a, a, a, r);
        const auto got = d.download<u64>(r, all.size());
        for (u64 v = 0; v < all.size(); ++v)
            ASSERT_EQ(low_bits(got[v], 32), low_bits(cases[k].want(v, 0, 0), 32))
                << cases[k].body << " of " << v;
    }
}

TEST(PtxConformance, ApproximationsStayWithinTheManualsBounds) {
    std::vector<Case> cases;
    for (const Approximation& p : approximations())
        cases.push_back({std::string(p.op) + " %d, %a;", {32, 32, 32}, 32, nullptr, Inputs::floats});
    Device d(case_module(cases));
    const std::size_t n = 4096;
    const u64 a = d.upload(std::vector<u64>(n)), r = d.upload(std::vector<u64>(n));
    std::mt19937_64 random(1);
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const Approximation& p = approximations()[k];
        std::vector<u64> in(n);
        for (u64& v : in) {
            double x = p.from + (p.to - p.from) * static_cast<double>(random() >> 11) * 0x1p-53;
            if (random() % 2 == 0 && p.to > 1e6) x = std::exp(std::fmod(x, 60.0));
            v = bits_of(static_cast<float>(x));
        }
        std::memcpy(reinterpret_cast<void*>(a), in.data(), n * 8);
        d.run(("case" + std::to_string(k)).c_str(), {static_cast<u32>(n / 32), 1, 1}, {32, 1, 1}, a, a, a, r);
        const auto got = d.download<u64>(r, n);
        for (std::size_t i = 0; i < n; ++i) {
            const double want = p.exact(static_cast<double>(as_f32(in[i])));
            ASSERT_LE(std::fabs(static_cast<double>(as_f32(got[i])) - want),
                      p.absolute + p.relative * std::fabs(want))
                << p.op << " of " << as_f32(in[i]);
        }
    }
}
