#pragma once
// How often each page has been accessed behind the caches, as a file that a run writes and the oracle reads:
//
//     # app	page	accesses
//     1	0x7f0000000	123
//
// `app` counts from 1, `page` is the virtual page number (address / 4096). Lines begin with the most accessed page.

#include <string>
#include <vector>

#include "sim/types.h"

namespace heddle {

struct PageAccesses {
    u8 app = 0;
    u64 page = 0, accesses = 0;
};

/// By accesses, most first; equals by application and page.
void sort_by_accesses(std::vector<PageAccesses>& pages);
std::string page_profile_text(std::vector<PageAccesses> pages);
/// InputError with the file and line if it cannot be read.
std::vector<PageAccesses> read_page_profile(const std::string& file);

}  // namespace heddle
