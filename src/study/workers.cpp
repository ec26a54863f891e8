#include "study/workers.h"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include "sim/error.h"

namespace heddle::study {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

std::string take(int file) {
    std::string text;
    char buffer[1 << 16];
    lseek(file, 0, SEEK_SET);
    for (ssize_t n = 0; (n = read(file, buffer, sizeof buffer)) > 0;)
        text.append(buffer, static_cast<std::size_t>(n));
    close(file);
    return text;
}

}  // namespace

Workers::~Workers() {
    for (const auto& [pid, worker] : running_) kill(pid, SIGKILL);
    for (const auto& [pid, worker] : running_) {
        int status = 0;
        while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {
        }
        close(worker.out);
        close(worker.error);
    }
}

void Workers::start(std::size_t job, const std::vector<std::string>& arguments) {
    std::vector<char*> argv{program_.data()};
    for (const std::string& a : arguments) argv.push_back(const_cast<char*>(a.c_str()));
    argv.push_back(nullptr);
    Running worker{job, memfd_create("heddle-out", MFD_CLOEXEC), memfd_create("heddle-error", MFD_CLOEXEC),
                   now()};
    const pid_t parent = getpid();
    const pid_t pid = worker.out < 0 || worker.error < 0 ? -1 : fork();
    if (pid < 0) throw InputError(fmt::format("cannot start a worker: {}", std::strerror(errno)));
    if (pid == 0) {
        // Between fork and exec only what is safe there.
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent) _exit(127);
        // An interrupt from the keyboard is handled by this program.
        setpgid(0, 0);
        dup2(worker.out, STDOUT_FILENO);
        dup2(worker.error, STDERR_FILENO);
        execv(argv[0], argv.data());
        _exit(127);
    }
    running_.emplace(pid, worker);
}

std::optional<WorkerEnd> Workers::wait() {
    using namespace std::chrono_literals;
    // Polls instead of sleeping in waitpid: an interrupt between the caller's look at its flag and the sleep would be
    // missed.
    for (int look = 0; look < 25; ++look) {
        for (const auto& [pid, worker] : running_) {
            int status = 0;
            if (waitpid(pid, &status, WNOHANG) != pid) continue;
            WorkerEnd end;
            end.job = worker.job;
            end.seconds = now() - worker.started;
            if (WIFSIGNALED(status))
                end.signal = WTERMSIG(status);
            else
                end.code = WEXITSTATUS(status);
            end.out = take(worker.out);
            end.error = take(worker.error);
            running_.erase(pid);
            return end;
        }
        std::this_thread::sleep_for(4ms);
    }
    return std::nullopt;
}

}  // namespace heddle::study
