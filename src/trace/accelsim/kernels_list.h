#pragma once
// kernelslist.g, or a single kernel trace, as a StreamSource.

#include <string>
#include <vector>

#include "trace/accelsim/kernel_reader.h"
#include "trace/stream.h"

namespace heddle::accelsim {

class KernelsList final : public StreamSource {
  public:
    /// Reads the list and looks for every file that it names. Throws InputError naming file and line.
    static std::unique_ptr<StreamSource> open_list(const std::string& path, ReaderOptions options = {});
    /// A program of one launch.
    static std::unique_ptr<StreamSource> open_kernel(const std::string& path, ReaderOptions options = {});

    const std::string& name() const override { return name_; }
    bool next(ProgramEvent& out) override;

  private:
    struct Command {
        std::string kernel;  // path; empty: a copy
        CopyEvent copy;
    };

    std::string name_;
    ReaderOptions options_;
    std::vector<Command> commands_;
    std::size_t at_ = 0;
};

}  // namespace heddle::accelsim
