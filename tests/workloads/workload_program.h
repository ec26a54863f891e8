#pragma once
// A shipped workload as a program of its own, without Heddle's timing: fast, and with its own exit code.

#include <cstdio>
#include <string>
#include <sys/wait.h>

#include "built.h"
#include "cli/program.h"

namespace heddle {

struct Said {
    int code = -1;     ///< exit code; -1: ended by a signal
    std::string text;  ///< on both streams

    bool has(const std::string& part) const { return text.find(part) != std::string::npos; }
};

inline Said program_says(const std::string& program, const std::string& options) {
    Said said;
    std::FILE* const pipe = popen(("'" + program + "' " + options + " 2>&1").c_str(), "r");
    if (pipe == nullptr) return said;
    for (int c = std::fgetc(pipe); c != EOF; c = std::fgetc(pipe)) said.text += static_cast<char>(c);
    const int status = pclose(pipe);
    if (WIFEXITED(status)) said.code = WEXITSTATUS(status);
    return said;
}

/// `options` are words of a shell.
inline Said workload_says(const std::string& name, const std::string& options) {
    const Ended compiled = heddle_run({"explain", name});
    if (compiled.code != 0) return {compiled.code, compiled.err};
    const std::string heddle = heddle_binary();
    return program_says(heddle.substr(0, heddle.rfind('/')) + "/workloads/" + name, options);
}

}  // namespace heddle
