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
    const auto unless_damaged = [&](Content content) {
        if (!bytes->damage().empty()) throw InputError(path + ":1: " + bytes->damage());
        return content;
    };
    if (head.empty() && bytes->damage().empty()) throw InputError(path + ": the compressed file is empty");
    if (head.starts_with("\x7f"
                         "ELF"))
        return Content::program;
    const fs::path folder = fs::path(path).parent_path();
    bool first = true;
    for (std::string_view rest = head; !rest.empty();) {
        const auto end = rest.find_first_of("\r\n");
        const std::string_view line = trimmed(rest.substr(0, end));
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
        if (line.empty()) continue;
        if (!printable(line)) return unless_damaged(first ? Content::binary : Content::text);
        if (first && line[0] == '-' && line.find('=') != std::string_view::npos) return Content::kernel_trace;
        if (accelsim::is_list_line(line, folder)) return Content::kernels_list;
        first = false;
    }
    return unless_damaged(Content::text);
}

/// Archives and compressed files that are not read, by their first bytes.
std::string_view archive_of(const std::string& path) {
    using namespace std::string_view_literals;
    constexpr std::pair<std::string_view, std::string_view> kKinds[] = {
        {"PK\x03\x04"sv, "a zip archive"}, {"7z\xbc\xaf\x27\x1c"sv, "a 7z archive"},
        {"Rar!"sv, "a rar archive"},       {"\x1f\x9d"sv, "compressed by compress"},
        {"\x5d\0\0"sv, "an lzma file"},    {"\x02\x21\x4c\x18"sv, "an lz4 file of the legacy format"},
    };
    const auto bytes = open_bytes(path);
    std::string head(512, '\0');
    head.resize(bytes->read(head.data(), head.size()));
    if (head.size() > 262 && head.substr(257, 5) == "ustar") return "a tar archive";
    for (const auto& [magic, kind] : kKinds)
        if (head.starts_with(magic)) return kind;
    return {};
}

/// For a name that is not a file: a neighbor with nearly that name, or a pattern.
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
    return "; expected a CUDA program, kernelslist.g, a kernel trace, a recording, or a pattern such as "
           "pattern:stream";
}

std::unique_ptr<StreamSource> open_file(const std::string& path) {
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (!fs::exists(status)) throw InputError(path + ": no such file" + nearest(path));
    if (fs::is_directory(status)) {
        const fs::path list = fs::path(path) / "kernelslist.g";
        throw InputError(path + ": is a folder; " +
                         (fs::exists(list) ? "did you mean '" + list.string() + "'?"
                                           : "it contains no kernelslist.g: give a file"));
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
                                  ? std::string(", and it is not executable: run chmod +x on it first")
                                  : ": run it as './" + fs::path(path).filename().string() + "'"));
        case Content::binary:
            if (const auto archive = archive_of(path); !archive.empty())
                throw InputError(path + ":1: is " + std::string(archive) + ": unpack it first");
            throw InputError(path +
                             ":1: is binary data of an unknown kind; expected kernelslist.g, an Accel-Sim "
                             "kernel trace (plain, xz, gz, zst, bz2, lz4) or a Heddle recording");
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
                             "' is not a launch number or range; write 3, or 3-5, or 3-5,9, counted from 1");
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

std::vector<std::string> files_of_list(const std::string& path) {
    if (!fs::is_regular_file(path) || content_of(path) != Content::kernels_list) return {};
    return accelsim::KernelsList::open_list(path)->files();
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
