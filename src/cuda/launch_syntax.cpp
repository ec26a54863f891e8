#include "cuda/launch_syntax.h"

#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>

namespace heddle::cuda {
namespace {

namespace fs = std::filesystem;

bool is_space(char c) {
    return std::isspace(static_cast<unsigned char>(c)) != 0;
}
bool is_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

/// The end of the comment or literal that begins at `at`; `at` itself if none does.
std::size_t skip(std::string_view text, std::size_t at) {
    const auto to = [&](std::string_view end, std::size_t from) {
        const std::size_t found = text.find(end, from);
        return found == std::string_view::npos ? text.size() : found + end.size();
    };
    const std::string_view rest = text.substr(at);
    if (rest.starts_with("//")) return to("\n", at);
    if (rest.starts_with("/*")) return to("*/", at + 2);
    const bool begins_word = at == 0 || !is_word(text[at - 1]);
    if (begins_word && rest.starts_with("R\"")) {
        const std::size_t open = text.find('(', at);
        if (open == std::string_view::npos) return text.size();
        return to(")" + std::string(text.substr(at + 2, open - at - 2)) + "\"", open);
    }
    if (rest[0] != '"' && !(rest[0] == '\'' && begins_word)) return at;  // 1'000 is a number
    for (std::size_t k = at + 1; k < text.size(); ++k) {
        if (text[k] == '\\')
            ++k;
        else if (text[k] == rest[0] || text[k] == '\n')
            return k + 1;
    }
    return text.size();
}

/// Behind the third `bracket` if three stand at `at`, with nothing but space between them; `at` if not.
std::size_t three(std::string_view text, std::size_t at, char bracket) {
    std::size_t k = at;
    for (int n = 0; n < 3; ++n) {
        if (n != 0)
            while (k < text.size() && is_space(text[k])) ++k;
        if (k == text.size() || text[k] != bracket) return at;
        ++k;
    }
    return k;
}

bool follows_operator(std::string_view text, std::size_t at) {
    while (at > 0 && is_space(text[at - 1])) --at;
    constexpr std::string_view word = "operator";
    return text.substr(0, at).ends_with(word);
}

/// Where the launch closes whose arguments begin at `at`: the place of its `>>>`. None if this is no launch.
std::optional<std::size_t> closing(std::string_view text, std::size_t at) {
    int depth = 0;
    while (at < text.size()) {
        if (const std::size_t past = skip(text, at); past != at) {
            at = past;
            continue;
        }
        const char c = text[at];
        if (c == '(' || c == '[' || c == '{') ++depth;
        if (c == ')' || c == ']' || c == '}') --depth;
        if (depth < 0 || (c == ';' && depth == 0)) return std::nullopt;
        if (c == '>' && depth == 0)
            if (std::size_t past = three(text, at, '>'); past != at) {
                while (past < text.size() && (is_space(text[past]) || text[past] == '\\')) ++past;
                if (past < text.size() && text[past] == '(') return at;
            }
        ++at;
    }
    return std::nullopt;
}

/// Puts three brackets together at the front of the room that they have.
void join(std::string& text, std::size_t at, char bracket) {
    const std::size_t past = three(text, at, bracket);
    std::size_t next = at + 1;
    for (std::size_t k = at + 1; k < past; ++k)
        if (text[k] == bracket) {
            std::swap(text[k], text[next]);
            ++next;
        }
}

/// Reads a text by its braces: which of them are functions of the device.
class DeviceLaunches {
  public:
    DeviceLaunches(std::string_view text, Half half) : text_(text), half_(half) {}

    std::string run() {
        for (std::size_t at = 0; at < text_.size();) {
            if (const std::size_t past = skip(text_, at); past != at) {
                at = past;
            } else if (text_[at] == '#' && begins_line(at)) {
                at = directive(at);
            } else if (const auto past = launch(at)) {
                at = *past;
            } else {
                character(text_[at++]);
            }
        }
        out_ += text_.substr(done_);
        return std::move(out_);
    }

  private:
    void character(char c) {
        if (c == '{') braces_.push_back((!braces_.empty() && braces_.back()) || is_device(head_));
        if (c == '}' && !braces_.empty()) braces_.pop_back();
        if (c == '{' || c == '}' || c == ';')
            head_.clear();
        else
            head_ += c;
    }

    /// Behind the brackets of a launch in device code that begins at `at`.
    std::optional<std::size_t> launch(std::size_t at) {
        if (text_[at] != '<' || braces_.empty() || !braces_.back() || follows_operator(text_, at))
            return std::nullopt;
        const std::size_t past = three(text_, at, '<');
        if (past == at) return std::nullopt;
        if (const auto close = closing(text_, past)) call(at, past, *close);
        return past;
    }

    bool begins_line(std::size_t at) const {
        while (at > 0 && (text_[at - 1] == ' ' || text_[at - 1] == '\t')) --at;
        return at == 0 || text_[at - 1] == '\n';
    }

