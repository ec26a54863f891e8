#include "dram/command_files.h"

#include <algorithm>

#include "dram/audit/command_trace.h"

namespace heddle::dram {

std::string command_file(const std::string& file, std::size_t channel, std::size_t channels) {
    return channels == 1 ? file : file + "." + std::to_string(channel);
}

class CommandFiles::File final : public CommandObserver {
  public:
    File(const std::string& path, const audit::AuditDevice& device) : writer_(path, device) {}
    void on_command(const Command& command) override {
        writer_.write(command);
        last_ = command.at;
        if (next_ != nullptr) next_->on_command(command);
    }
    void hand_on_to(CommandObserver* next) { next_ = next; }
    // The last command may lie behind the end of the run.
    void finish(Cycle end) { writer_.finish(std::max(end, last_)); }

  private:
    audit::CommandTraceWriter writer_;
    CommandObserver* next_ = nullptr;
    Cycle last_{0};
};

CommandFiles::CommandFiles(const std::string& file, const std::vector<audit::AuditDevice>& devices) {
    for (std::size_t k = 0; k < devices.size(); ++k)
        files_.push_back(std::make_unique<File>(command_file(file, k, devices.size()), devices[k]));
}

CommandFiles::~CommandFiles() = default;

CommandObserver* CommandFiles::observer(std::size_t channel, CommandObserver* next) {
    files_[channel]->hand_on_to(next);
    return files_[channel].get();
}

void CommandFiles::finish(Cycle end) {
    for (auto& file : files_) file->finish(end);
}

}  // namespace heddle::dram
