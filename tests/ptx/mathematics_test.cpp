// Our elementary functions against the C library's in extended precision, and the __nv_* names as a program calls them.

#include "ptx/mathematics.h"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

double units_off(double got, long double want) {
    const double w = static_cast<double>(want);
    if ((std::isnan(got) && std::isnan(w)) || got == w) return 0;
    if (!std::isfinite(w) || !std::isfinite(got)) return 1e9;
    int e = 0;
    std::frexp(w, &e);
    return std::fabs(static_cast<double>((static_cast<long double>(got) - want) /
                                         std::ldexp(1.0L, std::max(e, -1021) - 53)));
}

struct Row {
    const char* name;
    double (*ours)(double);
    long double (*exact)(long double);
    double from, to, bound;
};

long double power_of_ten(long double x) {
    return std::pow(10.0L, x);
}
long double reciprocal_root(long double x) {
    return 1 / std::sqrt(x);
}
long double reciprocal_cube_root(long double x) {
    return 1 / std::cbrt(x);
}
long double normal_tail(long double x) {
    return 0.5L * std::erfc(-x * 0.707106781186547524400844362104849039L);
}

}  // namespace

TEST(PtxMathematics, FunctionsOfOneArgumentStayWithinTheirBounds) {
    const Row rows[] = {
        {"exp", math::exp, std::exp, -745, 709, 0.7},
        {"exp2", math::exp2, std::exp2, -1074, 1023, 0.8},
        {"exp10", math::exp10, power_of_ten, -323, 308, 0.7},
        {"expm1", math::expm1, std::expm1, -2, 2, 0.6},
        {"log", math::log, std::log, 1e-3, 1e3, 0.6},
        {"log near 1", math::log, std::log, 0.99, 1.01, 0.6},
        {"log2", math::log2, std::log2, 1e-3, 1e3, 0.6},
        {"log10", math::log10, std::log10, 1e-3, 1e3, 0.6},
        {"log1p", math::log1p, std::log1p, -0.9, 2, 0.6},
        {"sin", math::sin, std::sin, -100, 100, 0.8},
        {"sin large", math::sin, std::sin, -1e15, 1e15, 0.7},
        {"cos huge", math::cos, std::cos, -1e300, 1e300, 0.7},
        {"cos", math::cos, std::cos, -100, 100, 0.7},
        {"tan", math::tan, std::tan, -10, 10, 1},
        {"asin", math::asin, std::asin, -1, 1, 0.6},
        {"acos", math::acos, std::acos, -1, 1, 0.6},
        {"acos near 1", math::acos, std::acos, 0.999999, 1, 0.6},
        {"atan", math::atan, std::atan, -20, 20, 0.6},
        {"sinh", math::sinh, std::sinh, -20, 20, 0.6},
        {"cosh", math::cosh, std::cosh, -20, 20, 0.6},
        {"cosh large", math::cosh, std::cosh, 700, 710.4, 0.6},
        {"tanh", math::tanh, std::tanh, -3, 3, 0.6},
        {"asinh", math::asinh, std::asinh, -10, 10, 0.6},
        {"acosh", math::acosh, std::acosh, 1, 20, 0.6},
        {"acosh near 1", math::acosh, std::acosh, 1, 1.0001, 0.6},
        {"atanh", math::atanh, std::atanh, -1, 1, 0.6},
        {"cbrt", math::cbrt, std::cbrt, -1000, 1000, 0.6},
        {"rcbrt", math::rcbrt, reciprocal_cube_root, -1000, 1000, 0.6},
        {"rcbrt of subnormal numbers", math::rcbrt, reciprocal_cube_root, 0, 1e-308, 0.6},
        {"rsqrt", math::rsqrt, reciprocal_root, 0, 1000, 0.6},
        {"rsqrt of subnormal numbers", math::rsqrt, reciprocal_root, 0, 1e-308, 0.6},
        {"erf", math::erf, std::erf, -6, 6, 0.7},
        {"erfc", math::erfc, std::erfc, -2, 26, 0.8},
        {"normcdf", math::normcdf, normal_tail, -10, 8, 0.8},
        {"tgamma", math::tgamma, std::tgamma, 0.1, 170, 0.8},
        {"tgamma reflected", math::tgamma, std::tgamma, -20, 0.5, 0.8},
        {"tgamma far below", math::tgamma, std::tgamma, -179, -170, 0.8},
        {"lgamma", math::lgamma, std::lgamma, 2.5, 1000, 0.7},
        {"lgamma near its zeros", math::lgamma, std::lgamma, 0.01, 2.5, 1.5},
        {"lgamma reflected", math::lgamma, std::lgamma, -2.2, 0, 0.8},
    };
    std::mt19937_64 random(1);
    for (const Row& r : rows)
        for (int k = 0; k < 3000; ++k) {
            const double x = r.from + (r.to - r.from) * (static_cast<double>(random() >> 11) * 0x1p-53);
            ASSERT_LE(units_off(r.ours(x), r.exact(static_cast<long double>(x))), r.bound)
                << r.name << " of " << x;
        }
}

