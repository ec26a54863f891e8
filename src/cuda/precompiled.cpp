#include "cuda/precompiled.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <set>
#include <sys/file.h>
#include <unistd.h>

#include "cuda/child.h"
#include "cuda/toolkit.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

using Words = std::vector<std::string>;

constexpr std::string_view kHeader = "runtime.pch", kInputs = "inputs", kNames = "names";
/// Where versions of the C++ library lie side by side. Clang takes the newest, which may be one that is installed later.
constexpr std::string_view kVersions = "/c++/";
constexpr std::size_t kKept = 12;
constexpr std::chrono::minutes kInUse{10};

/// -D or -U of the command line.
struct CommandMacro {
    std::string word;  // "-DN=3"
    std::string name;
};

/// A command, by what its words do to the headers.
struct HeaderCommand {
    Words words;  // but for what follows
    std::vector<CommandMacro> macros;
    Words folders;
};

bool is_name_letter(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

CommandMacro command_macro(const std::string& word) {
    const auto end = std::find_if_not(word.begin() + 2, word.end(), is_name_letter);
    return {word, std::string(word.begin() + 2, end)};
}

/// Names that the language reserves are the headers' own, and <cassert> asks for this one each time.
bool concerns_headers(const std::string& name) {
    return name.starts_with('_') || name == "NDEBUG";
}

Words folders_of_environment() {
    Words out;
    for (const char* name : {"CPATH", "CPLUS_INCLUDE_PATH"}) {
        const char* value = std::getenv(name);
        std::string_view left = value != nullptr ? value : "";
        while (!left.empty()) {
            const std::size_t end = std::min(left.find(':'), left.size());
            out.emplace_back(end == 0 ? "." : left.substr(0, end));
            left.remove_prefix(std::min(end + 1, left.size()));
        }
    }
    return out;
}

/// clang 14 merges what it reads from parsed headers from C++20 on, and takes a host function and a device function of the same
/// parameters for one.
bool merges_overloads(std::string_view word) {
    if (word.starts_with("--")) word.remove_prefix(1);
    for (const std::string_view standard : {"-std=c++", "-std=gnu++"})
        if (word.starts_with(standard)) return word.substr(standard.size()) >= "20" && word.back() != '8';
    return false;
}

/// Nothing if cuda_runtime.h does not come first, the preprocessor runs by itself, or clang would misread parsed headers.
std::optional<HeaderCommand> header_command(const Words& command, const std::string& include) {
    constexpr std::array<std::string_view, 4> folder{"-I", "-isystem", "-iquote", "-idirafter"};
    constexpr std::array<std::string_view, 3> with_file{"-MF", "-MT", "-MQ"};
    constexpr std::array<std::string_view, 6> no_matter{"-MD", "-MMD",   "-MP",
                                                        "-MG", "-cuid=", "-frandom-seed="};
    HeaderCommand out;
    out.folders = folders_of_environment();
    bool included = false;
    auto among = [](const auto& list, const std::string& word) {
        return std::find(list.begin(), list.end(), word) != list.end();
    };
    for (std::size_t k = 0; k < command.size(); ++k) {
        const std::string& word = command[k];
        const bool last = k + 1 == command.size();
        if (word.find('\n') != std::string::npos || merges_overloads(word)) return std::nullopt;
        if (word == "-include" && !last && command[k + 1] == "cuda_runtime.h" && !included) {
            included = true;
            ++k;
        } else if (word.starts_with("-include") || word == "-imacros" || word == "-E" ||
                   word.starts_with("-save-temps")) {
            return std::nullopt;
        } else if (among(folder, word) && !last) {
            if (command[++k] == include && word == "-isystem")
                out.words.insert(out.words.end(), {word, include});
            else
                out.folders.push_back(command[k]);
        } else if (word.starts_with("-I") && word.size() > 2) {
            out.folders.push_back(word.substr(2));
        } else if ((word == "-D" || word == "-U") && !last) {
            out.macros.push_back(command_macro(word + command[++k]));
        } else if (word.starts_with("-D") || word.starts_with("-U")) {
            out.macros.push_back(command_macro(word));
        } else if (among(with_file, word) && !last) {
            ++k;
        } else if (std::none_of(no_matter.begin(), no_matter.end(),
                                [&](std::string_view w) { return word.starts_with(w); })) {
            out.words.push_back(word);
        }
    }
    if (!included) return std::nullopt;
    return out;
}

std::string file_text(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// Changes if the file does. Empty: there is none.
std::string stamp(const std::string& path) {
    std::error_code error;
    const auto time = fs::last_write_time(path, error);
    if (error) return {};
    const auto size = fs::file_size(path, error);
    return std::to_string(size) + " " + std::to_string(time.time_since_epoch().count());
}

/// The files of a rule for make: "target: file file \", where a blank in a name has a backslash before it.
Words rule_files(const std::string& rule) {
    Words out;
    std::string word;
    for (std::size_t k = std::min(rule.find(": "), rule.size()); k < rule.size(); ++k) {
        const char c = rule[k];
        if (c == '\\' && k + 1 < rule.size() && rule[k + 1] == ' ') {
            word += rule[++k];
        } else if (std::isspace(static_cast<unsigned char>(c)) != 0 || c == '\\') {
            if (word.size() > 1) out.push_back(word);
            word.clear();
        } else {
            word += c;
        }
    }
    if (!word.empty()) out.push_back(word);
    return out;
}

/// The names of a source, but for those in its comments.
void add_names(std::string_view text, std::set<std::string>& names) {
    while (!text.empty()) {
        std::size_t length = 1;
        if (text.starts_with("//")) {
            length = text.find('\n');
        } else if (text.starts_with("/*")) {
            const std::size_t end = text.find("*/", 2);
            length = end == std::string_view::npos ? end : end + 2;
        } else if (is_name_letter(text[0])) {
            length = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), is_name_letter) -
                                              text.begin());
            if (std::isdigit(static_cast<unsigned char>(text[0])) == 0) names.emplace(text.substr(0, length));
        }
        text.remove_prefix(std::min(length, text.size()));
    }
}

