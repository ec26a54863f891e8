#include "study/workers.h"

#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <thread>

namespace heddle::study {
namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

std::string why_it_failed(const ChildEnd& end) {
    if (end.signal != 0)
        return fmt::format("its process was killed by signal {} ({})", end.signal, strsignal(end.signal));
    std::string text = end.error;
    while (!text.empty() && text.back() == '\n') text.pop_back();
    constexpr std::string_view kName = "heddle: ";
    if (text.starts_with(kName)) text.erase(0, kName.size());
    return text.empty() ? fmt::format("its process exited with code {}", end.code) : text;
}

void Workers::start(std::size_t job, const RunSpec& run) {
    ChildOptions options;
    options.input = spec_json(run);
    options.keep_output = true;
    options.worker = true;
    running_.push_back({job, now(), ChildProcess({program_, "run", "--spec"}, options)});
}

std::optional<WorkerEnd> Workers::wait() {
    using namespace std::chrono_literals;
    // Polls instead of sleeping in waitpid: an interrupt between the caller's look at its flag and the sleep would be
    // missed.
    for (int look = 0; look < 25; ++look) {
        for (auto it = running_.begin(); it != running_.end(); ++it) {
            auto end = it->process.poll();
            if (!end) continue;
            WorkerEnd out{it->job, std::move(*end), now() - it->started};
            running_.erase(it);
            return out;
        }
        std::this_thread::sleep_for(4ms);
    }
    return std::nullopt;
}

}  // namespace heddle::study
