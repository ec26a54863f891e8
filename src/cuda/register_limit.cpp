#include "cuda/register_limit.h"

#include <string_view>

namespace heddle::cuda {

std::string with_register_limit(const std::string& ptx, unsigned registers) {
    constexpr std::string_view entry = ".entry ";
    const std::string directive = "\n.maxnreg " + std::to_string(registers);
    std::string out;
    std::size_t done = 0;
    for (std::size_t at = ptx.find(entry); at != std::string::npos; at = ptx.find(entry, at + 1)) {
        const std::size_t body = ptx.find('{', at);
        if (body == std::string::npos) break;
        const std::string_view head = std::string_view(ptx).substr(at, body - at);
        if (head.find(".maxntid") != std::string_view::npos ||
            head.find(".reqntid") != std::string_view::npos ||
            head.find(".maxnreg") != std::string_view::npos || head.find(';') != std::string_view::npos)
            continue;
        const std::size_t parameters = head.rfind(')');
        const std::size_t place =
            at + (parameters == std::string_view::npos ? head.find('\n') : parameters + 1);
        if (place > body) continue;
        out.append(ptx, done, place - done);
        out += directive;
        done = place;
    }
    return out.append(ptx, done);
}

}  // namespace heddle::cuda