TEST(PtxMathematics, FunctionsOfTwoArgumentsStayWithinTheirBounds) {
    std::mt19937_64 random(2);
    auto uniform = [&](double from, double to) {
        return from + (to - from) * (static_cast<double>(random() >> 11) * 0x1p-53);
    };
    for (int k = 0; k < 10000; ++k) {
        const double x = std::exp(uniform(-20, 20)), y = uniform(-30, 30), z = uniform(-20, 20);
        ASSERT_LE(
            units_off(math::pow(x, y), std::pow(static_cast<long double>(x), static_cast<long double>(y))),
            0.8)
            << x << " " << y;
        ASSERT_LE(units_off(math::atan2(z, y),
                            std::atan2(static_cast<long double>(z), static_cast<long double>(y))),
                  0.6)
            << z << " " << y;
        ASSERT_LE(units_off(math::hypot(z, x),
                            std::hypot(static_cast<long double>(z), static_cast<long double>(x))),
                  0.6);
        ASSERT_LE(units_off(math::rhypot(z, x),
                            1 / std::hypot(static_cast<long double>(z), static_cast<long double>(x))),
                  0.6);
        ASSERT_EQ(math::fmod(z, x), std::fmod(z, x));
        ASSERT_EQ(math::remainder(z, x), std::remainder(z, x));
    }
}

TEST(PtxMathematics, InversesLeadBack) {
    std::mt19937_64 random(3);
    for (int k = 0; k < 3000; ++k) {
        const double p = static_cast<double>((random() >> 11) | 1) * 0x1p-53;
        // The slope of a function says what a unit of its argument is worth.
        auto lead_back = [&](double x, long double back, double slope, const char* what) {
            const double tolerance = 0.6 * std::fabs(x) * 0x1p-52 * slope + 2e-19 * p;
            ASSERT_LE(std::fabs(static_cast<double>(back - static_cast<long double>(p))), tolerance)
                << what << " of " << p;
        };
        const double e = math::erfinv(p), c = math::erfcinv(p), n = math::normcdfinv(p);
        lead_back(e, std::erf(static_cast<long double>(e)), 1.1283791670955126 * std::exp(-e * e), "erfinv");
        lead_back(c, std::erfc(static_cast<long double>(c)), 1.1283791670955126 * std::exp(-c * c),
                  "erfcinv");
        lead_back(n, normal_tail(n), 0.3989422804014327 * std::exp(-n * n / 2), "normcdfinv");
    }
    EXPECT_EQ(math::erfcinv(1), 0);
    EXPECT_EQ(math::normcdfinv(0.5), 0);
    EXPECT_EQ(math::erfc(-1e200), 2);
    EXPECT_EQ(math::pow(3e-130, 7e307), 0);
    EXPECT_EQ(math::pow(3e-130, -7e307), INFINITY);
}

TEST(PtxMathematics, BesselFunctionsAgreeWithTheStandardLibrary) {
    for (int k = 1; k < 400; ++k) {
        const double x = k * 0.173;
        auto near = [&](double got, double want) {
            ASSERT_NEAR(got, want, 1e-11 * std::fmax(1, std::fabs(want))) << x;
        };
        near(math::j0(x), std::cyl_bessel_j(0, x));
        near(math::j1(x), std::cyl_bessel_j(1, x));
        near(math::y0(x), std::cyl_neumann(0, x));
        near(math::y1(x), std::cyl_neumann(1, x));
        near(math::jn(5, x), std::cyl_bessel_j(5, x));
        near(math::yn(5, x), std::cyl_neumann(5, x));
        near(math::cyl_bessel_i0(x), std::cyl_bessel_i(0, x));
        near(math::cyl_bessel_i1(x), std::cyl_bessel_i(1, x));
    }
}

