#pragma once
// What a program can read about calls that failed (cudaLogs*).

#include <string>

#include "cuda/runtime/runtime.h"

namespace heddle::cuda {

/// Keeps the line, and hands it to the program's callbacks.
void add_log(cudaLogLevel level, const std::string& text);

}  // namespace heddle::cuda
