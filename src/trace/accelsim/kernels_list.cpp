#include "trace/accelsim/kernels_list.h"

#include <filesystem>

#include "trace/input/numbers.h"

namespace heddle::accelsim {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kToDevice = "MemcpyHtoD,";
constexpr std::string_view kToHost = "MemcpyDtoH,";

CopyEvent parse_copy(const LineReader& in, std::string_view line) {
    const bool to_device = line.starts_with(kToDevice);
    const std::string text(line.substr(kToDevice.size()));
    // Padded: the number parsers look a little past what they read.
    const std::string padded = text + std::string(LineReader::kPadding, '\0');
    u64 address = 0, bytes = 0;
    const char* p = parse_hex(padded.data(), address);
    if (p == nullptr || *p != ',' || parse_decimal(p + 1, bytes) != padded.data() + text.size())
        in.fail("expected 'MemcpyHtoD,0xADDRESS,BYTES', found '" + std::string(line.substr(0, 60)) + "'");
    CopyEvent copy;
    copy.kind = to_device ? CopyKind::host_to_device : CopyKind::device_to_host;
    (to_device ? copy.destination : copy.source) = address;
    copy.bytes = bytes;
    return copy;
}

/// What a user who named a missing file may have meant.
std::string nearest(const fs::path& missing) {
    for (const char* ending : {".xz", ".gz", ".zst"}) {
        fs::path other = missing;
        other += ending;
        if (fs::exists(other)) return "; " + other.filename().string() + " is there: name it in the list";
    }
    fs::path bare = missing;
    bare.replace_extension();
    if (bare != missing && fs::is_regular_file(bare))
        return "; " + bare.filename().string() + " is there: name it in the list";
    return "; it should lie beside the list";
}

}  // namespace

std::unique_ptr<StreamSource> KernelsList::open_list(const std::string& path, ReaderOptions options) {
    auto list = std::make_unique<KernelsList>();
    list->name_ = path;
    list->options_ = options;
    const fs::path folder = fs::path(path).parent_path();
    LineReader in(path);
    std::string_view line;
    bool kernels = false;
    while (in.text_line(line, true)) {
        line = trimmed(line);
        Command command;
        if (line.starts_with(kToDevice) || line.starts_with(kToHost)) {
            command.copy = parse_copy(in, line);
        } else {
            if (line.starts_with("Memcpy") || line.find_first_of(" ,#=") != std::string_view::npos)
                in.fail("'" + std::string(line.substr(0, 60)) +
                        "' is no command: expected 'MemcpyHtoD,0xADDRESS,BYTES', 'MemcpyDtoH,...' or the "
                        "name of a "
                        "kernel's trace file");
            const fs::path file = folder / fs::path(line);
            if (!fs::exists(file))
                in.fail("there is no kernel file '" + std::string(line) + "'" + nearest(file));
            if (!fs::is_regular_file(file)) in.fail("'" + std::string(line) + "' is not a file");
            command.kernel = file.string();
            kernels = true;
        }
        list->commands_.push_back(std::move(command));
    }
    if (in.damaged()) in.fail("the list is damaged");
    if (!kernels) in.fail("the list names no kernel: there is nothing to run");
    return list;
}

std::unique_ptr<StreamSource> KernelsList::open_kernel(const std::string& path, ReaderOptions options) {
    auto list = std::make_unique<KernelsList>();
    list->name_ = path;
    list->options_ = options;
    list->commands_.push_back({path, {}});
    return list;
}

bool KernelsList::next(ProgramEvent& out) {
    if (at_ == commands_.size()) return false;
    const Command& command = commands_[at_++];
    if (command.kernel.empty())
        out = command.copy;
    else
        out = LaunchEvent{std::make_unique<KernelReader>(command.kernel, options_)};
    return true;
}

}  // namespace heddle::accelsim
