#pragma once
// The standards that there are; standard.cpp lists them.

#include "dram/standard.h"

namespace heddle::dram {

extern const Standard kStandardDdr3, kStandardDdr4, kStandardDdr5;
extern const Standard kStandardGddr5, kStandardGddr6;
extern const Standard kStandardHbm2, kStandardHbm2e, kStandardHbm3;
extern const Standard kStandardLpddr5;

}  // namespace heddle::dram
