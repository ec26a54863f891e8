#include "trace/open.h"

#include <algorithm>
#include <charconv>
#include <filesystem>

#include "config/manual.h"
#include "sim/error.h"
#include "trace/accelsim/kernels_list.h"
#include "trace/filters.h"
#include "trace/input/line_reader.h"
#include "trace/pattern.h"
#include "trace/recording.h"

namespace heddle {
namespace {

namespace fs = std::filesystem;

enum class Content : u8 { kernel_trace, kernels_list, recording, program, text, binary };

bool printable(std::string_view text) {
    return std::ranges::all_of(text, [](char c) { return static_cast<u8>(c) >= ' ' || c == '\t'; });
}

/// What the first line that is not blank says.
Content content_of(const std::string& path) {
    if (is_recording(path)) return Content::recording;
    const auto bytes = open_bytes(path);
    std::string head(4096, '\0');
    head.resize(bytes->read(head.data(), head.size()));
    if (head.starts_with("\x7f"
                         "ELF"))
        return Content::program;
    const auto first = head.find_first_not_of(" \t\r\n");
    if (first == std::string::npos) return Content::text;
    const auto end = head.find_first_of("\r\n", first);
    const std::string line = head.substr(first, end == std::string::npos ? end : end - first);
    if (!printable(line)) return Content::binary;
    if (line[0] == '-' && line.find('=') != std::string::npos) return Content::kernel_trace;
    const bool names_file = line.find_first_of(" \t,") == std::string::npos &&
                            (line.find(".trace") != std::string::npos ||
                             fs::is_regular_file(fs::path(path).parent_path() / line));
    if (line.starts_with("Memcpy") || names_file) return Content::kernels_list;
    return Content::text;
}

/// For a name that is no file: a neighbour with nearly that name, or a pattern.
std::string nearest(const std::string& path) {
    const fs::path wanted(path);
    std::error_code error;
    const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder, error)) {
        names.push_back(entry.path().filename().string());
    }
    if (error) return "; there is no folder '" + folder.string() + "'";
    // The order of a folder is chance; the message is not.
    std::ranges::sort(names);
    std::string best;
    unsigned best_distance = 3;
    for (const std::string& name : names)
        if (const unsigned d = config::edit_distance(wanted.filename().string(), name); d < best_distance)
            best = name, best_distance = d;
    if (!best.empty())
        return ", did you mean '" + (wanted.has_parent_path() ? folder / best : fs::path(best)).string() +
               "'?";
    return "; expected a CUDA program, kernelslist.g, a kernel trace, a recording, or pattern:stream and its "
           "siblings";
}

std::unique_ptr<StreamSource> open_file(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(path + ": there is no such file" + nearest(path));
    if (fs::is_directory(status)) {
        const fs::path list = fs::path(path) / "kernelslist.g";
        throw InputError(path + ": is a folder; " +
                         (fs::exists(list) ? "did you mean '" + list.string() + "'?"
                                           : "expected a file such as kernelslist.g, and it has none"));
    }
    switch (content_of(path)) {
        case Content::recording:
            return open_recording(path);
        case Content::kernel_trace:
            return accelsim::KernelsList::open_kernel(path);
        case Content::kernels_list:
            return accelsim::KernelsList::open_list(path);
        case Content::program:
            throw InputError(path + ":1: is a program (ELF), not a trace" +
                             ((status.permissions() & fs::perms::owner_exec) == fs::perms::none
                                  ? std::string(", and may not be executed: chmod +x makes it one to run")
                                  : ": run it as './" + fs::path(path).filename().string() + "'"));
        case Content::binary:
            throw InputError(path +
                             ":1: is binary data of no known kind: expected kernelslist.g, a kernel trace of "
                             "Accel-Sim (plain, xz, gz, zst) or a recording of Heddle");
        case Content::text:
            break;
    }
    if (fs::path(path).extension() == ".cu")
        throw InputError(path + ":1: is CUDA source: compile it with 'heddle cc " + path +
                         " -o PROGRAM', then run ./PROGRAM");
    throw InputError(path +
                     ":1: is text, but neither a list (lines such as 'MemcpyHtoD,0xADDRESS,BYTES' or "
                     "'kernel-1.traceg') nor a kernel trace (first line '-kernel name = ...')");
}

}  // namespace

KernelSelection::KernelSelection(std::string_view text) : text_(text) {
    const auto number = [&](std::string_view part, std::string_view whole) {
        u64 value = 0;
        const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
        if (error != std::errc() || end != part.data() + part.size() || value == 0)
            throw InputError("--kernels " + text_ + ": '" + std::string(whole) +
                             "' is no launch number or range: write 3, or 3-5, or 3-5,9, counted from 1");
        return value;
    };
    for (std::string_view rest = text;;) {
        const auto comma = rest.find(',');
        const std::string_view part = rest.substr(0, comma);
        const auto dash = part.find('-');
        Range range{number(part.substr(0, dash), part), 0};
        range.last = dash == std::string_view::npos ? range.first : number(part.substr(dash + 1), part);
        if (range.last < range.first)
            throw InputError("--kernels " + text_ + ": '" + std::string(part) +
                             "' ends before it begins, did you mean '" + std::to_string(range.last) + "-" +
                             std::to_string(range.first) + "'?");
        ranges_.push_back(range);
        if (comma == std::string_view::npos) break;
        rest.remove_prefix(comma + 1);
    }
}

bool KernelSelection::contains(u64 launch) const {
    return ranges_.empty() ||
           std::ranges::any_of(ranges_, [&](Range r) { return r.first <= launch && launch <= r.last; });
}

u64 KernelSelection::last() const {
    u64 last = 0;
    for (const Range r : ranges_) last = std::max(last, r.last);
    return last;
}

std::unique_ptr<StreamSource> open_source(const std::string& path_or_pattern, const OpenOptions& options) {
    auto source = path_or_pattern.starts_with(kPatternPrefix) ? make_pattern(parse_pattern(path_or_pattern))
                                                              : open_file(path_or_pattern);
    if (!options.kernels.all()) source = select_kernels(std::move(source), options.kernels);
    if (options.max_instructions != 0)
        source = first_instructions(std::move(source), options.max_instructions);
    return source;
}

bool is_stream_file(const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error) || fs::file_size(path, error) == 0) return false;
    try {
        const Content content = content_of(path);
        return content == Content::recording || content == Content::kernel_trace ||
               content == Content::kernels_list;
    } catch (const InputError&) {
        return false;
    }
}

}  // namespace heddle
