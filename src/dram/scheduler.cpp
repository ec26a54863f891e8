#include "dram/scheduler.h"

namespace heddle::dram {

SchedulerPoint& schedulers() {
    static SchedulerPoint point("DRAM scheduler",
                                "clocks that a read waits at most; docs/dram.md has the terms");
    return point;
}

config::Choice scheduler_choice(std::string_view name) {
    return schedulers().choose(name);
}

std::unique_ptr<Scheduler> make_scheduler(const config::Choice& choice, const SchedulerContext& context) {
    const std::string name = choice.name().empty() ? "fr-fcfs" : choice.name();
    if (choice.find(name) != nullptr) return schedulers().make(choice, context);
    return schedulers().make(scheduler_choice(name), context);
}

}  // namespace heddle::dram
