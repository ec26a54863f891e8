#include "study/inputs.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

#include "config/machine_file.h"
#include "config/manual.h"
#include "sim/error.h"
#include "sim/output_file.h"

namespace heddle::study {
namespace {

constexpr std::size_t kDigits = 64;
constexpr const char* kFull = "full";
constexpr const char* kSmall = "small";

bool is_hash(const std::string& text) {
    return text.size() == kDigits && text.find_first_not_of("0123456789abcdef") == std::string::npos;
}

/// A name as YAML reads it back.
std::string yaml_key(const std::string& name) {
    config::Node node = config::Node::section();
    node.add(name, config::Node::scalar("x"));
    const std::string line = config::to_yaml(node);
    return line.substr(0, line.rfind(": x"));
}

/// The lines of a file, each with its end.
std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        lines.push_back(text.substr(at, end - at));
        at = end;
    }
    return lines;
}

/// Edits the lines of a study's file. Places are those of the text that it began with.
class InputsEditor {
  public:
    InputsEditor(const std::string& text, const std::string& file)
        : tree_(config::parse_yaml(text, file)), lines_(lines_of(text)) {
        if (!lines_.empty() && lines_.front().ends_with("\r\n")) end_ = "\r\n";
        if (!lines_.empty() && !lines_.back().ends_with('\n')) lines_.back() += end_;
        before_.resize(lines_.size() + 1);
    }

    void set(const char* form, const Streams& streams) {
        if (streams.empty()) return;
        const config::Node* inputs = tree_.find("inputs");
        if (inputs == nullptr || inputs->children.empty()) return add_form(form, streams);
        const config::Node* known = inputs->find(form);
        if (known == nullptr) return add_form(form, streams);
        edit_form(*known, streams);
    }

    std::string text() const {
        std::string out;
        for (std::size_t k = 0; k < before_.size(); ++k) {
            out += before_[k];
            if (k < lines_.size()) out += lines_[k];
        }
        return out;
    }

  private:
    std::string entry(const std::string& indent, const std::string& name, const std::string& hash) const {
        return fmt::format("{}{}: {}{}", indent, yaml_key(name), hash, end_);
    }

    /// A form of which the file has nothing yet: at the end of its `inputs`, or of the file.
    void add_form(const char* form, const Streams& streams) {
        const config::Node* inputs = tree_.find("inputs");
        std::string block, indent = "  ";
        std::size_t at = lines_.size();
        if (inputs == nullptr) {
            if (!begun_)
                block = fmt::format(
                    "# SHA-256 of each workload's stream; heddle study --freeze writes them.{0}inputs:{0}",
                    end_);
            begun_ = true;
        } else {
            at = last_line(*inputs);
            if (!inputs->children.empty())
                indent = std::string(inputs->children.front().name_origin.column - 1, ' ');
        }
        block += fmt::format("{}{}:{}", indent, form, end_);
        for (const auto& [name, hash] : streams) block += entry(indent + "  ", name, hash);
        before_[at] += block;
    }

    /// Number of the last line (from 1) that says something of it.
    static std::size_t last_line(const config::Node& node) {
        std::size_t line = std::max(node.name_origin.line, node.origin.line);
        for (const config::Node& child : node.children) line = std::max(line, last_line(child));
        return line;
    }

    [[noreturn]] static void not_by_line(const config::Node& node) {
        config::fail(node.name_origin,
                     "inputs: expected a line 'WORKLOAD: HASH' for each; remove it, and it "
                     "is written anew");
    }

    void edit_form(const config::Node& known, const Streams& streams) {
        std::size_t last = known.name_origin.line, line = last;
        std::string indent = "    ";
        for (const config::Node& child : known.children) {
            if (child.name_origin.line <= line || child.origin.line != child.name_origin.line)
                not_by_line(known);
            line = child.name_origin.line;
            indent = std::string(child.name_origin.column - 1, ' ');
            const auto now = std::find_if(streams.begin(), streams.end(),
                                          [&](const auto& s) { return s.first == child.name; });
            if (now == streams.end()) {
                lines_[line - 1].clear();
                continue;
            }
            last = line;
            replace(child, now->second);
        }
        for (const auto& [name, hash] : streams)
            if (known.find(name) == nullptr) before_[last] += entry(indent, name, hash);
    }

