#pragma once
// What compiling needs besides starting other programs (sim/child_process.h): what they said, and folders for their files.

#include <string>
#include <string_view>

#include "sim/child_process.h"

namespace heddle::cuda {

using heddle::ChildEnd;
using heddle::ChildOptions;
using heddle::find_on_path;
using heddle::run_child;

/// What a compiler said, without the escape sequences that colour it on a terminal.
std::string without_colours(std::string_view text);

/// A new empty folder, removed with what it holds by the destructor.
class TemporaryFolder {
  public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::string& path() const { return path_; }

  private:
    std::string path_;
};

}  // namespace heddle::cuda
