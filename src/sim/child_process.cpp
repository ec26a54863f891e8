#include "sim/child_process.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string_view>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sim/error.h"

namespace heddle {

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

/// A file in memory; -1 if there is none to be had.
int memory_file(const std::string& text = {}) {
    const int file = memfd_create("heddle", MFD_CLOEXEC);
    for (std::size_t at = 0; file >= 0 && at < text.size();) {
        const ssize_t n = write(file, text.data() + at, text.size() - at);
        if (n > 0) {
            at += static_cast<std::size_t>(n);
        } else if (errno != EINTR) {
            close(file);
            return -1;
        }
    }
    if (file >= 0) lseek(file, 0, SEEK_SET);
    return file;
}

std::string take(int file) {
    std::string text;
    char buffer[1 << 16];
    lseek(file, 0, SEEK_SET);
    for (ssize_t n = 0; (n = read(file, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    return text;
}

/// What a new process needs to become the program, made ready before it is there.
struct Launch {
    const char* file;
    char* const* arguments;
    char* const* environment;
    int input, out, error;  // -1: as they are
    const char* error_file;
    bool output_to_error, fixed_addresses, worker;
    pid_t parent;
    int failure;  // where the reason goes if it cannot
};

/// Between fork and exec only what is safe there.
[[noreturn]] void become(const Launch& l) {
    // We ignore SIGXFSZ (run_program), which it would inherit.
    std::signal(SIGXFSZ, SIG_DFL);
    if (l.worker) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != l.parent) _exit(127);
        setpgid(0, 0);
    }
    if (l.fixed_addresses) {
        const int before = personality(0xffffffff);
        if (before != -1) personality(static_cast<unsigned long>(before) | ADDR_NO_RANDOMIZE);
    }
    bool ready = true;
    if (l.input >= 0) ready &= dup2(l.input, STDIN_FILENO) >= 0;
    if (l.out >= 0) ready &= dup2(l.out, STDOUT_FILENO) >= 0;
    if (l.error >= 0) ready &= dup2(l.error, STDERR_FILENO) >= 0;
    if (l.error_file != nullptr) {
        const int file = open(l.error_file, O_WRONLY | O_CREAT | O_TRUNC, 0600);
        ready &= file >= 0 && dup2(file, STDERR_FILENO) >= 0;
        if (file >= 0) close(file);
    }
    if (l.output_to_error) ready &= dup2(STDERR_FILENO, STDOUT_FILENO) >= 0;
    if (ready) execve(l.file, l.arguments, l.environment);
    const int reason = errno;
    [[maybe_unused]] const ssize_t told = write(l.failure, &reason, sizeof reason);
    _exit(127);
}

}  // namespace

ChildProcess::ChildProcess(const std::vector<std::string>& arguments, const ChildOptions& options)
    : name_(arguments.at(0)), interrupted_(options.interrupted) {
    std::vector<std::string> words = arguments, environment = environment_with(options);
    const std::vector<char*> argv = pointers(words), envp = pointers(environment);
    const std::string file = name_.find('/') == std::string::npos ? find_on_path(name_) : name_;
    const auto refuse = [this](int reason) {
        close_files();
        throw InputError("'" + name_ + "' cannot be started: " + std::strerror(reason));
    };
    if (file.empty()) refuse(ENOENT);
    int failure[2];
    if (pipe2(failure, O_CLOEXEC) != 0) refuse(errno);
    const int input = options.input ? memory_file(*options.input) : -1;
    if (options.keep_output) {
        out_ = memory_file();
        error_ = memory_file();
    }
    const bool files = (!options.input || input >= 0) && (!options.keep_output || (out_ >= 0 && error_ >= 0));
    const Launch launch{file.c_str(),
                        argv.data(),
                        envp.data(),
                        input,
                        out_,
                        error_,
                        options.error_file.empty() ? nullptr : options.error_file.c_str(),
                        options.output_to_error,
                        options.fixed_addresses,
                        options.worker,
                        getpid(),
                        failure[1]};
    pid_ = files ? fork() : -1;
    int reason = errno;
    if (pid_ == 0) become(launch);
    close(failure[1]);
    if (input >= 0) close(input);
    ssize_t told = -1;
    if (pid_ > 0)
        while ((told = read(failure[0], &reason, sizeof reason)) < 0 && errno == EINTR) {
        }
    close(failure[0]);
    if (pid_ > 0 && told <= 0) return;
    if (pid_ > 0) wait();
    refuse(reason);
}

ChildProcess::~ChildProcess() {
    if (pid_ > 0) {
        kill(pid_, SIGKILL);
        int status = 0;
        while (waitpid(pid_, &status, 0) < 0 && errno == EINTR) {
        }
    }
    close_files();
}

ChildProcess::ChildProcess(ChildProcess&& other) noexcept
    : name_(std::move(other.name_)),
      interrupted_(other.interrupted_),
      pid_(std::exchange(other.pid_, -1)),
      out_(std::exchange(other.out_, -1)),
      error_(std::exchange(other.error_, -1)) {}

ChildProcess& ChildProcess::operator=(ChildProcess&& other) noexcept {
    std::swap(name_, other.name_);
    std::swap(interrupted_, other.interrupted_);
    std::swap(pid_, other.pid_);
    std::swap(out_, other.out_);
    std::swap(error_, other.error_);
    return *this;
}

std::optional<ChildEnd> ChildProcess::poll() {
    int status = 0;
    if (waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
    return ended(status);
}

ChildEnd ChildProcess::wait() {
    int status = 0;
    while (waitpid(pid_, &status, 0) < 0) {
        if (errno != EINTR) throw InputError("waiting for '" + name_ + "': " + std::strerror(errno));
        if (interrupted_ != nullptr && interrupted_->load(std::memory_order_relaxed)) kill(pid_, SIGTERM);
    }
    return ended(status);
}

ChildEnd ChildProcess::ended(int status) {
    pid_ = -1;
    ChildEnd end;
    if (WIFSIGNALED(status))
        end.signal = WTERMSIG(status);
    else
        end.code = WEXITSTATUS(status);
    if (out_ >= 0) end.out = take(out_);
    if (error_ >= 0) end.error = take(error_);
    close_files();
    return end;
}

void ChildProcess::close_files() {
    for (int* file : {&out_, &error_})
        if (*file >= 0) close(std::exchange(*file, -1));
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

}  // namespace heddle
