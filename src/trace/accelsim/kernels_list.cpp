#include "trace/accelsim/kernels_list.h"

#include <algorithm>
#include <filesystem>
#include <map>

#include "config/manual.h"
#include "trace/input/numbers.h"

namespace heddle::accelsim {
namespace {

namespace fs = std::filesystem;

enum class Verb : u8 { copy_in, copy_out, copy_within, set, allocate, allocate_managed, free, synchronise };

/// A command other than a kernel. Tracers name it like the CUDA function: a leading "cuda" or "cu", "Async" in it,
/// and a trailing "_v2" make no difference.
struct VerbRow {
    std::string_view name;
    Verb verb;
    std::string_view form;
};
constexpr VerbRow kVerbs[] = {
    {"MemcpyHtoD", Verb::copy_in, "MemcpyHtoD,0xADDRESS,BYTES"},
    {"MemcpyDtoH", Verb::copy_out, "MemcpyDtoH,0xADDRESS,BYTES"},
    {"MemcpyDtoD", Verb::copy_within, "MemcpyDtoD,0xDESTINATION,0xSOURCE,BYTES"},
    {"Memset", Verb::set, "Memset,0xADDRESS,BYTES"},
    {"Malloc", Verb::allocate, "cudaMalloc,0xADDRESS,BYTES"},
    {"MemAlloc", Verb::allocate, "cuMemAlloc,0xADDRESS,BYTES"},
    {"MallocManaged", Verb::allocate_managed, "cudaMallocManaged,0xADDRESS,BYTES"},
    {"Free", Verb::free, "cudaFree,0xADDRESS"},
    {"MemFree", Verb::free, "cuMemFree,0xADDRESS"},
    {"DeviceSynchronize", Verb::synchronise, "cudaDeviceSynchronize"},
};

/// Without a comment ('#' or "//" at its start, '#' after a blank) and blanks at its ends.
std::string_view without_comment(std::string_view line) {
    line = trimmed(line);
    if (line.starts_with('#') || line.starts_with("//")) return {};
    const auto blank = line.find_first_of(" \t");
    const auto hash = blank == std::string_view::npos ? blank : line.find('#', blank);
    return trimmed(line.substr(0, hash));
}

std::string_view word_of(std::string_view line) {
    return trimmed(line.substr(0, line.find(',')));
}

const VerbRow* find_verb(std::string_view word) {
    std::string name(word);
    for (const std::string_view front : {"cuda", "cu"})
        if (name.starts_with(front)) {
            name.erase(0, front.size());
            break;
        }
    if (name.ends_with("_v2")) name.resize(name.size() - 3);
    if (const auto at = name.find("Async"); at != std::string::npos) name.erase(at, 5);
    for (const VerbRow& row : kVerbs)
        if (row.name == name) return &row;
    return nullptr;
}

/// Any other function of CUDA or NCCL; it is skipped.
bool is_other_call(std::string_view word) {
    const bool name =
        word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
        std::string_view::npos;
    return name && (word.starts_with("nccl") || word.starts_with("cuda") ||
                    (word.starts_with("cu") && word.size() > 2 && word[2] >= 'A' && word[2] <= 'Z'));
}

bool names_kernel(std::string_view word) {
    return word.starts_with("kernel") || word.find(".trace") != std::string_view::npos;
}

[[noreturn]] void fail_form(const LineReader& in, std::string_view line, std::string_view form) {
    in.fail("expected '" + std::string(form) + "', found '" + std::string(line.substr(0, 60)) + "'");
}

/// The numbers behind the commas, as `form` has them.
std::vector<u64> numbers_of(const LineReader& in, std::string_view line, std::string_view form) {
    if (std::ranges::count(line, ',') != std::ranges::count(form, ',')) fail_form(in, line, form);
    std::vector<u64> out;
    std::string_view rest = line, kinds = form;
    while (kinds.find(',') != std::string_view::npos) {
        kinds.remove_prefix(kinds.find(',') + 1);
        rest.remove_prefix(rest.find(',') + 1);
        const std::string text(trimmed(rest.substr(0, rest.find(','))));
        // Padded: the number parsers look a little past what they read.
        const std::string padded = text + std::string(LineReader::kPadding, '\0');
        const bool hex = kinds.starts_with("0x") || text.starts_with("0x");
        u64 value = 0;
        const char* const end = hex ? parse_hex(padded.data(), value) : parse_decimal(padded.data(), value);
        const std::string_view digits = hex ? "0123456789abcdefABCDEFxX" : "0123456789";
        // No number of 16 digits is too large.
        if (end == nullptr && text.size() > 16 && text.find_first_not_of(digits) == std::string::npos)
            in.fail("'" + text.substr(0, 60) + "' is too large: addresses and sizes have 64 bits");
        if (end != padded.data() + text.size()) fail_form(in, line, form);
        out.push_back(value);
    }
    return out;
}

KernelsList::Event parse_command(const LineReader& in, std::string_view line, const VerbRow& row) {
    const std::vector<u64> n = numbers_of(in, line, row.form);
    const auto fits = [&](u64 address, u64 bytes) {
        if (bytes != 0 && bytes - 1 > ~address)
            in.fail("'" + std::string(line.substr(0, 60)) + "' reaches past the end of the address space");
    };
    if (n.size() >= 2) fits(n[0], n.back());
    switch (row.verb) {
        case Verb::copy_in:
            return CopyEvent{CopyKind::host_to_device, n[0], 0, n[1], 0};
        case Verb::copy_out:
            return CopyEvent{CopyKind::device_to_host, 0, n[0], n[1], 0};
        case Verb::copy_within:
            fits(n[1], n[2]);
            return CopyEvent{CopyKind::device_to_device, n[0], n[1], n[2], 0};
        case Verb::set:
            return CopyEvent{CopyKind::set, n[0], 0, n[1], 0};
        case Verb::allocate:
            return AllocEvent{n[0], n[1], AllocEvent::Kind::device};
        case Verb::allocate_managed:
            return AllocEvent{n[0], n[1], AllocEvent::Kind::managed};
        case Verb::free:
            return FreeEvent{n[0]};
        case Verb::synchronise:
            break;
    }
    return SyncEvent{};
}

/// What a user who named a missing file may have meant.
std::string nearest(const fs::path& missing) {
    for (const char* ending : {".xz", ".gz", ".zst", ".bz2", ".lz4", "g", "g.xz"}) {
        fs::path other = missing;
        other += ending;
        if (fs::exists(other)) return "; " + other.filename().string() + " exists: name it in the list";
    }
    fs::path bare = missing;
    bare.replace_extension();
    if (bare != missing && fs::is_regular_file(bare))
        return "; " + bare.filename().string() + " exists: name it in the list";
    return "; it should be next to the list";
}

[[noreturn]] void fail_unknown(const LineReader& in, std::string_view line) {
    std::vector<std::string_view> known;
    for (const VerbRow& row : kVerbs) known.push_back(row.form.substr(0, row.form.find(',')));
    in.fail("'" + std::string(line.substr(0, 60)) +
            "' is not a command: expected one such as 'MemcpyHtoD,0xADDRESS,BYTES', or the name of a "
            "kernel's trace file" +
            config::suggestion(word_of(line), known));
}

}  // namespace

std::unique_ptr<KernelsList> KernelsList::open_list(const std::string& path, ReaderOptions options) {
    auto list = std::make_unique<KernelsList>();
    list->name_ = path;
    list->options_ = options;
    const fs::path folder = fs::path(path).parent_path();
    LineReader in(path);
    std::string_view line;
    std::map<std::string, u64> skipped, named;
    while (in.text_line(line, true)) {
        line = without_comment(line);
        if (line.empty()) continue;
        const std::string_view word = word_of(line);
        const fs::path file = folder / fs::path(line);
        std::error_code error;
        if (fs::is_regular_file(file, error)) {
            list->commands_.push_back({file.string(), {}});
            ++named[std::string(line)];
        } else if (const VerbRow* row = find_verb(word); row != nullptr) {
            // Tracers write an asynchronous copy without its size.
            if (word.find("Async") != std::string_view::npos && std::ranges::count(line, ',') < 2)
                ++skipped[std::string(word)];
            else
                list->commands_.push_back({{}, parse_command(in, line, *row)});
        } else if (is_other_call(word)) {
            ++skipped[std::string(word)];
        } else if (fs::exists(file, error)) {
            in.fail("'" + std::string(line) + "' is not a file");
        } else if (names_kernel(word) && line.find_first_of(" ,=") == std::string_view::npos) {
            in.fail("there is no kernel file '" + std::string(line) + "'" + nearest(file));
        } else {
            fail_unknown(in, line);
        }
    }
    if (in.damaged()) in.fail("the list is damaged");
    if (named.empty()) in.fail("the list names no kernel: there is nothing to run");
    std::string calls;
    for (const auto& [call, n] : skipped)
        calls += (calls.empty() ? "" : ", ") + call + " (" + std::to_string(n) + ")";
    if (!calls.empty())
        list->warnings_.push_back(
            path + ": commands that are not modeled, or that lack a size, were skipped: " + calls);
    for (const auto& [kernel, n] : named)
        if (n > 1)
            list->warnings_.push_back(path + ": " + kernel + " is named " + std::to_string(n) + " times");
    return list;
}

std::unique_ptr<StreamSource> KernelsList::open_kernel(const std::string& path, ReaderOptions options) {
    auto list = std::make_unique<KernelsList>();
    list->name_ = path;
    list->options_ = options;
    list->commands_.push_back({path, {}});
    return list;
}

std::vector<std::string> KernelsList::files() const {
    std::vector<std::string> out;
    for (const Command& command : commands_)
        if (!command.kernel.empty()) out.push_back(command.kernel);
    return out;
}

bool KernelsList::next(ProgramEvent& out) {
    if (at_ == commands_.size()) return false;
    const Command& command = commands_[at_++];
    if (command.kernel.empty())
        std::visit([&out](const auto& event) { out = event; }, command.event);
    else
        out = LaunchEvent{std::make_unique<KernelReader>(command.kernel, options_)};
    return true;
}

bool is_list_line(std::string_view line, const fs::path& folder) {
    line = without_comment(line);
    if (line.empty() || line.find_first_of("=\"(){};") != std::string_view::npos) return false;
    const std::string_view word = word_of(line);
    std::error_code error;
    return find_verb(word) != nullptr ||
           (line.find(' ') == std::string_view::npos &&
            (names_kernel(word) || fs::is_regular_file(folder / line, error))) ||
           (line.find(',') != std::string_view::npos && (is_other_call(word) || word.starts_with("Memcpy")));
}

}  // namespace heddle::accelsim
