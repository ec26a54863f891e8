#include "sim/build.h"

namespace heddle {

std::string heddle_version() {
    return HEDDLE_VERSION;
}

std::string checkout(std::string_view path) {
    return std::string(HEDDLE_SOURCE_DIR "/").append(path);
}

std::string sanitizer_library() {
    return HEDDLE_SANITIZER_LIBRARY;
}

}  // namespace heddle
