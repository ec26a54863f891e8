#include "cuda/undefined.h"

#include <array>
#include <cctype>
#include <cstdlib>
#include <cxxabi.h>
#include <memory>
#include <set>
#include <string_view>

#include "ptx/device_runtime.h"

namespace heddle::cuda {
namespace {

constexpr std::string_view kExtern = ".extern ", kFunction = ".func";

bool is_provided(std::string_view name) {
    constexpr std::array<std::string_view, 4> own{"vprintf", "malloc", "free", "__assertfail"};
    for (std::string_view f : own)
        if (name == f) return true;
    return name.starts_with("__nv_") || name.starts_with("__heddle_") || ptx::in_device_runtime(name);
}

/// The name behind ".func" and its results.
std::string_view function_name(std::string_view text, std::size_t at) {
    const auto spaces = [&] {
        while (at < text.size() && std::isspace(static_cast<unsigned char>(text[at])) != 0) ++at;
    };
    spaces();
    if (at < text.size() && text[at] == '(') {
        at = text.find(')', at);
        if (at == std::string_view::npos) return {};
        ++at;
    }
    spaces();
    std::size_t end = at;
    while (end < text.size() && is_ptx_name(text[end])) ++end;
    return text.substr(at, end - at);
}

std::string as_in_source(std::string_view name) {
    const std::unique_ptr<char, void (*)(void*)> plain(
        abi::__cxa_demangle(std::string(name).c_str(), nullptr, nullptr, nullptr), std::free);
    return plain == nullptr ? std::string(name) : std::string(plain.get());
}

}  // namespace

bool is_ptx_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$' || c == '.';
}

std::vector<std::string> undefined_functions(const std::vector<ExtractedPtx>& texts) {
    std::set<std::string_view> declared, defined;
    for (const ExtractedPtx& t : texts) {
        const std::string_view text = t.text;
        for (std::size_t at = text.find(kFunction); at != std::string_view::npos;
             at = text.find(kFunction, at + 1)) {
            const std::string_view name = function_name(text, at + kFunction.size());
            if (name.empty()) continue;
            const std::size_t body = text.find_first_of("{;", at);
            if (body != std::string_view::npos && text[body] == '{')
                defined.insert(name);
            else if (text.substr(0, at).ends_with(kExtern))
                declared.insert(name);
        }
    }
    std::vector<std::string> out;
    for (std::string_view name : declared)
        if (!defined.contains(name) && !is_provided(name)) out.push_back(as_in_source(name));
    return out;
}

}  // namespace heddle::cuda
