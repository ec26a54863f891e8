#include "cuda/packages.h"

#include <array>
#include <cstdio>
#include <filesystem>
#include <unistd.h>

#include "cuda/child.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

struct HeaderLibrary {
    std::string_view folder, package;
};
constexpr std::array kHeaderLibraries{
    HeaderLibrary{"thrust", "libthrust-dev"}, HeaderLibrary{"cub", "libcub-dev"},
    HeaderLibrary{"cuda", "libcu++-dev"}, HeaderLibrary{"nv", "libcu++-dev"}};

bool succeeds(const std::vector<std::string>& command) {
    ChildOptions options;
    options.output_to_error = true;
    options.error_file = "/dev/null";
    const ChildEnd end = run_child(command, options);
    return end.code == 0 && end.signal == 0;
}

bool is_there(const HeaderLibrary& library, const std::string& include) {
    return std::filesystem::exists(include + "/" + std::string(library.folder));
}

}  // namespace

MissingHeader missing_header(std::string_view compiler_said, const std::string& include) {
    constexpr std::string_view before = "fatal error: '", behind = "' file not found";
    const std::size_t end = compiler_said.find(behind);
    const std::size_t begin = end == std::string_view::npos ? end : compiler_said.rfind(before, end);
    if (begin == std::string_view::npos) return {};
    const std::string_view header = compiler_said.substr(begin + before.size(), end - begin - before.size());
    for (const HeaderLibrary& library : kHeaderLibraries)
        if (header.substr(0, header.find('/')) == library.folder && !is_there(library, include))
            return {std::string(header), std::string(library.package)};
    return {};
}

void install(const MissingHeader& missing) {
    const std::string advice = "'" + missing.header + "' is in Debian's package " + missing.package +
                               ": apt-get install " + missing.package;
    if (find_on_path("apt-get").empty()) throw InputError(advice);
    std::vector<std::string> as_root;
    if (geteuid() != 0) {
        as_root = {"sudo", "-n"};
        if (find_on_path("sudo").empty() || !succeeds({"sudo", "-n", "true"})) throw InputError(advice);
    }
    std::fprintf(stderr, "heddle: installing %s, which has '%s'\n", missing.package.c_str(),
                 missing.header.c_str());
    for (const std::vector<std::string>& words :
         {std::vector<std::string>{"update"},
          {"install", "-y", "--no-install-recommends", missing.package}}) {
        std::vector<std::string> command = as_root;
        command.insert(command.end(), {"env", "DEBIAN_FRONTEND=noninteractive", "apt-get"});
        command.insert(command.end(), words.begin(), words.end());
        if (!succeeds(command)) throw InputError("'apt-get " + words[0] + "' failed; " + advice);
    }
}

}  // namespace heddle::cuda
