#include "built.h"

namespace heddle {

std::string heddle_binary() {
    return HEDDLE_BINARY;
}

}  // namespace heddle
