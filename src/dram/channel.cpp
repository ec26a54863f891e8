#include "dram/channel.h"

#include <algorithm>

#include "dram/controller.h"

namespace heddle::dram {

const PolicyCounter* find(std::span<const PolicyCounter> counters, CounterMeaning meaning) {
    const auto it = std::find_if(counters.begin(), counters.end(),
                                 [meaning](const PolicyCounter& c) { return c.meaning == meaning; });
    return it == counters.end() ? nullptr : &*it;
}

void add_counters(std::vector<PolicyCounter>& sum, const std::vector<PolicyCounter>& more) {
    if (sum.empty()) {
        sum = more;
        return;
    }
    for (std::size_t k = 0; k < more.size(); ++k) sum[k].value += more[k].value;
}

Channel::Channel(const MemorySettings& settings, u16 index, const TranslationPressure* pressure)
    : Channel(std::make_shared<Specification>(settings), index, pressure) {}
Channel::Channel(std::shared_ptr<const Specification> specification, u16 index,
                 const TranslationPressure* pressure)
    : controller_(std::make_unique<Controller>(std::move(specification), index, pressure)) {}
Channel::~Channel() = default;
Channel::Channel(Channel&&) noexcept = default;
Channel& Channel::operator=(Channel&&) noexcept = default;

void Channel::connect(PeerPort* peers) {
    controller_->connect(peers);
}
void Channel::observe(CommandObserver* observer) {
    controller_->observe(observer);
}
void Channel::trace(LifetimeObserver* lifetimes) {
    controller_->trace(lifetimes);
}
void Channel::applications(u32 count) {
    controller_->scheduler().applications(count);
}
bool Channel::can_accept(const Request& request) const {
    return controller_->can_accept(request);
}
Cycle Channel::accept(Request* request, Cycle now) {
    return controller_->accept(request, now);
}
bool Channel::wants_groups() const {
    return controller_->scheduler().wants_groups();
}
Cycle Channel::group_complete(GroupKey group, u32 members, Cycle now) {
    return wants_groups() ? controller_->group_complete(group, members, now) : kNever;
}
Cycle Channel::deliver(const Message& message, Cycle at) {
    return controller_->deliver(message, at);
}
u64 Channel::epoch_cycles() const {
    return controller_->scheduler().epoch_cycles();
}
bool Channel::epoch_in_core_cycles() const {
    return controller_->scheduler().epoch_in_core_cycles();
}
void Channel::signals(std::span<const AppSignals> apps, Cycle now) {
    controller_->scheduler().signals(apps, now);
}
std::span<const u16> Channel::ranks() const {
    return controller_->scheduler().ranks();
}
std::vector<PolicyCounter> Channel::policy_counters() const {
    std::vector<PolicyCounter> counters;
    controller_->scheduler().report(counters);
    return counters;
}
std::vector<PolicyCounter> Channel::policy_counters(u8 app) const {
    std::vector<PolicyCounter> counters;
    controller_->scheduler().report_app(app, counters);
    return counters;
}
Cycle Channel::step(Cycle now) {
    return controller_->step(now);
}
const Channel::Completion* Channel::completion() const {
    return controller_->completion();
}
void Channel::pop_completion() {
    controller_->pop_completion();
}
u64 Channel::room_events() const {
    return controller_->room_events();
}
u64 Channel::waiting() const {
    return controller_->waiting();
}
const Geometry& Channel::geometry() const {
    return controller_->resolved().geometry;
}
u64 Channel::clock_hz() const {
    return controller_->resolved().clock_hz;
}
AppCounts Channel::counts(u8 app) const {
    return controller_->counts(app);
}
const Statistics& Channel::statistics(Cycle now) {
    return controller_->statistics(now);
}

}  // namespace heddle::dram