TEST(PtxMathematics, EdgesAreThoseOfTheCLibrary) {
    const double inf = INFINITY, nan = NAN;
    for (double x :
         {0.0, -0.0, 1.0, -1.0, 2.0, 0.5, -2.5, 3.0, -3.0, 1e-310, 1e308, -1e308, inf, -inf, nan}) {
        auto same = [&](double a, double b, const char* what) {
            EXPECT_TRUE((std::isnan(a) && std::isnan(b)) || (a == b && std::signbit(a) == std::signbit(b)) ||
                        units_off(a, static_cast<long double>(b)) < 3)
                << what << " of " << x << ": " << a << ", not " << b;
        };
        same(math::exp(x), std::exp(x), "exp");
        same(math::log(x), std::log(x), "log");
        same(math::log1p(x), std::log1p(x), "log1p");
        same(math::sin(x), std::sin(x), "sin");
        same(math::cos(x), std::cos(x), "cos");
        same(math::atan(x), std::atan(x), "atan");
        same(math::asin(x), std::asin(x), "asin");
        same(math::sinh(x), std::sinh(x), "sinh");
        same(math::tanh(x), std::tanh(x), "tanh");
        same(math::cbrt(x), std::cbrt(x), "cbrt");
        same(math::erf(x), std::erf(x), "erf");
        same(math::erfc(x), std::erfc(x), "erfc");
        same(math::round(x), std::round(x), "round");
        same(math::logb(x), std::logb(x), "logb");
        for (double y : {0.0, -0.0, 1.0, -1.0, 2.0, -3.0, 0.5, inf, -inf, nan, 1e300}) {
            same(math::pow(x, y), std::pow(x, y), ("pow to " + std::to_string(y)).c_str());
            same(math::atan2(x, y), std::atan2(x, y), ("atan2 over " + std::to_string(y)).c_str());
            same(math::fmod(x, y), std::fmod(x, y), ("fmod by " + std::to_string(y)).c_str());
            same(math::hypot(x, y), std::hypot(x, y), "hypot");
        }
    }
}

TEST(PtxMathematics, ProgramsCallLibraryFunctionsByName) {
    Device d(module_text(R"(
.extern .func (.param .b32 r) __nv_powf(.param .b32 a, .param .b32 b);
.extern .func (.param .b64 r) __nv_log(.param .b64 a);
.visible .entry k(.param .u64 f, .param .u64 g) {
	.reg .f32 %f<4>;
	.reg .f64 %d<4>;
	.reg .b32 %r<2>;
	.reg .b64 %rd<4>;
	mov.u32 %r0, %tid.x;
	cvt.rn.f32.u32 %f0, %r0;
	cvt.rn.f64.u32 %d0, %r0;
	{
	.param .b32 p0;
	st.param.f32 [p0+0], %f0;
	.param .b32 p1;
	st.param.f32 [p1+0], 0f40200000;
	.param .b32 r0;
	call.uni (r0), __nv_powf, (p0, p1);
	ld.param.f32 %f1, [r0+0];
	}
	{
	.param .b64 p0;
	st.param.f64 [p0+0], %d0;
	.param .b64 r0;
	call.uni (r0), __nv_log, (p0);
	ld.param.f64 %d1, [r0+0];
	}
	ld.param.u64 %rd0, [f];
	ld.param.u64 %rd1, [g];
	mul.wide.u32 %rd2, %r0, 4;
	add.s64 %rd0, %rd0, %rd2;
	st.global.f32 [%rd0], %f1;
	mul.wide.u32 %rd2, %r0, 8;
	add.s64 %rd1, %rd1, %rd2;
	st.global.f64 [%rd1], %d1;
	ret;
}
)"));
    const u64 f = d.upload(std::vector<float>(32)), g = d.upload(std::vector<double>(32));
    d.run("k", {1, 1, 1}, {32, 1, 1}, f, g);
    const auto powers = d.download<float>(f, 32);
    const auto logs = d.download<double>(g, 32);
    for (int t = 0; t < 32; ++t) {
        const auto k = static_cast<std::size_t>(t);
        EXPECT_EQ(powers[k], static_cast<float>(std::pow(static_cast<long double>(t), 2.5L)));
        EXPECT_LE(units_off(logs[k], std::log(static_cast<long double>(t))), 0.6);
    }
}
