#include "cli/source.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>

#include "cli/arguments.h"
#include "cli/interrupt.h"
#include "cli/number.h"
#include "config/manual.h"
#include "cuda/run_program.h"
#include "cuda/workload.h"
#include "machine/device_description.h"
#include "ptx/memory_check.h"
#include "sim/build.h"
#include "sim/error.h"
#include "sim/join.h"
#include "study/applications.h"
#include "trace/pattern.h"

namespace heddle::cli {
namespace {

constexpr PatternEntry kPatterns[] = {
    {"stream", "every warp reads the next contiguous piece of an array"},
    {"strided", "as stream, with adjacent lanes --stride apart"},
    {"random", "each access touches --divergence random lines"},
    {"chase", "as random, each address comes from the previous access"},
    {"gather", "as random, each access first loads its index"},
    {"hotset", "as random, with most lines in a small hot part"},
    {"alu", "arithmetic only"},
};

/// CTAs of patterns; workloads have sizes of their own under these names.
struct SizeEntry {
    std::string_view name;
    u64 ctas;
};
constexpr SizeEntry kSizes[] = {{"small", 64}, {"medium", 512}, {"large", 4096}};

const SizeEntry& size_entry(const std::string& name) {
    for (const SizeEntry& e : kSizes)
        if (e.name == name) return e;
    std::vector<std::string_view> known;
    for (const SizeEntry& e : kSizes) known.push_back(e.name);
    throw InputError(fmt::format("--size: there is no size '{}'{}", name, config::suggestion(name, known)));
}

/// An option of patterns; `key` is the name in a pattern's text (trace/pattern.h).
struct PatternOption {
    const char* name;
    const char* key;
    const char* value;
    const char* about;
};

constexpr std::array kPatternOptions = {
    PatternOption{"--footprint", "footprint", "SIZE", "range that accesses stay in (64MiB)"},
    PatternOption{"--stride", "stride", "SIZE", "distance from lane to lane; strided (128B)"},
    PatternOption{"--divergence", "divergence", "N", "distinct lines per access: 1, 2, 4, ... 32 (32)"},
    PatternOption{"--hot", "hot", "SIZE", "size of the hot part; hotset (1MiB)"},
    PatternOption{"--hot-percent", "hot_percent", "N", "percentage of lines that come from it (90)"},
    PatternOption{"--read-percent", "read_percent", "N",
                  "percentage of accesses that load; the rest store (100)"},
    PatternOption{"--compute", "compute", "N", "multiply-adds before each access (0)"},
    PatternOption{"--bytes", "bytes", "N", "bytes per lane: 1, 2, 4, 8, 16 (4)"},
    PatternOption{"--ctas", "ctas", "N", "CTAs (512)"},
    PatternOption{"--threads", "threads", "N", "threads per CTA (256)"},
    PatternOption{"--accesses", "accesses", "N", "accesses per warp (16)"},
};

bool is_pattern(std::string_view word) {
    for (const PatternEntry& p : kPatterns)
        if (p.name == word) return true;
    return false;
}

/// It may be a workload or a pattern.
bool is_bare(const std::string& word, bool literal) {
    return !literal && word.find('/') == std::string::npos;
}

/// A bare word that is neither workload nor pattern nor file: the nearest of them.
[[noreturn]] void unknown_word(const std::string& word) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(".", error))
        files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    std::vector<std::string_view> known;
    for (const cuda::Workload& w : cuda::workloads()) known.push_back(w.name);
    for (const PatternEntry& p : kPatterns) known.push_back(p.name);
    const std::size_t names = known.size();
    known.insert(known.end(), files.begin(), files.end());
    std::string nearest = config::suggestion(word, known);
    if (nearest.starts_with(';')) {
        known.resize(names);
        nearest = config::suggestion(word, known);
    }
    if (cuda::workloads().empty())
        nearest += fmt::format("; Heddle's workloads are not on this machine: there is no {}",
                               shipped_folder("workloads", "workloads"));
    throw InputError(fmt::format("'{}' is neither a workload nor a file{}", word, nearest));
}

/// An argument so that no two lists of them read the same.
std::string identity_of(const std::string& argument) {
    return fmt::format(" {}:{}", argument.size(), argument);
}

