#include "cuda/workload.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <unistd.h>

#include "cuda/child.h"
#include "cuda/compile.h"
#include "sim/build.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

const std::string kFolder = checkout("workloads/");

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
        throw InputError(kFolder + "measured.tsv: '" + text + "' is no number");
    return value;
}

std::vector<Workload> read_workloads() {
    std::vector<Workload> list;
    for (auto& row : read_table(kFolder + "workloads.tsv", 2)) list.push_back({row[0], row[1], {}});
    for (const auto& row : read_table(kFolder + "measured.tsv", 6)) {
        if (row[1] != "medium") continue;
        for (Workload& w : list)
            if (w.name == row[0])
                w.measured = {hundredths(row[2]) / 100, hundredths(row[3]) / 100, hundredths(row[4]),
                              hundredths(row[5])};
    }
    return list;
}

/// Is the file missing, or older than a file in one of the folders?
bool is_stale(const fs::path& program, std::initializer_list<fs::path> folders) {
    std::error_code error;
    const auto built = fs::last_write_time(program, error);
    if (error) return true;
    for (const fs::path& folder : folders)
        for (const auto& entry : fs::recursive_directory_iterator(folder, error))
            if (entry.is_regular_file() && entry.last_write_time() > built) return true;
    return false;
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
    const fs::path source = fs::path(kFolder) / name / (name + ".cu");
    const fs::path folder = fs::path(program_folder()) / "workloads", program = folder / name;
    if (!is_stale(program,
                  {source.parent_path(), fs::path(kFolder) / "common", checkout("src/cuda/include")}))
        return program.string();
    fs::create_directories(folder);
    // Under another name first: two runs may compile it at once, and a broken one must not stay.
    const fs::path fresh = folder / (name + "." + std::to_string(getpid()));
    const bool done = compile(parse_compile_arguments({source.string(), "-o", fresh.string()}));
    std::error_code error;
    if (done) fs::rename(fresh, program, error);
    if (!done || error) {
        fs::remove(fresh, error);
        throw InputError("the workload " + name + " could not be compiled; what went wrong stands above");
    }
    return program.string();
}

}  // namespace heddle::cuda
