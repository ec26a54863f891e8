#pragma once
// What each application did in a window of time, as one controller sees it: its committed instructions on all SMs and
// its misses in this channel's L2 slices, told at the window's end, and the bursts that it moved here, counted. With
// the two orders that are made of it (Jog et al., MEMSYS 2015), of the last window or of all up to it (`memory`).
//
// Both keep the previous order among equals.

#include <span>
#include <vector>

#include "dram/scheduler/application_order.h"

namespace heddle::dram {

struct AppWindow {
    u64 instructions = 0;  // thread instructions
    u64 misses = 0;        // lines
    u64 bursts = 0;        // reads and writes
};

/// Fewest misses an instruction first. An application without instructions keeps its place.
void order_by_mpki(AppOrder& order, std::span<const AppWindow> windows);
/// Fewest bursts first.
void order_by_bursts(AppOrder& order, std::span<const AppWindow> windows);

/// What an order is made of, besides the window that has just ended.
enum class WindowMemory : u8 { window, cumulative, halving };

/// Keys of the policies that look at windows.
struct WindowSettings {
    u64 window = 1024;
    WindowMemory memory = WindowMemory::window;
    u64 age_cap = 0;
};

template <class S>
config::Schema<S> window_key(config::Schema<S> schema) {
    return std::move(schema).key("window", &S::window,
                                 {.unit = config::Unit::cycles,
                                  .clock = "core",
                                  .def = "1024",
                                  .min = "1",
                                  .max = "1000000000",
                                  .about = "period over which applications are measured before each ranking",
                                  .source = "Jog et al., MEMSYS 2015"});
}
template <class S>
config::Schema<S> window_keys(config::Schema<S> schema) {
    return age_cap_key(window_key(std::move(schema)));
}
/// Of a ranking that is made of them; `memory` is its default.
template <class S>
config::Schema<S> ranking_keys(config::Schema<S> schema, const char* memory) {
    return window_keys(std::move(schema))
        .one_of("memory", &S::memory,
                {{"window", WindowMemory::window, "the last window alone"},
                 {"cumulative", WindowMemory::cumulative, "all windows since the start"},
                 {"halving", WindowMemory::halving,
                  "the last window, half of the one before, a quarter of the one before that, and so on"}},
                {.def = memory,
                 .about = "over which windows an application's instructions, misses and bursts are added "
                          "up before each ranking",
                 .source = "choice, so that the length of windows matters little (docs/notes/multi-app.md); "
                           "Jog et al., MEMSYS 2015, do not say whether counters are reset"});
}

/// Whether a command moves a burst of its request.
inline bool moves_data(const Issued& issued) {
    const Slot slot = slot_of(issued.kind);
    return slot == Slot::read || slot == Slot::write;
}

/// A scheduler that orders applications again at each window's end.
class ApplicationWindows : public ApplicationOrder {
  public:
    using Rule = void (*)(AppOrder&, std::span<const AppWindow>);

    void on_command(const Issued& issued) override;
    u64 epoch_cycles() const override { return settings_.window; }
    bool epoch_in_core_cycles() const override { return true; }
    void signals(std::span<const AppSignals> apps, Cycle now) override;
    void report(std::vector<PolicyCounter>& to) const override;
    void report_app(u8 app, std::vector<PolicyCounter>& to) const override;

  protected:
    ApplicationWindows(const WindowSettings& settings, const SchedulerContext& context, Rule rule);

  private:
    void remember(AppWindow& all, const AppWindow& window) const;

    struct Seen {
        AppSignals before;                // at the last window's end
        u64 first_windows = 0;            // at whose end it was put first
        u64 estimates = 0, mpki_sum = 0;  // windows with instructions; sum of their MPKI in millionths
        u64 bursts = 0;
    };

    const WindowSettings settings_;
    const u64 burst_bytes_;
    const Rule rule_;
    std::vector<AppWindow> remembered_;
    std::vector<Seen> seen_;
    AppOrder order_;
    std::array<u64, kApps> bursts_{};  // in this window
    u64 ended_ = 0, changes_ = 0;
};

}  // namespace heddle::dram