/// Files that a program's arguments name.
void add_files_of_arguments(const std::vector<std::string>& arguments, std::vector<std::string>& files) {
    std::error_code error;
    for (const std::string& argument : arguments)
        for (const std::string& path : {argument, argument.substr(argument.find('=') + 1)})
            if (std::filesystem::is_regular_file(path, error)) {
                files.push_back(path);
                break;
            }
}

/// Files besides the program's own that decide what it does: those that its arguments name, and the runtime that
/// executes its kernels.
void add_files_of_program(const std::vector<std::string>& arguments, std::vector<std::string>& files) {
    add_files_of_arguments(arguments, files);
    std::error_code error;
    std::vector<std::string> runtime;
    for (const auto& entry : std::filesystem::directory_iterator(library_folder(), error))
        if (entry.path().filename().string().starts_with("libcudart.") && entry.is_regular_file(error))
            runtime.push_back(entry.path().string());
    std::sort(runtime.begin(), runtime.end());
    files.insert(files.end(), runtime.begin(), runtime.end());
}

/// Programs and workloads have arguments. Anything else has options of Heddle's, which belong to no single application.
void refuse_arguments(const std::string& word, const std::vector<std::string>& arguments,
                      std::string_view hint) {
    if (!arguments.empty())
        throw InputError(
            fmt::format("'{}' takes no arguments, but '{}' follows{}", word, arguments.front(), hint));
}

}  // namespace

std::span<const PatternEntry> patterns() {
    return kPatterns;
}

SourceKind kind_of(const std::string& word, bool literal) {
    const bool bare = is_bare(word, literal);
    if (bare && cuda::is_workload(word)) return SourceKind::workload;
    if (!literal && (word.starts_with(kPatternPrefix) || (bare && is_pattern(word))))
        return SourceKind::pattern;
    return is_program(word) ? SourceKind::program : SourceKind::file;
}

void refuse_missing(const std::string& word, bool literal) {
    std::error_code error;
    if (kind_of(word, literal) != SourceKind::file || std::filesystem::exists(word, error)) return;
    if (is_bare(word, literal)) unknown_word(word);
    throw InputError(fmt::format("there is no file '{}'", word));
}

SourceOptions::SourceOptions() : pattern_values_(kPatternOptions.size()) {}

void SourceOptions::declare(CLI::App& app) {
    app.add_option("--kernels", kernels_, "launches to run, counted from 1: 3-5,9")->type_name("RANGES");
    app.add_option(
           "--size", size_,
           "small, medium or large (medium): a workload's input, or a pattern of 64, 512 or 4096 CTAs")
        ->type_name("SIZE");
    app.add_option("--seed", seed_, "seed of every random choice (1)")->type_name("N");
    app.add_option(
           "--memcheck", memory_check_,
           "accesses outside every allocation: error; warn: a read in a 2 MiB page that holds data is only "
           "noted; off: only accesses outside such pages are errors (warn)")
        ->type_name("MODE");
    for (std::size_t i = 0; i < kPatternOptions.size(); ++i)
        app.add_option(kPatternOptions[i].name, pattern_values_[i], kPatternOptions[i].about)
            ->type_name(kPatternOptions[i].value)
            ->group("Options of synthetic patterns");
}

u64 SourceOptions::seed() const {
    return seed_.empty() ? 1 : parse_count("--seed", seed_);
}

/// The arguments of a workload's program: Heddle's options for it, then its own arguments.
std::vector<std::string> SourceOptions::workload_options(const std::vector<std::string>& arguments) const {
    std::vector<std::string> all;
    if (!size_.empty()) {
        size_entry(size_);
        all = {"--size", size_};
    }
    if (!seed_.empty()) all.insert(all.end(), {"--seed", std::to_string(seed())});
    all.insert(all.end(), arguments.begin(), arguments.end());
    return all;
}

OpenOptions SourceOptions::open_options() const {
    OpenOptions options;
    if (!kernels_.empty()) options.kernels = KernelSelection(kernels_);
    return options;
}

