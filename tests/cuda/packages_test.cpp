// Installing a package of headers, with programs that stand in for apt-get and sudo.

#include "cuda/packages.h"

#include <cstdlib>
#include <filesystem>
#include <gtest/gtest.h>

#include "cli/program.h"
#include "sim/error.h"

namespace heddle {
namespace {

/// PATH is `path` while it lives.
class Path {
  public:
    explicit Path(const std::string& path) : before_(std::getenv("PATH")) { setenv("PATH", path.c_str(), 1); }
    ~Path() { setenv("PATH", before_.c_str(), 1); }
    Path(const Path&) = delete;
    Path& operator=(const Path&) = delete;

  private:
    std::string before_;
};

void add_program(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
    namespace fs = std::filesystem;
    fs::permissions(folder.write(name, "#!/bin/sh\n" + text), fs::perms::owner_all);
}

/// An apt-get that writes down what it is asked, and fails at `failing`; a sudo that asks for no password.
void add_tools(const TemporaryFolder& folder, const std::string& failing) {
    const std::string log = folder.path() + "/log";
    add_program(folder, "apt-get",
                "echo \"$DEBIAN_FRONTEND $*\" >> '" + log + "'\n[ \"$1\" != '" + failing + "' ]\n");
    add_program(folder, "sudo", "[ \"$1\" = -n ] || exit 1\nshift\nexec \"$@\"\n");
}

std::string failure(const std::string& path) {
    const Path changed(path);
    try {
        cuda::install({"thrust/sort.h", "libthrust-dev"});
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

constexpr const char* kAdvice =
    "'thrust/sort.h' is in Debian's package libthrust-dev: apt-get install libthrust-dev";

TEST(HeaderPackages, AreInstalledByAptGet) {
    const TemporaryFolder folder;
    add_tools(folder, "nothing");
    EXPECT_EQ(failure(folder.path() + ":/usr/bin:/bin"), "");
    EXPECT_EQ(folder.read("log"),
              "noninteractive update\nnoninteractive install -y --no-install-recommends libthrust-dev\n");
}

TEST(HeaderPackages, AFailureSaysWhatFailedAndWhatToInstall) {
    for (const std::string step : {"update", "install"}) {
        const TemporaryFolder folder;
        add_tools(folder, step);
        EXPECT_EQ(failure(folder.path() + ":/usr/bin:/bin"), "'apt-get " + step + "' failed; " + kAdvice);
    }
}

TEST(HeaderPackages, WithoutAptGetTheMessageNamesThePackage) {
    const TemporaryFolder folder;
    EXPECT_EQ(failure(folder.path()), kAdvice);
}

}  // namespace
}  // namespace heddle
