#pragma once
// cuRAND's device API: a generator's state in each thread, and the numbers that it draws.
//
// XORWOW, MRG32k3a and Philox4x32-10 give the sequences of these algorithms with cuRAND's seeding and subsequences. Uniform and
// normal numbers are made from them as cuRAND's manual says. Poisson numbers have the right distribution, but are not NVIDIA's
// sequence. Not there: MTGP32 and the Sobol generators.

#include "curand.h"

#define CURAND_KERNEL_H_

#if defined(__CUDA__) && defined(__cplusplus)
#include "heddle/random_generators.h"
#include "heddle/random_numbers.h"
#endif
