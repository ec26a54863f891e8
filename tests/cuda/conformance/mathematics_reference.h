#pragma once
// The mathematical functions, computed in 128 bits, and how far results are from them.

/// Number of a function in the order of mathematics_table.h.
enum Function {
#define ONE(name, ...) of_##name,
#define TWO(name, ...) of_##name,
#define THREE(name, ...) of_##name,
#include "mathematics_table.h"
#undef ONE
#undef TWO
#undef THREE
};

struct Distance {
    double places = 0;  // from the correctly rounded result, in its last place
    double units = 0;   // from the exact result, in its last place
    double absolute = 0;
};

/// `single`: the result was to be a float.
Distance distance(Function f, const double* arguments, double got, bool single);