/// Compilations that run at once wait for the first, which makes what they all need. Locked or not, the result is right.
class Turn {
  public:
    explicit Turn(const fs::path& folder)
        : file_(::open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
        if (file_ >= 0) ::flock(file_, LOCK_EX);
    }
    ~Turn() {
        if (file_ >= 0) ::close(file_);
    }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

  private:
    int file_;
};

/// Parsed headers in their folder: runtime.pch; inputs, which has the key, the stamp of runtime.pch, and each file that clang
/// read with its stamp; and names, all words of these files.
class Precompiled {
  public:
    /// With the macros that concern the headers.
    Precompiled(const HeaderCommand& command, const std::vector<CommandMacro>& macros, std::string include)
        : words_(command.words), include_(std::move(include)) {
        for (const CommandMacro& m : macros) words_.push_back(m.word);
        key_ = stamp(words_[0]);
        for (const std::string& w : words_) key_ += " " + w;
        folder_ = user_cache() / "heddle/precompiled" /
                  std::to_string(std::hash<std::string>{}(key_) % 0xffffffffffffULL);
    }

    std::string header() const { return (folder_ / kHeader).string(); }

    /// Whether it can be used as it is, or could be made.
    bool ready() {
        if (load()) {
            std::error_code error;
            fs::last_write_time(folder_, fs::file_time_type::clock::now(), error);
            return true;
        }
        std::error_code error;
        fs::create_directories(folder_.parent_path(), error);
        const Turn turn(folder_.parent_path());
        return load() || (make() && load());
    }

    /// Those of the macros that the headers name.
    std::vector<CommandMacro> named(const std::vector<CommandMacro>& macros) const {
        if (macros.empty()) return {};
        std::set<std::string> names;
        add_names(file_text(folder_ / kNames), names);
        std::vector<CommandMacro> out;
        std::copy_if(macros.begin(), macros.end(), std::back_inserter(out),
                     [&](const CommandMacro& m) { return names.contains(m.name); });
        return out;
    }

    /// Whether an #include of the headers could find a file of this folder instead.
    bool hidden_by(const std::string& folder) const {
        std::set<std::string> entries;
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
            entries.insert(at->path().filename().string());
        for (const std::string& input : inputs_)
            for (std::size_t slash = input.rfind('/'); slash != std::string::npos && slash != 0;
                 slash = input.rfind('/', slash - 1)) {
                const std::string spelled = input.substr(slash + 1);
                if (!entries.contains(spelled.substr(0, spelled.find('/')))) continue;
                const fs::path other = fs::path(folder) / spelled;
                if (fs::is_regular_file(other, error) && !fs::equivalent(other, input, error)) return true;
            }
        return false;
    }

  private:
    bool load() {
        std::ifstream in(folder_ / kInputs);
        std::string line;
        if (!std::getline(in, line) || line != key_) return false;
        if (!std::getline(in, line) || line != stamp(header())) return false;
        inputs_.clear();
        while (std::getline(in, line)) {
            const std::size_t tab = line.find('\t');
            if (tab == std::string::npos || stamp(line.substr(tab + 1)) != line.substr(0, tab)) return false;
            inputs_.push_back(line.substr(tab + 1));
        }
        return !inputs_.empty();
    }

