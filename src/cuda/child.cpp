#include "cuda/child.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <spawn.h>
#include <string_view>
#include <sys/personality.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/error.h"

namespace heddle::cuda {
namespace {

std::vector<std::string> environment_with(const ChildOptions& options) {
    std::vector<std::string> out;
    for (char** e = environ; *e != nullptr; ++e) {
        const std::string_view entry = *e;
        bool replaced = false;
        for (const auto& [name, value] : options.environment)
            replaced |= entry.size() > name.size() && entry.starts_with(name) && entry[name.size()] == '=';
        if (!replaced) out.emplace_back(entry);
    }
    for (const auto& [name, value] : options.environment) {
        std::string entry = name;
        entry += '=';
        entry += value;
        out.push_back(std::move(entry));
    }
    return out;
}

std::vector<char*> pointers(std::vector<std::string>& strings) {
    std::vector<char*> out;
    out.reserve(strings.size() + 1);
    for (std::string& s : strings) out.push_back(s.data());
    out.push_back(nullptr);
    return out;
}

}  // namespace

ChildEnd run_child(const std::vector<std::string>& arguments, const ChildOptions& options) {
    std::vector<std::string> words = arguments, environment = environment_with(options);
    const std::vector<char*> argv = pointers(words), envp = pointers(environment);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    if (!options.error_file.empty())
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, options.error_file.c_str(),
                                         O_WRONLY | O_CREAT | O_TRUNC, 0600);
    if (options.output_to_error) posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    // We ignore SIGXFSZ (run_program), which a child would inherit.
    posix_spawnattr_t attributes;
    posix_spawnattr_init(&attributes);
    sigset_t defaults;
    sigemptyset(&defaults);
    sigaddset(&defaults, SIGXFSZ);
    posix_spawnattr_setsigdefault(&attributes, &defaults);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF);
    // The child has the setting that its parent has when it starts.
    const int before = options.fixed_addresses ? personality(0xffffffff) : -1;
    if (before != -1) personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE);
    pid_t pid = 0;
    const int error = posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), envp.data());
    if (before != -1) personality(static_cast<unsigned long>(before));
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    if (error != 0) throw InputError("'" + arguments[0] + "' cannot be started: " + std::strerror(error));
    int status = 0;
    while (waitpid(pid, &status, 0) < 0) {
        if (errno != EINTR) throw InputError("waiting for '" + arguments[0] + "': " + std::strerror(errno));
        if (options.interrupted != nullptr && options.interrupted->load(std::memory_order_relaxed))
            kill(pid, SIGTERM);
    }
    ChildEnd end;
    if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    else
        end.code = WEXITSTATUS(status);
    return end;
}

std::string find_on_path(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const std::size_t colon = rest.find(':');
        std::string file(rest.substr(0, colon));
        file += '/';
        file += name;
        if (access(file.c_str(), X_OK) == 0) return file;
        if (colon == std::string_view::npos) break;
        rest.remove_prefix(colon + 1);
    }
    return {};
}

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
