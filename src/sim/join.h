#pragma once
// Words or numbers with something between them. (Not fmt::join: GCC 12 warns wrongly about it at -O3.)

#include <string>
#include <string_view>
#include <type_traits>

namespace heddle {

template <class Words>
std::string join(const Words& words, std::string_view between) {
    std::string all;
    bool first = true;
    for (const auto& word : words) {
        if (!first) all += between;
        first = false;
        if constexpr (std::is_arithmetic_v<std::decay_t<decltype(word)>>)
            all += std::to_string(word);
        else
            all += word;
    }
    return all;
}

}  // namespace heddle