    /// In a folder of its own, which then gets the name: others may be doing the same.
    bool make() const {
        std::error_code error;
        std::string made = (folder_.parent_path() / "new-XXXXXX").string();
        if (mkdtemp(made.data()) == nullptr) return false;
        const bool good = fill(made);
        if (good) {
            forget();
            fs::rename(made, folder_, error);
            if (error) {  // what was there is stale, or another has just made it
                fs::remove_all(folder_, error);
                fs::rename(made, folder_, error);
            }
        }
        fs::remove_all(made, error);
        return good;
    }

    bool fill(const fs::path& made) const {
        const std::string rule = (made / "rule").string();
        Words c = words_;
        c.insert(c.end(), {"-S", include_ + "/heddle/precompiled.h", "-Xclang", "-emit-pch", "-o",
                           (made / kHeader).string(), "-MD", "-MF", rule});
        ChildOptions options;
        options.keep_output = true;
        const auto start = fs::file_time_type::clock::now();
        const ChildEnd end = run_child(c, options);
        if (end.code != 0 || end.signal != 0) return false;
        const auto now = fs::file_time_type::clock::now();
        std::ofstream inputs(made / kInputs), names_file(made / kNames);
        inputs << key_ << "\n" << stamp((made / kHeader).string()) << "\n";
        std::set<std::string> names, libraries;
        std::error_code error;
        for (const std::string& file : rule_files(file_text(rule))) {
            const auto written = fs::last_write_time(file, error);
            if (error || (written >= start && written <= now))
                return false;  // clang may have read what was before
            inputs << stamp(file) << "\t" << file << "\n";
            add_names(file_text(file), names);
            if (const auto at = file.find(kVersions); at != std::string::npos)
                libraries.insert(file.substr(0, at + kVersions.size()));
        }
        for (const std::string& folder : libraries) inputs << stamp(folder) << "\t" << folder << "\n";
        for (const std::string& name : names) names_file << name << "\n";
        fs::remove(rule, error);
        inputs.close();
        names_file.close();
        return inputs.good() && names_file.good();
    }

    /// Makes room.
    void forget() const {
        std::error_code error;
        std::vector<std::pair<fs::file_time_type, fs::path>> kept;
        for (fs::directory_iterator at(folder_.parent_path(), error), end; !error && at != end;
             at.increment(error)) {
            std::error_code gone;
            const auto time = fs::last_write_time(at->path(), gone);
            if (!gone && at->path().filename() != "lock") kept.emplace_back(time, at->path());
        }
        std::sort(kept.rbegin(), kept.rend());
        const auto now = fs::file_time_type::clock::now();
        for (std::size_t k = kKept; k < kept.size(); ++k)
            if (now - kept[k].first > kInUse) fs::remove_all(kept[k].second, error);
    }

    Words words_;
    std::string include_, key_;
    fs::path folder_;
    Words inputs_;
};

Words with_header(const Words& command, const std::string& header) {
    Words out = command;
    for (std::size_t k = 0; k + 1 < out.size(); ++k)
        if (out[k] == "-include" && out[k + 1] == "cuda_runtime.h") {
            out[k] = "-include-pch";
            out[k + 1] = header;
        }
    return out;
}

}  // namespace

std::vector<std::string> with_precompiled_runtime(const std::vector<std::string>& command,
                                                  const std::string& include) {
    const auto parts = header_command(command, include);
    if (!parts) return command;
    std::vector<CommandMacro> taken, others;
    for (const CommandMacro& m : parts->macros) (concerns_headers(m.name) ? taken : others).push_back(m);
    try {
        Precompiled headers(*parts, taken, include);
        if (!headers.ready()) return command;
        if (const std::vector<CommandMacro> more = headers.named(others); !more.empty()) {
            taken.insert(taken.end(), more.begin(), more.end());
            headers = Precompiled(*parts, taken, include);
            // With these macros the headers may include more, and name others.
            if (!headers.ready() || headers.named(others).size() != more.size()) return command;
        }
        for (const std::string& folder : parts->folders)
            if (headers.hidden_by(folder)) return command;
        return with_header(command, headers.header());
    } catch (const std::exception&) {  // a folder that can't be read, a clang that can't be started
        return command;
    }
}

bool blames_precompiled(std::string_view said) {
    for (const std::string_view words : {"PCH file", "AST file", "precompiled header", ".pch'"})
        if (said.find(words) != std::string_view::npos) return true;
    return false;
}

}  // namespace heddle::cuda
