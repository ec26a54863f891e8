#include "cuda/workload.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

#include "cuda/child.h"
#include "cuda/compile.h"
#include "sim/build.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

std::string folder() {
    static const std::string path = shipped_folder("workloads", "workloads") + "/";
    return path;
}

/// The lines of a table without comments, cut at tabs.
std::vector<std::vector<std::string>> read_table(const std::string& path, std::size_t columns) {
    std::ifstream in(path);
    if (!in) throw InputError(path + ": cannot be read");
    std::vector<std::vector<std::string>> rows;
    std::string line;
    for (u64 number = 1; std::getline(in, line); ++number) {
        if (line.empty() || line[0] == '#') continue;
        auto& row = rows.emplace_back();
        for (std::size_t at = 0; at <= line.size();) {
            const std::size_t tab = std::min(line.find('\t', at), line.size());
            row.push_back(line.substr(at, tab - at));
            at = tab + 1;
        }
        if (row.size() < columns)
            throw InputError(path + ":" + std::to_string(number) + ": " + std::to_string(columns) +
                             " columns are needed");
    }
    return rows;
}

/// "1.25" -> 125; at most two decimals.
u64 hundredths(const std::string& text) {
    const std::size_t point = std::min(text.find('.'), text.size());
    std::string digits = text.substr(0, point);
    std::string decimals = point < text.size() ? text.substr(point + 1) : std::string();
    decimals.resize(2, '0');
    digits += decimals;
    u64 value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size())
        throw InputError(folder() + "measured.tsv: '" + text + "' is not a number");
    return value;
}

std::vector<Workload> read_workloads() {
    std::vector<Workload> list;
    // A program that was copied to where no workloads are runs all else.
    if (std::error_code error; !fs::exists(folder(), error)) return list;
    for (auto& row : read_table(folder() + "workloads.tsv", 2)) list.push_back({row[0], row[1], {}});
    for (const auto& row : read_table(folder() + "measured.tsv", 6)) {
        if (row[1] != "medium") continue;
        for (Workload& w : list)
            if (w.name == row[0])
                w.measured = {hundredths(row[2]) / 100, hundredths(row[3]) / 100, hundredths(row[4]),
                              hundredths(row[5])};
    }
    return list;
}

/// The folders that a workload is made from.
std::vector<fs::path> sources_of(const std::string& name) {
    return {folder() + name, folder() + "common", shipped_folder("include", "src/cuda/include")};
}

std::vector<fs::path> files_in(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error))
        if (entry.is_regular_file(error)) files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

/// Is the file missing, or older than what it is made from?
bool is_stale(const fs::path& program, const std::string& name) {
    std::error_code error;
    const auto built = fs::last_write_time(program, error);
    if (error) return true;
    for (const fs::path& from : sources_of(name))
        for (const fs::path& file : files_in(from))
            if (fs::last_write_time(file, error) > built) return true;
    return false;
}

/// FNV-1a, 64 bits, of what a workload is made from. The program names the runtime's folder, too.
std::string digest_of(const std::string& name) {
    u64 hash = 0xcbf29ce484222325;
    const auto add = [&hash](const std::string& bytes) {
        for (const char c : bytes) hash = (hash ^ static_cast<u8>(c)) * 0x100000001b3;
        hash = hash * 0x100000001b3;  // as if a zero ended it
    };
    add(library_folder());
    for (const fs::path& from : sources_of(name))
        for (const fs::path& file : files_in(from)) {
            add(file.lexically_relative(from).string());
            std::ifstream in(file, std::ios::binary);
            add({std::istreambuf_iterator<char>(in), {}});
        }
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
    return text;
}

/// Whether files can be made in the folder, which is made itself if need be.
bool usable(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    return access(folder.c_str(), W_OK | X_OK) == 0;
}

/// A folder of this user alone, so that nobody else puts a program there.
bool own(const fs::path& folder) {
    mkdir(folder.c_str(), 0700);
    struct stat about {};
    return lstat(folder.c_str(), &about) == 0 && S_ISDIR(about.st_mode) && about.st_uid == geteuid() &&
           (about.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Where compiled workloads are kept if not in the build.
fs::path workload_cache_folder() {
    std::string tried;
    const auto variable = [](const char* name) -> std::string {
        const char* value = std::getenv(name);
        return value == nullptr ? "" : value;
    };
    if (const std::string cache = variable("XDG_CACHE_HOME"); cache.starts_with('/')) {
        const fs::path folder = fs::path(cache) / "heddle" / "workloads";
        if (usable(folder)) return folder;
        tried += folder.string() + ", ";
    } else if (const std::string home = variable("HOME"); home.starts_with('/')) {
        const fs::path folder = fs::path(home) / ".cache" / "heddle" / "workloads";
        if (usable(folder)) return folder;
        tried += folder.string() + ", ";
    }
    std::string temporary = variable("TMPDIR");
    if (temporary.empty()) temporary = "/tmp";
    const fs::path folder = fs::path(temporary) / ("heddle-" + std::to_string(geteuid()));
    if (own(folder) && usable(folder)) return folder;
    throw InputError("no folder for compiled workloads: " + tried + folder.string() +
                     " is not writable; set XDG_CACHE_HOME to a folder that is");
}

std::string compiled(const std::string& name, const fs::path& program) {
    // Under another name first: two runs may compile it at once, and a broken one must not stay.
    const fs::path fresh = program.string() + "." + std::to_string(getpid());
    const std::string source = folder() + name + "/" + name + ".cu";
    const bool done = compile(parse_compile_arguments({source, "-o", fresh.string()}));
    std::error_code error;
    if (done) fs::rename(fresh, program, error);
    if (!done || error) {
        fs::remove(fresh, error);
        throw InputError("the workload " + name + " could not be compiled; see the errors above");
    }
    return program.string();
}

}  // namespace

const std::vector<Workload>& workloads() {
    static const std::vector<Workload> list = read_workloads();
    return list;
}

bool is_workload(std::string_view name) {
    return std::any_of(workloads().begin(), workloads().end(),
                       [&](const Workload& w) { return w.name == name; });
}

std::string workload_program(const std::string& name) {
    if (in_build_folder()) {
        const fs::path beside = fs::path(program_folder()) / "workloads", program = beside / name;
        if (!is_stale(program, name)) return program.string();
        if (usable(beside)) return compiled(name, program);
    }
    // The application is called as its program is.
    const fs::path made = workload_cache_folder() / digest_of(name), program = made / name;
    std::error_code error;
    if (fs::exists(program, error)) return program.string();
    fs::create_directories(made, error);
    return compiled(name, program);
}

}  // namespace heddle::cuda
