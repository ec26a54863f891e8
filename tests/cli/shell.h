#pragma once
// Runs a line of shell, as somebody who may not do everything.

#include <cstdlib>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

#include "cli/program.h"

namespace heddle {

/// What a command line does, run by `sh` with nothing in its environment but PATH and what the line sets.
inline Ended shell_run(const std::string& line, bool as_nobody = false) {
    const TemporaryFolder scratch;
    const std::string user =
        as_nobody && geteuid() == 0 ? "setpriv --reuid=65534 --regid=65534 --clear-groups " : "";
    const std::string file = scratch.write("line.sh", line), out = scratch.path() + "/out",
                      err = scratch.path() + "/err";
    if (std::system(("chmod 0755 " + scratch.path()).c_str()) != 0) return {};
    const std::string command =
        "env -i PATH=\"$PATH\" " + user + "sh " + file + " >" + out + " 2>" + err + " </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, scratch.read("out"), scratch.read("err")};
}

}  // namespace heddle
