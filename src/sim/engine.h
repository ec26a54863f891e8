#pragma once
// Clock domains, and the order of everything that happens in a machine: exact time, then the order in which the domains
// were added.

#include <vector>

#include "sim/agenda.h"
#include "sim/clock.h"
#include "sim/types.h"

namespace heddle {

/// The parts of one clock: who of them has something to do in which cycle, and their steps.
class Domain {
  public:
    Domain(const Clock& clock, u32 parts) : clock_(clock), agenda_(parts) {}
    Domain(const Domain&) = delete;
    Domain& operator=(const Domain&) = delete;

    const Clock& clock() const { return clock_; }
    Agenda& agenda() { return agenda_; }
    /// The last cycle in which something was done.
    Cycle now() const { return now_; }
    /// The earliest time with something to do; Tick max if there is none.
    Tick next() const {
        const Cycle at = agenda_.next();
        return at == kNever ? Tick(~u64{0}) : clock_.tick(at);
    }
    /// Does everything of the next cycle; there must be one.
    void run_next() {
        now_ = agenda_.next();
        run(now_);
    }

  protected:
    ~Domain() = default;

  private:
    virtual void run(Cycle now) = 0;

    Clock clock_;
    Agenda agenda_;
    Cycle now_{0};
};

class Engine {
  public:
    struct Due {
        Tick at{~u64{0}};          // Tick max: nothing will ever happen
        Domain* domain = nullptr;  // whose turn it is then
    };

    /// At the same instant, a domain goes before those that are added later.
    void add(Domain& domain) { domains_.push_back(&domain); }
    Due next() const {
        Due due;
        for (Domain* domain : domains_)
            if (const Tick at = domain->next(); at < due.at) due = {at, domain};
        return due;
    }

  private:
    std::vector<Domain*> domains_;
};

}  // namespace heddle
