#include "ptx/lanes/lanes.h"

namespace heddle::ptx::base {
#include "ptx/lanes/common.inc"
#include "ptx/lanes/integer.inc"
}  // namespace heddle::ptx::base
