#include "cuda/extract.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "cuda/fatbin.h"
#include "sim/error.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kElfMagic =
    "\x7f"
    "ELF";

/// clang embeds PTX as a string; it is found by its .version line.
void add_texts(std::string_view bytes, std::vector<std::string>& out) {
    constexpr std::string_view key = "\n.version ";
    for (std::size_t at = 0; (at = bytes.find(key, at)) != std::string_view::npos;) {
        std::size_t begin = at, end = bytes.find('\0', at);
        while (begin > 0 && bytes[begin - 1] != '\0') --begin;
        if (end == std::string_view::npos) end = bytes.size();
        const std::string_view text = bytes.substr(begin, end - begin);
        if (text.find("\n.target ") != std::string_view::npos) out.emplace_back(text);
        at = end;
    }
}

/// One pass in the file's order: containers, and between them texts.
void add_all(std::string_view bytes, std::vector<std::string>& out, bool& code_only) {
    char magic[4];
    std::memcpy(magic, &kContainerMagic, sizeof magic);
    const std::string_view key(magic, sizeof magic);
    std::size_t gap = 0;
    for (std::size_t at = 0; (at = bytes.find(key, at)) != std::string_view::npos;) {
        const auto rest = std::as_bytes(std::span(bytes.data() + at, bytes.size() - at));
        const u64 n = container_bytes(rest);
        if (n == 0 || n > rest.size()) {
            at += key.size();
            continue;
        }
        add_texts(bytes.substr(gap, at - gap), out);
        const auto entries = read_container(rest.first(n));
        bool ptx = false;
        for (const FatbinEntry& e : entries) ptx |= e.is_ptx;
        if (ptx && !is_device_runtime(choose_ptx(entries).text))
            out.push_back(choose_ptx(entries).text);
        else if (!ptx)
            code_only |= !entries.empty();
        gap = at += n;
    }
    add_texts(bytes.substr(gap), out);
}

}  // namespace

std::vector<ExtractedPtx> extract_ptx(std::string_view bytes, const std::string& name) {
    std::vector<std::string> texts;
    bool code_only = false;
    const bool text = bytes.find('\0') == std::string_view::npos;
    if (text && !bytes.starts_with(kElfMagic)) {
        texts.emplace_back(bytes);
    } else {
        add_all(bytes, texts, code_only);
    }
    if (texts.empty())
        throw InputError(
            "'" + name + "' contains no PTX" +
            (code_only
                 ? ", only machine code; compile with heddle cc, or with nvcc -arch=compute_75 -cudart shared"
                 : ""));
    std::vector<ExtractedPtx> out;
    for (std::string& t : texts) {
        std::string label = text ? name : name + ".ptx";
        if (!out.empty()) label += std::to_string(out.size() + 1);
        out.push_back({std::move(label), std::move(t)});
    }
    return out;
}

std::vector<ExtractedPtx> extract_ptx(const std::string& path) {
    std::error_code error;
    if (std::filesystem::is_directory(path, error)) throw InputError("'" + path + "' is a directory");
    std::ifstream in(path, std::ios::binary);
    if (!in) throw InputError("'" + path + "': " + std::strerror(errno));
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (bytes.empty()) throw InputError("'" + path + "' is empty");
    return extract_ptx(bytes, path.substr(path.rfind('/') + 1));
}

}  // namespace heddle::cuda
