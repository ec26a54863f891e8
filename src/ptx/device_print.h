#pragma once
// Device printf: formats with the arguments as the compiler lays them out in a buffer (8-byte alignment by
// size).

#include <functional>
#include <string>
#include <string_view>

#include "sim/types.h"

namespace heddle::ptx {

/// `read(offset, bytes)` gives argument bytes; `text(address)` a string's characters. Only conversions that
/// the CUDA programming guide lists ("Formatted Output") are converted; others are printed as they stand.
std::string format_device_print(std::string_view format,
                                const std::function<u64(u32 offset, u32 bytes)>& read,
                                const std::function<std::string(u64 address)>& text);

}  // namespace heddle::ptx