void SourceOptions::refuse_pattern_options(const std::string& word, std::string_view what) const {
    for (std::size_t i = 0; i < kPatternOptions.size(); ++i)
        if (!pattern_values_[i].empty())
            throw InputError(fmt::format("{} is an option of synthetic patterns, but '{}' is a {}",
                                         kPatternOptions[i].name, word, what));
}

void SourceOptions::check_memory_check(std::string_view what) const {
    if (memory_check_.empty()) return;
    if (!ptx::memory_check(memory_check_))
        throw InputError(fmt::format("--memcheck: there is no mode '{}'{}", memory_check_,
                                     config::suggestion(memory_check_, {ptx::kMemoryCheckNames.begin(),
                                                                        ptx::kMemoryCheckNames.end()})));
    if (!what.empty())
        throw InputError(
            fmt::format("--memcheck is an option of programs and workloads; {} executes nothing", what));
}

void SourceOptions::refuse_options_of_others(const std::string& word, std::string_view what) const {
    if (!size_.empty())
        throw InputError(fmt::format(
            "--size is an option of workloads and synthetic patterns, but '{}' is a {}", word, what));
    refuse_pattern_options(word, what);
}

std::string SourceOptions::pattern_text(const std::string& word) const {
    std::string out = word.starts_with(kPatternPrefix) ? word : std::string(kPatternPrefix) + word;
    if (!seed_.empty()) out += fmt::format(",seed={}", seed());
    if (!size_.empty()) {
        // What is given more exactly comes later and counts.
        const auto comma = std::min(out.find(','), out.size());
        out.insert(comma, fmt::format(",ctas={}", size_entry(size_).ctas));
    }
    for (std::size_t i = 0; i < kPatternOptions.size(); ++i)
        if (!pattern_values_[i].empty())
            out += fmt::format(",{}={}", kPatternOptions[i].key, pattern_values_[i]);
    return out;
}

std::unique_ptr<StreamSource> SourceOptions::open_one(const std::string& word, bool literal) const {
    const OpenOptions options = open_options();
    check_memory_check("'" + word + "'");
    if (kind_of(word, literal) == SourceKind::pattern) return open_source(pattern_text(word), options);
    std::error_code error;
    if (is_bare(word, literal) && !std::filesystem::exists(word, error)) unknown_word(word);
    refuse_options_of_others(word, "file");
    return open_source(word.starts_with(kPatternPrefix) ? "./" + word : word, options);
}

SourceFacts SourceOptions::facts(const std::string& word, bool literal,
                                 const std::vector<std::string>& arguments) const {
    switch (kind_of(word, literal)) {
        case SourceKind::workload: {
            refuse_pattern_options(word, "workload");
            check_memory_check("");
            SourceFacts workload{word, "workload" + memory_check_, {cuda::workload_program(word)}, true};
            for (const std::string& option : workload_options(arguments))
                workload.identity += identity_of(option);
            add_files_of_program(arguments, workload.files);
            return workload;
        }
        case SourceKind::program: {
            refuse_options_of_others(word, "program");
            check_memory_check("");
            SourceFacts program{
                word.find('/') == std::string::npos ? "./" + word : word, "program" + memory_check_, {word}};
            for (const std::string& argument : arguments) program.identity += identity_of(argument);
            add_files_of_program(arguments, program.files);
            return program;
        }
        case SourceKind::pattern: {
            refuse_arguments(word, arguments,
                             "; settings are part of a pattern's name, as in pattern:alu,ctas=2");
            open_one(word, literal);  // says what is wrong with it
            const std::string text = pattern_text(word);
            const PatternSettings s = parse_pattern(text);
            return {text,
                    fmt::format("pattern {} {} {} {} {} {} {} {} {} {} {} {} {} {}", pattern_name(s.kind),
                                s.footprint, s.stride, s.divergence, s.hot, s.hot_percent, s.read_percent,
                                s.compute, s.bytes, s.ctas, s.threads, s.accesses, s.seed, s.base),
                    {},
                    draws_random_numbers(s)};
        }
        case SourceKind::file:
            break;
    }
    refuse_arguments(word, arguments, "");
    open_one(word, literal);  // says what is wrong with it
    SourceFacts facts{word.find('/') == std::string::npos ? "./" + word : word, "stream", {word}};
    const std::vector<std::string> kernels = files_of_list(word);
    facts.files.insert(facts.files.end(), kernels.begin(), kernels.end());
    return facts;
}

