#pragma once
// Functions in double from IEEE operations alone (never the C library's, whose bits differ from machine to machine).
// Largest errors are in docs/ptx.md, as tests/ptx/mathematics_test.cpp and tests/cuda/conformance/mathematics.cu find
// them: at most 0.9 units in the last place, 1.1 for y1, 1.4 for lgamma.

#include "sim/types.h"

namespace heddle::ptx::math {

double exp(double x);
double exp2(double x);
double exp10(double x);
double expm1(double x);
double log(double x);
double log2(double x);
double log10(double x);
double log1p(double x);
double pow(double x, double y);
double sin(double x);
double cos(double x);
double tan(double x);
double sinpi(double x);
double cospi(double x);
double asin(double x);
double acos(double x);
double atan(double x);
double atan2(double y, double x);
double sinh(double x);
double cosh(double x);
double tanh(double x);
double asinh(double x);
double acosh(double x);
double atanh(double x);
double cbrt(double x);
double rcbrt(double x);
double rsqrt(double x);
double hypot(double x, double y);
double rhypot(double x, double y);
double norm3d(double x, double y, double z);
double rnorm3d(double x, double y, double z);
double erf(double x);
double erfc(double x);
double erfcx(double x);
double erfinv(double x);
double erfcinv(double x);
double normcdf(double x);
double normcdfinv(double x);
double tgamma(double x);
double lgamma(double x);
double j0(double x);
double j1(double x);
/// Orders are whole; NaN of negative ones.
double jn(double order, double x);
double y0(double x);
double y1(double x);
double yn(double order, double x);
double cyl_bessel_i0(double x);
double cyl_bessel_i1(double x);
double fmod(double x, double y);
double remainder(double x, double y);
double round(double x);
double logb(double x);
double fdim(double x, double y);
double nextafter(double x, double y);
double ldexp(double x, double n);

}  // namespace heddle::ptx::math
