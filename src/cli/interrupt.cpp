#include "cli/interrupt.h"

#include <csignal>

namespace heddle::cli {
namespace {

std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may set it");

void on_signal(int) {
    interrupted.store(true, std::memory_order_relaxed);
}

}  // namespace

const std::atomic<bool>& catch_interrupts() {
    struct sigaction action = {};
    action.sa_handler = on_signal;
    // The handler acts once: whoever interrupts a second time does not want to wait.
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, nullptr);
    sigaction(SIGTERM, &action, nullptr);
    return interrupted;
}

}  // namespace heddle::cli
