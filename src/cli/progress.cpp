#include "cli/progress.h"

#include <fmt/format.h>
#include <unistd.h>

#include "cli/terminal.h"
#include "report/figures.h"

namespace heddle::cli {

std::string progress_text(const RunProgress& p, std::chrono::milliseconds elapsed) {
    std::string text = fmt::format("cycle {}", report::grouped(p.cycles));
    const u64 ms = static_cast<u64>(elapsed.count());
    if (p.ctas_known != 0)
        text = fmt::format("{} of {} CTAs, {}", report::percent(p.ctas_done, p.ctas_known, 0),
                           report::grouped(p.ctas_known), text);
    if (ms == 0) return text;
    text += fmt::format(", {} warp instructions/s",
                        report::grouped_decimal(report::Wide{p.warp_instructions} * 1000, ms, 0));
    if (p.ctas_done != 0 && p.ctas_done < p.ctas_known)
        text += fmt::format(", {} s left",
                            report::grouped_decimal(report::Wide{ms} * (p.ctas_known - p.ctas_done),
                                                    report::Wide{p.ctas_done} * 1000, 0));
    return text;
}

ProgressLine::ProgressLine()
    : active_(isatty(STDERR_FILENO) != 0),
      start_(Clock::now()),
      next_(start_ + std::chrono::milliseconds(500)) {}

ProgressLine::~ProgressLine() {
    if (shown_) erase_progress();
}

void ProgressLine::show(const RunProgress& progress) {
    const Clock::time_point now = Clock::now();
    if (!active_ || now < next_) return;
    next_ = now + std::chrono::milliseconds(200);
    shown_ = true;
    const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(now - start_);
    show_progress(progress_text(progress, elapsed));
}

}  // namespace heddle::cli
