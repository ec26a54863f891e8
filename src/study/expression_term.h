#pragma once
// A measure after parsing: between expression.cpp, which parses, and expression_value.cpp, which evaluates.

#include <string>
#include <vector>

#include "study/expression.h"

namespace heddle::study {

constexpr std::size_t kNoWorkload = ~std::size_t{0};

enum class Op : u8 {
    number,
    figure,
    negate,
    invert,  // leaves and prefixes
    add,
    subtract,
    multiply,
    divide,  // numbers
    less,
    less_equal,
    greater,
    greater_equal,
    equal,  // comparisons
    both,
    either,  // truth
    largest,
    smallest,
    absolute,  // of single values
    geomean,
    mean,
    min,
    max,
    sum,
    count,
    share,
    all,
    any,
    correlation,  // aggregates
};

struct Expression::Term {
    Op op = Op::number;
    double number = 0;
    std::size_t metric = 0, variant = 0, workload = kNoWorkload;
    std::vector<std::size_t> set;  // of an aggregate
    std::vector<Term> children;
    bool truth = false;
    std::string text;                    // for messages: a figure, an aggregate's name, what divides
    std::vector<std::string> arguments;  // of an aggregate, as they were written
};

}  // namespace heddle::study
