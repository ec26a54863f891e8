#include "dram/scheduler.h"

#include "dram/nearest.h"

namespace heddle::dram {

SchedulerPoint& schedulers() {
    static SchedulerPoint point("DRAM scheduler");
    return point;
}

config::Choice scheduler_choice(std::string_view name) {
    struct Named {
        std::string_view name;
        const config::PolicyEntry* entry;
    };
    std::vector<Named> known;
    for (const auto& [key, entry] : schedulers().entries()) known.push_back({key, &entry});
    const Named& found = find_named(known, name, "DRAM scheduler");
    config::Choice choice;
    choice.choose(std::string(name));
    if (found.entry->new_settings != nullptr) choice.keep(std::string(name), found.entry->new_settings());
    return choice;
}

std::unique_ptr<Scheduler> make_scheduler(const config::Choice& choice, const SchedulerContext& context) {
    const std::string name = choice.name().empty() ? "fr-fcfs" : choice.name();
    if (choice.find(name) != nullptr) return schedulers().make(choice, context);
    return schedulers().make(scheduler_choice(name), context);
}

}  // namespace heddle::dram