    /// Behind a preprocessor directive. The branches of an #if begin with the same braces.
    std::size_t directive(std::size_t at) {
        std::size_t end = at;
        while (end < text_.size() && (text_[end] != '\n' || text_[end - 1] == '\\')) ++end;
        std::size_t word = at + 1;
        while (word < end && is_space(text_[word])) ++word;
        const std::string_view name = text_.substr(word, end - word);
        if (name.starts_with("if")) branches_.push_back(braces_);
        if (name.starts_with("el") && !branches_.empty()) braces_ = branches_.back();
        if (name.starts_with("endif") && !branches_.empty()) branches_.pop_back();
        return end;
    }

    bool is_device(std::string_view head) const {
        const bool device = head.find("__device__") != std::string_view::npos;
        if (half_ == Half::host && device && head.find("__host__") != std::string_view::npos) return false;
        return device || head.find("__global__") != std::string_view::npos;
    }

    /// The kernel's name ends before `at`: `a::b<c>`. Where it begins.
    std::size_t name_before(std::size_t at) const {
        while (at > done_ && is_space(text_[at - 1])) --at;
        for (;;) {
            if (at > done_ && text_[at - 1] == '>') {
                int depth = 0;
                while (at > done_) {
                    --at;
                    depth += text_[at] == '>' ? 1 : text_[at] == '<' ? -1 : 0;
                    if (depth == 0) break;
                }
                while (at > done_ && is_space(text_[at - 1])) --at;
            }
            while (at > done_ && is_word(text_[at - 1])) --at;
            if (at < done_ + 2 || text_.substr(at - 2, 2) != "::") return at;
            at -= 2;
        }
    }

    void call(std::size_t open, std::size_t arguments, std::size_t close) {
        const std::size_t name = name_before(open);
        std::string_view kernel = text_.substr(name, open - name);
        while (!kernel.empty() && is_space(kernel.back())) kernel.remove_suffix(1);
        if (kernel.empty()) return;
        out_ += text_.substr(done_, name - done_);
        out_ += "::heddle_launch::configure<decltype(&";
        out_ += kernel;
        out_ += "), &";
        out_ += kernel;
        out_ += ">(";
        out_ += text_.substr(arguments, close - arguments);
        out_ += ')';
        done_ = three(text_, close, '>');
    }

    std::string_view text_;
    Half half_;
    std::string out_;
    std::size_t done_ = 0;      // of the text, in out_
    std::string head_;          // of what may become a function: since the last brace or semicolon
    std::vector<bool> braces_;  // open ones: in a function of the device
    std::vector<std::vector<bool>> branches_;  // the same where open #ifs began
};

std::optional<std::string> read(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) return std::nullopt;
    return std::string(std::istreambuf_iterator<char>(in), {});
}

std::vector<std::string> quoted_includes(std::string_view text) {
    std::vector<std::string> out;
    for (std::size_t at = text.find('#'); at != std::string_view::npos; at = text.find('#', at + 1)) {
        std::size_t k = at + 1;
        const auto spaces = [&] {
            while (k < text.size() && (text[k] == ' ' || text[k] == '\t')) ++k;
        };
        spaces();
        if (!text.substr(k).starts_with("include")) continue;
        k += 7;
        spaces();
        if (k == text.size() || text[k] != '"') continue;
        const std::size_t end = text.find('"', k + 1);
        if (end != std::string_view::npos) out.emplace_back(text.substr(k + 1, end - k - 1));
    }
    return out;
}

}  // namespace

std::string join_launch_brackets(std::string text) {
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t past = skip(text, at); past != at) {
            at = past;
            continue;
        }
        const std::size_t past = text[at] == '<' ? three(text, at, '<') : at;
        if (past == at || follows_operator(text, at)) {
            ++at;
            continue;
        }
        if (const auto close = closing(text, past)) {
            join(text, at, '<');
            join(text, *close, '>');
        }
        at = past;
    }
    return text;
}

std::string call_device_launches(const std::string& text, Half half) {
    return DeviceLaunches(text, half).run();
}

FileTexts sources_with_other_launches(const std::string& source, const std::vector<std::string>& folders,
                                      Half half) {
    FileTexts out;
    std::set<fs::path> seen;
    std::vector<fs::path> todo{fs::absolute(source).lexically_normal()};
    while (!todo.empty()) {
        const fs::path path = todo.back();
        todo.pop_back();
        std::error_code error;
        if (!seen.insert(path).second || !fs::is_regular_file(path, error)) continue;
        const auto text = read(path);
        if (!text) continue;
        for (const std::string& name : quoted_includes(*text)) {
            todo.push_back((path.parent_path() / name).lexically_normal());
            for (const std::string& folder : folders)
                todo.push_back((fs::absolute(folder) / name).lexically_normal());
        }
        std::string changed = call_device_launches(join_launch_brackets(*text), half);
        if (changed != *text) out.emplace(path.string(), std::move(changed));
    }
    return out;
}

std::string overlay_text(const std::map<std::string, std::string>& replaced) {
    nlohmann::json roots = nlohmann::json::array();
    for (const auto& [path, by] : replaced)
        roots.push_back({{"type", "file"}, {"name", path}, {"external-contents", by}});
    return nlohmann::json{{"version", 0}, {"use-external-names", false}, {"roots", roots}}.dump();
}

}  // namespace heddle::cuda
