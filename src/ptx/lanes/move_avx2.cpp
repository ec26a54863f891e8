#include "ptx/lanes/lanes.h"
// The standard headers stand above: their inline functions must stay baseline code.
#include "ptx/lanes/avx2_begin.h"

namespace heddle::ptx::avx2 {
#include "ptx/lanes/common.inc"
#include "ptx/lanes/move.inc"
}  // namespace heddle::ptx::avx2

#include "ptx/lanes/avx2_end.h"