    void replace(const config::Node& child, const std::string& hash) {
        std::string& line = lines_[child.origin.line - 1];
        const std::size_t at = line.find(child.text, child.origin.column - 1);
        if (child.kind != config::Node::Kind::scalar || child.text.empty() || at == std::string::npos)
            not_by_line(child);
        line.replace(at, child.text.size(), hash);
    }

    config::Node tree_;
    std::string end_ = "\n";
    std::vector<std::string> lines_, before_;  // what stands before each line, and after the last
    bool begun_ = false;                       // `inputs` in this edit
};

/// InputError unless the text has these hashes, and otherwise what `before` has: whatever the editor took a file for.
void verify_edit(const std::string& before, const std::string& after, const std::string& file,
                 const Streams& full, const Streams& small) {
    const config::Node was = config::parse_yaml(before, file), is = config::parse_yaml(after, file);
    const auto without_inputs = [](config::Node tree) {
        tree.remove("inputs");
        return config::to_json(tree);
    };
    bool good = without_inputs(was) == without_inputs(is);
    for (const auto& [form, streams] : {std::pair{kFull, &full}, {kSmall, &small}}) {
        if (streams->empty()) continue;
        const config::Node* inputs = is.find("inputs");
        const config::Node* hashes = inputs == nullptr ? nullptr : inputs->find(form);
        good = good && hashes != nullptr && hashes->children.size() == streams->size();
        for (const auto& [name, hash] : *streams) {
            const config::Node* child = good ? hashes->find(name) : nullptr;
            good = good && child != nullptr && child->text == hash;
        }
    }
    if (!good)
        throw InputError(
            fmt::format("{}: 'inputs' cannot be written into a file of this form; keys of a study "
                        "stand at the start of a line",
                        file));
}

}  // namespace

const Hashes& frozen(const Study& study) {
    return study.is_small ? study.inputs.small : study.inputs.full;
}

void check_inputs(const Study& study) {
    for (const Hashes* hashes : {&study.inputs.full, &study.inputs.small}) {
        for (const auto& [name, hash] : *hashes) {
            std::vector<std::string_view> known;
            for (const StudyWorkload& w : study.workloads) known.push_back(w.name);
            if (std::find(known.begin(), known.end(), name) == known.end())
                config::fail(hash.origin, fmt::format("inputs: there is no workload '{}'{}", name,
                                                      config::suggestion(name, known)));
            if (!is_hash(hash.text))
                config::fail(hash.origin,
                             fmt::format("inputs: '{}' is not a SHA-256 of {} hexadecimal digits", hash.text,
                                         kDigits));
        }
        if (hashes->empty()) continue;
        for (const StudyWorkload& w : study.workloads)
            if (std::none_of(hashes->begin(), hashes->end(),
                             [&](const auto& h) { return h.first == w.name; }))
                config::fail(w.origin,
                             fmt::format("workload {} has no hash among the {} inputs; heddle study {} "
                                         "--freeze writes it",
                                         w.name, hashes == &study.inputs.small ? kSmall : kFull, study.file));
    }
}

void compare_inputs(const Study& study, const Streams& streams) {
    for (const auto& [name, want] : frozen(study))
        for (const auto& [workload, hash] : streams)
            if (workload == name && hash != want.text)
                config::fail(
                    want.origin,
                    fmt::format("workload {}: its stream is not the frozen one: it has the SHA-256 {}, the "
                                "file says {}; the input, its program or the compiler has changed (shipped "
                                "hashes are those of clang 14, Debian 12's); if that is wanted, heddle "
                                "study {} --freeze writes the new ones",
                                name, hash, want.text, study.file));
}

std::string with_inputs(const std::string& text, const std::string& file, const Streams& full,
                        const Streams& small) {
    InputsEditor editor(text, file);
    editor.set(kFull, full);
    editor.set(kSmall, small);
    std::string out = editor.text();
    verify_edit(text, out, file, full, small);
    return out;
}

bool freeze(const std::string& file, const Streams& full, const Streams& small) {
    const std::string text = read_study_text(file);
    const std::string out = with_inputs(text, file, full, small);
    if (out == text) return false;
    std::error_code error;
    const auto mode = std::filesystem::status(file, error).permissions();
    write_file(file, out, "the study file");
    // It is a new file under the old name.
    if (!error) std::filesystem::permissions(file, mode, error);
    return true;
}

}  // namespace heddle::study
