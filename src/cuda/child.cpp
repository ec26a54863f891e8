#include "cuda/child.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <unistd.h>

#include "sim/error.h"

namespace heddle::cuda {
std::string without_colours(std::string_view text) {
    std::string out;
    while (!text.empty()) {
        const std::size_t begin = text.find("\033[");
        out += text.substr(0, begin);
        const std::size_t end = begin == std::string_view::npos ? begin : text.find('m', begin);
        if (end == std::string_view::npos) break;
        text.remove_prefix(end + 1);
    }
    return out;
}

TemporaryFolder::TemporaryFolder() {
    const char* base = std::getenv("TMPDIR");
    path_ = base != nullptr && *base != '\0' ? base : "/tmp";
    path_ += "/heddle-XXXXXX";
    if (mkdtemp(path_.data()) == nullptr)
        throw InputError("no temporary folder '" + path_ + "' can be made: " + std::strerror(errno));
}

TemporaryFolder::~TemporaryFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

}  // namespace heddle::cuda