std::vector<std::string> SourceOptions::run_options() const {
    std::vector<std::string> out;
    if (!kernels_.empty()) out.push_back("--kernels=" + kernels_);
    if (!size_.empty()) out.push_back("--size=" + size_);
    if (!seed_.empty()) out.push_back("--seed=" + seed_);
    if (!memory_check_.empty()) out.push_back("--memcheck=" + memory_check_);
    return out;
}

Source SourceOptions::open_source_of(const std::string& word, const Words& words,
                                     const std::vector<std::string>& workload_arguments,
                                     const SourceHost& host) const {
    const auto recorded = [&](const std::string& program, const std::vector<std::string>& arguments) {
        const cuda::ProgramHost on{describe_device(host.machine, host.machine_name), host.output_to_error,
                                   memory_check_, &catch_interrupts()};
        const cuda::ProgramRecording recording = cuda::run_program(program, arguments, on);
        return Source{recording.open(open_options()),
                      [recording, this] { return recording.open(open_options()); }};
    };
    switch (kind_of(word, words.literal)) {
        case SourceKind::workload:
            refuse_pattern_options(word, "workload");
            check_memory_check("");
            try {
                return recorded(cuda::workload_program(word), workload_options(workload_arguments));
            } catch (const cuda::ProgramFailure& failure) {
                if (failure.program_code != cuda::kWrongWorkloadOption) throw;
                // It has said what is wrong.
                throw InputError(fmt::format("'heddle explain {}' lists the options of {}", word, word));
            }
        case SourceKind::program:
            refuse_options_of_others(word, "program");
            check_memory_check("");
            return recorded(word, words.program_arguments);
        default:
            return {open_one(word, words.literal),
                    [this, word, literal = words.literal] { return open_one(word, literal); }};
    }
}

std::vector<std::size_t> SourceOptions::applications(const Words& words) {
    std::vector<std::size_t> out;
    for (const study::WordGroup& group : study::groups_of(words.words)) {
        out.push_back(group.first);
        if (group.count == 1) continue;
        // Arguments, of what was meant as a program?
        const std::string& first = words.words[group.first];
        refuse_missing(first, words.literal);
        if (kind_of(first, words.literal) == SourceKind::file)
            throw InputError(
                fmt::format("'{}' is not a program, so no arguments can follow it; join several "
                            "applications with '+'",
                            first));
        throw InputError(fmt::format("'{}': join several applications with '+'", join(words.words, " ")));
    }
    return out;
}

std::vector<std::string> SourceOptions::files(const Words& words) {
    std::vector<std::string> out;
    for (const std::size_t at : applications(words)) {
        const std::string& word = words.words[at];
        const SourceKind kind = kind_of(word, words.literal);
        if (kind == SourceKind::program || kind == SourceKind::file) out.push_back(word);
        if (kind == SourceKind::file && is_stream_file(word))
            for (std::string& kernel : files_of_list(word)) out.push_back(std::move(kernel));
        if (at < words.workload_arguments.size()) add_files_of_arguments(words.workload_arguments[at], out);
    }
    add_files_of_arguments(words.program_arguments, out);
    return out;
}

std::vector<Source> SourceOptions::open(const Words& words, const std::string& default_word,
                                        const SourceHost& host, std::size_t only) const {
    const std::vector<std::size_t> apps = applications(words);
    std::vector<Source> sources;
    if (apps.empty()) {
        if (default_word.empty()) throw InputError("missing SOURCE: give a workload or a file");
        sources.push_back(open_source_of(default_word, {}, {}, host));
    }
    for (std::size_t k = 0; k < apps.size(); ++k) {
        if (only != 0 && only != k + 1) continue;
        const std::size_t at = apps[k];
        sources.push_back(open_source_of(
            words.words[at], words,
            at < words.workload_arguments.size() ? words.workload_arguments[at] : std::vector<std::string>(),
            host));
    }
    return sources;
}

}  // namespace heddle::cli
