#pragma once
// Runs the real program and catches what it says.

#include <cstdio>
#include <fcntl.h>
#include <fstream>
#include <iterator>
#include <spawn.h>
#include <string>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

#include "built.h"

extern char** environ;

namespace heddle {

struct Ended {
    int code = -1;  ///< exit code; -1: ended by a signal
    std::string out, err;
};

/// A folder that goes away with the test.
class TemporaryFolder {
  public:
    TemporaryFolder() {
        char name[] = "/tmp/heddle_test_XXXXXX";
        path_ = mkdtemp(name);
    }
    ~TemporaryFolder() {
        const std::string command = "rm -rf '" + path_ + "'";
        if (std::system(command.c_str()) != 0) std::perror("rm");
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }
    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(path_ + "/" + name, std::ios::binary) << text;
        return path_ + "/" + name;
    }
    std::string read(const std::string& name) const {
        std::ifstream in(path_ + "/" + name, std::ios::binary);
        return {std::istreambuf_iterator<char>(in), {}};
    }

  private:
    std::string path_;
};

/// A program that was started and not yet waited for.
class Started {
  public:
    /// `folder`: where it runs; empty: here. `out`: where its output goes instead of being caught. `program`: a copy
    /// of it.
    explicit Started(const std::vector<std::string>& arguments, const std::string& folder = {},
                     const std::string& out = {}, const std::string& program = heddle_binary()) {
        std::vector<std::string> words{program};
        words.insert(words.end(), arguments.begin(), arguments.end());
        std::vector<char*> argv;
        for (std::string& w : words) argv.push_back(w.data());
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        const int flags = O_WRONLY | O_CREAT | O_TRUNC;
        const std::string out_file = out.empty() ? file("out") : out, err_file = file("err");
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out_file.c_str(), flags, 0600);
        posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err_file.c_str(), flags, 0600);
        if (!folder.empty()) posix_spawn_file_actions_addchdir_np(&actions, folder.c_str());
        if (posix_spawn(&pid_, program.c_str(), &actions, nullptr, argv.data(), environ) != 0) pid_ = -1;
        posix_spawn_file_actions_destroy(&actions);
    }

    pid_t pid() const { return pid_; }

    Ended wait() {
        int status = 0;
        waitpid(pid_, &status, 0);
        return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, scratch_.read("out"), scratch_.read("err")};
    }

  private:
    std::string file(const std::string& name) const { return scratch_.path() + "/" + name; }

    TemporaryFolder scratch_;
    pid_t pid_ = -1;
};

inline Ended heddle_run(const std::vector<std::string>& arguments, const std::string& folder = {}) {
    return Started(arguments, folder).wait();
}

/// Words of a command, and more of them.
inline std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

}  // namespace heddle
