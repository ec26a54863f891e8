#pragma once
// Drives a Crossbar as SMs and slices do: through an Agenda, stepping a port only in the cycles that it or the
// crossbar asked for (or every port in every cycle, which must make no difference).

#include <string>
#include <vector>

#include "noc/crossbar.h"
#include "noc/crossbar_model.h"
#include "sim/agenda.h"

namespace heddle::test {

enum class Stepping { when_asked, every_cycle };

template <class Ready>
class CrossbarRun {
  public:
    CrossbarRun(const CrossbarSettings& settings, Crossbar::Carries carries, u32 sources, u32 destinations,
                const std::vector<Packet>& packets, Ready ready)
        : sources_(sources),
          destinations_(destinations),
          packets_(packets),
          ready_(ready),
          agenda_(sources + destinations),
          crossbar_(settings, carries, sources, destinations, agenda_, 0, sources),
          requests_(packets.size()),
          created_(sources) {
        for (u32 id = static_cast<u32>(packets.size()); id-- > 0;) {
            requests_[id].load = id;
            requests_[id].sectors = static_cast<u8>((1u << packets[id].sectors) - 1);
            requests_[id].kind = packets[id].write ? RequestKind::write : RequestKind::read;
            created_[packets[id].source].push_back(id);
        }
    }

    Passage run(Stepping stepping, u64 last_cycle) {
        for (u32 k = 0; k < sources_; ++k)
            if (!created_[k].empty()) agenda_.wake(k, Cycle(packets_[created_[k].back()].created));
        Cycle now{0};
        for (; now <= Cycle(last_cycle) && out_.deliveries.size() < packets_.size(); ++now) {
            if (stepping == Stepping::when_asked)
                now = agenda_.next();
            else
                for (u32 k = 0; k < sources_ + destinations_; ++k) agenda_.wake(k, now);
            if (now == kNever) break;
            agenda_.run(now,
                        [&](u32 part) { part < sources_ ? send(part, now) : take(part - sources_, now); });
        }
        out_.finished = out_.deliveries.size() == packets_.size();
        out_.blocked_cycles = crossbar_.blocked_cycles();
        return out_;
    }

    const Crossbar& crossbar() const { return crossbar_; }

  private:
    bool offer(u32 source, Cycle now) {
        bool any = false;
        auto& created = created_[source];
        while (!created.empty() && packets_[created.back()].created <= now.v && crossbar_.can_send(source)) {
            crossbar_.send(source, packets_[created.back()].destination, &requests_[created.back()]);
            created.pop_back();
            any = true;
        }
        return any;
    }
    void send(u32 source, Cycle now) {
        offer(source, now);
        Cycle again = crossbar_.pump(source, now);
        if (offer(source, now)) again = now + 1;
        agenda_.wake(source, again);
        const auto& created = created_[source];
        if (!created.empty() && packets_[created.back()].created > now.v)
            agenda_.wake(source, Cycle(packets_[created.back()].created));
    }
    void take(u32 destination, Cycle now) {
        if (!ready_(destination, now.v)) {
            agenda_.wake(sources_ + destination, now + 1);
            return;
        }
        Cycle whole;
        while (const Request* r = crossbar_.receive(destination, now, &whole))
            out_.deliveries.push_back({now.v, destination, r->load, whole.v});
        const Cycle next = crossbar_.next_arrival(destination, now);
        if (next != kNever) agenda_.wake(sources_ + destination, std::max(next, now + 1));
    }

    u32 sources_, destinations_;
    const std::vector<Packet>& packets_;
    Ready ready_;
    Agenda agenda_;
    Crossbar crossbar_;
    std::vector<Request> requests_;
    std::vector<std::vector<u32>> created_;  // not yet offered, latest first
    Passage out_;
};

}  // namespace heddle::test
