#include "study/program_id.h"

#include <cstring>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include "sim/types.h"

namespace heddle::study {
namespace {

/// The first object is the program itself.
int visit(dl_phdr_info* info, std::size_t, void* out) {
    for (int k = 0; k < info->dlpi_phnum; ++k) {
        const auto& header = info->dlpi_phdr[k];
        if (header.p_type != PT_NOTE) continue;
        const auto* at = reinterpret_cast<const u8*>(info->dlpi_addr + header.p_vaddr);
        const u8* const end = at + header.p_memsz;
        while (at + sizeof(ElfW(Nhdr)) <= end) {
            ElfW(Nhdr) note;
            std::memcpy(&note, at, sizeof note);
            const u8* const name = at + sizeof note;
            const u8* const value = name + (note.n_namesz + 3) / 4 * 4;
            at = value + (note.n_descsz + 3) / 4 * 4;
            if (at > end) break;
            if (note.n_type != NT_GNU_BUILD_ID || note.n_namesz != 4 || std::memcmp(name, "GNU", 4) != 0)
                continue;
            for (u32 b = 0; b < note.n_descsz; ++b)
                *static_cast<std::string*>(out) += fmt::format("{:02x}", value[b]);
            return 1;
        }
    }
    return 1;
}

}  // namespace

std::string program_build_id() {
    std::string id;
    dl_iterate_phdr(visit, &id);
    return id;
}

}  // namespace heddle::study
