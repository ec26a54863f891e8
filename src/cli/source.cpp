#include "cli/source.h"

#include <CLI/App.hpp>
#include <algorithm>
#include <array>
#include <filesystem>
#include <fmt/format.h>
#include <fstream>

#include "cli/arguments.h"
#include "cli/number.h"
#include "config/manual.h"
#include "sim/error.h"
#include "trace/pattern.h"

namespace heddle::cli {
namespace {

constexpr PatternEntry kPatterns[] = {
    {"stream", "every warp reads the next contiguous piece of an array"},
    {"strided", "as stream, neighbouring lanes --stride apart"},
    {"random", "each access touches --divergence random lines"},
    {"chase", "as random, each address comes out of the access before"},
    {"gather", "as random, each access first loads its index (the default)"},
    {"hotset", "as random, most lines lie in a small hot part"},
    {"alu", "arithmetic only"},
};

/// An option of patterns; `key` is the name in a pattern's text (trace/pattern.h).
struct PatternOption {
    const char* name;
    const char* key;
    const char* value;
    const char* about;
};
/// Of patterns; workloads have theirs.
struct SizeEntry {
    std::string_view name;
    u64 ctas;
};
constexpr SizeEntry kSizes[] = {{"small", 64}, {"medium", 512}, {"large", 4096}};

constexpr std::array kPatternOptions = {
    PatternOption{"--footprint", "footprint", "SIZE", "data that accesses stay in (64MiB)"},
    PatternOption{"--stride", "stride", "SIZE", "from lane to lane; strided (128B)"},
    PatternOption{"--divergence", "divergence", "N", "distinct lines of an access: 1, 2, 4, ... 32 (32)"},
    PatternOption{"--hot", "hot", "SIZE", "size of the hot part; hotset (1MiB)"},
    PatternOption{"--hot-percent", "hot_percent", "N", "lines that come from it, in percent (90)"},
    PatternOption{"--read-percent", "read_percent", "N",
                  "accesses that load, in percent; the rest stores (100)"},
    PatternOption{"--compute", "compute", "N", "multiply-adds before each access (0)"},
    PatternOption{"--bytes", "bytes", "N", "bytes of a lane: 1, 2, 4, 8, 16 (4)"},
    PatternOption{"--ctas", "ctas", "N", "CTAs (512)"},
    PatternOption{"--threads", "threads", "N", "threads of a CTA (256)"},
    PatternOption{"--accesses", "accesses", "N", "accesses of a warp (16)"},
};

bool is_pattern(std::string_view word) {
    for (const PatternEntry& p : kPatterns)
        if (p.name == word) return true;
    return false;
}

/// A bare word that is neither pattern nor file: what is nearest of both.
[[noreturn]] void unknown_word(const std::string& word) {
    std::vector<std::string> files;
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(".", error))
        files.push_back(entry.path().filename().string());
    std::sort(files.begin(), files.end());
    std::vector<std::string_view> known;
    for (const PatternEntry& p : kPatterns) known.push_back(p.name);
    const std::size_t patterns = known.size();
    known.insert(known.end(), files.begin(), files.end());
    std::string nearest = config::suggestion(word, known);
    if (nearest.starts_with(';')) {
        known.resize(patterns);
        nearest = config::suggestion(word, known);
    }
    throw InputError(fmt::format("'{}' is no workload and no file{}", word, nearest));
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& w : words) out += (out.empty() ? "" : " ") + w;
    return out;
}

}  // namespace

std::span<const PatternEntry> patterns() {
    return kPatterns;
}

SourceOptions::SourceOptions() : pattern_values_(kPatternOptions.size()) {}

void SourceOptions::declare(CLI::App& app) {
    app.add_option("--kernels", kernels_, "launches that are run, counted from 1: 3-5,9")
        ->type_name("RANGES");
    app.add_option("--size", size_, "small, medium or large: 64, 512 or 4096 CTAs of a pattern (medium)")
        ->type_name("SIZE");
    app.add_option("--seed", seed_, "of every random choice (1)")->type_name("N");
    for (std::size_t i = 0; i < kPatternOptions.size(); ++i)
        app.add_option(kPatternOptions[i].name, pattern_values_[i], kPatternOptions[i].about)
            ->type_name(kPatternOptions[i].value)
            ->group("Options of synthetic patterns");
}

u64 SourceOptions::seed() const {
    return seed_.empty() ? 1 : parse_count("--seed", seed_);
}

