#pragma once
// Ctrl-C and SIGTERM: the run stops with what it has.

#include <atomic>

namespace heddle::cli {

/// From now on the first SIGINT or SIGTERM sets the flag; a second one ends the program at once, as usual.
const std::atomic<bool>& catch_interrupts();

}  // namespace heddle::cli
