#include "ptx/lanes/lanes.h"

namespace heddle::ptx::base {
#include "ptx/lanes/common.inc"
#include "ptx/lanes/convert.inc"
}  // namespace heddle::ptx::base