std::string SourceOptions::pattern_text(const std::string& word, bool literal) const {
    const bool text = !literal && word.starts_with(kPatternPrefix);
    if (!text && (literal || word.find('/') != std::string::npos || !is_pattern(word))) return {};
    std::string out = text ? word : std::string(kPatternPrefix) + word;
    if (!seed_.empty()) out += fmt::format(",seed={}", seed());
    if (!size_.empty()) {
        const auto* size = std::find_if(std::begin(kSizes), std::end(kSizes),
                                        [&](const SizeEntry& e) { return e.name == size_; });
        if (size == std::end(kSizes))
            throw InputError(fmt::format("--size {}: small, medium or large", size_));
        // What is given more exactly comes later and counts.
        const auto comma = std::min(out.find(','), out.size());
        out.insert(comma, fmt::format(",ctas={}", size->ctas));
    }
    for (std::size_t i = 0; i < kPatternOptions.size(); ++i)
        if (!pattern_values_[i].empty())
            out += fmt::format(",{}={}", kPatternOptions[i].key, pattern_values_[i]);
    return out;
}

void SourceOptions::only_for_patterns(const std::string& word) const {
    auto refuse = [&word](const char* option) {
        throw InputError(
            fmt::format("{} is an option of synthetic patterns, but '{}' is a file", option, word));
    };
    if (!size_.empty()) refuse("--size");
    for (std::size_t i = 0; i < kPatternOptions.size(); ++i)
        if (!pattern_values_[i].empty()) refuse(kPatternOptions[i].name);
}

std::unique_ptr<StreamSource> SourceOptions::open_one(const std::string& word, bool literal) const {
    OpenOptions options;
    if (!kernels_.empty()) options.kernels = KernelSelection(kernels_);
    if (const std::string text = pattern_text(word, literal); !text.empty())
        return open_source(text, options);
    if (is_program(word))
        throw InputError(
            fmt::format("'{}' is a program; running CUDA programs is not supported by this version", word));
    const bool bare = !literal && word.find('/') == std::string::npos;
    std::error_code error;
    if (bare && !std::filesystem::exists(word, error)) unknown_word(word);
    only_for_patterns(word);
    return open_source(word.starts_with(kPatternPrefix) ? "./" + word : word, options);
}

SourceFacts SourceOptions::facts(const std::string& word, bool literal) const {
    // Opening says what is wrong with it.
    open_one(word, literal);
    if (const std::string text = pattern_text(word, literal); !text.empty()) {
        const PatternSettings s = parse_pattern(text);
        return {text,
                fmt::format("pattern {} {} {} {} {} {} {} {} {} {} {} {} {} {}", pattern_name(s.kind),
                            s.footprint, s.stride, s.divergence, s.hot, s.hot_percent, s.read_percent,
                            s.compute, s.bytes, s.ctas, s.threads, s.accesses, s.seed, s.base),
                {}};
    }
    SourceFacts facts{word.find('/') == std::string::npos ? "./" + word : word, "stream", {word}};
    // The kernels that a list names lie beside it.
    std::ifstream list(word);
    const std::filesystem::path folder = std::filesystem::path(word).parent_path();
    std::error_code error;
    for (std::string line; std::getline(list, line) && line.size() < 4096;) {
        while (!line.empty() && (line.back() == ' ' || line.back() == '\r' || line.back() == '\t'))
            line.pop_back();
        if (!line.starts_with("kernel")) continue;
        const std::filesystem::path file = folder / line;
        if (std::filesystem::is_regular_file(file, error)) facts.files.push_back(file.string());
    }
    return facts;
}

std::vector<std::string> SourceOptions::run_options() const {
    std::vector<std::string> out;
    if (!kernels_.empty()) out.push_back("--kernels=" + kernels_);
    return out;
}

Source SourceOptions::open_source_of(const std::string& word, bool literal) const {
    return {open_one(word, literal), [this, word, literal] { return open_one(word, literal); }};
}

std::vector<Source> SourceOptions::open(const Words& words, const std::string& default_word) const {
    std::vector<Source> sources;
    if (words.words.empty() && !default_word.empty()) {
        sources.push_back(open_source_of(default_word, false));
        return sources;
    }
    bool want_word = true;
    for (const std::string& word : words.words) {
        const bool plus = word == "+";
        if (plus == want_word)
            throw InputError(fmt::format(
                "'{}': {}", joined(words.words),
                plus ? "there is no application before '+'" : "several applications are joined by '+'"));
        if (!plus) sources.push_back(open_source_of(word, words.literal));
        want_word = !want_word;
    }
    if (want_word)
        throw InputError(words.words.empty()
                             ? "what shall it read? Give a workload or a file"
                             : fmt::format("'{}': there is no application after '+'", joined(words.words)));
    return sources;
}

}  // namespace heddle::cli
