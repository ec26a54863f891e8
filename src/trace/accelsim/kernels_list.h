#pragma once
// kernelslist.g, or a single kernel trace, as a StreamSource.

#include <filesystem>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "trace/accelsim/kernel_reader.h"
#include "trace/stream.h"

namespace heddle::accelsim {

class KernelsList final : public StreamSource {
  public:
    /// Reads the list and looks for every file that it names. Throws InputError naming file and line.
    static std::unique_ptr<KernelsList> open_list(const std::string& path, ReaderOptions options = {});
    /// A program of one launch.
    static std::unique_ptr<StreamSource> open_kernel(const std::string& path, ReaderOptions options = {});

    const std::string& name() const override { return name_; }
    bool next(ProgramEvent& out) override;
    std::vector<std::string> warnings() const override { return warnings_; }
    /// The kernel traces that it names, in order.
    std::vector<std::string> files() const;

    /// What is not a launch.
    using Event = std::variant<CopyEvent, AllocEvent, FreeEvent, SyncEvent>;

  private:
    struct Command {
        std::string kernel;  // path; empty: an event
        Event event;
    };

    std::string name_;
    ReaderOptions options_;
    std::vector<Command> commands_;
    std::size_t at_ = 0;
    std::vector<std::string> warnings_;
};

/// True of a line that only such a list has; `folder` is the list's.
bool is_list_line(std::string_view line, const std::filesystem::path& folder);

}  // namespace heddle::accelsim
