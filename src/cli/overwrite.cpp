#include "cli/overwrite.h"

#include <filesystem>
#include <fmt/format.h>

#include "sim/error.h"

namespace heddle::cli {

void refuse_overwriting(std::string_view option, const std::string& output,
                        const std::vector<std::string>& inputs) {
    for (const std::string& input : inputs) {
        std::error_code no_file;
        // Compares device and inode.
        if (std::filesystem::equivalent(output, input, no_file) && !no_file)
            throw InputError(fmt::format("{} {}: this is the input '{}', which would be overwritten", option,
                                         output, input));
    }
}

}  // namespace heddle::cli
