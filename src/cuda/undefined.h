#pragma once
// Device functions that a program's PTX calls and that none of it defines: what nvlink would say at the link.

#include <string>
#include <vector>

#include "cuda/extract.h"

namespace heddle::cuda {

/// Whether names of PTX have it in them.
bool is_ptx_name(char c);

/// Their names as the source has them, each once. What the device itself provides (printf, malloc...) is there.
std::vector<std::string> undefined_functions(const std::vector<ExtractedPtx>& texts);

}  // namespace heddle::cuda
