#include "dram/stream_writer.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstring>
#include <string>

namespace heddle::dram {

StreamWriter::StreamWriter(const std::string& path, std::string_view heading) : file_(path, "the requests") {
    while (!heading.empty()) {
        const std::size_t end = std::min(heading.find('\n'), heading.size());
        file_.write("# " + std::string(heading.substr(0, end)) + "\n");
        heading.remove_prefix(std::min(end + 1, heading.size()));
    }
}

void StreamWriter::write(u64 address, bool write, Cycle at) {
    std::array<char, 64> line;
    char* const last = line.data() + line.size();
    char* p = line.data();
    *p++ = '0';
    *p++ = 'x';
    p = std::to_chars(p, last, address, 16).ptr;
    const std::string_view kind = write ? " WRITE " : " READ ";
    std::memcpy(p, kind.data(), kind.size());
    p = std::to_chars(p + kind.size(), last, at.v).ptr;
    *p++ = '\n';
    file_.write({line.data(), static_cast<std::size_t>(p - line.data())});
}

}  // namespace heddle::dram
