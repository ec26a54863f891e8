#include "ptx/lanes/lanes.h"

namespace heddle::ptx::base {
#include "ptx/lanes/common.inc"
#include "ptx/lanes/memory.inc"
}  // namespace heddle::ptx::base
