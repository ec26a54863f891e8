#pragma once
// A slow crossbar that moves every port every cycle as src/noc/crossbar.h says, to compare the real one with;
// and the same with one fault put in.

#include <algorithm>
#include <deque>
#include <map>
#include <vector>

#include "noc/settings.h"
#include "sim/types.h"

namespace heddle::test {

/// A packet that some source wants to send from cycle `created` on.
struct Packet {
    u64 created = 0;
    u32 source = 0, destination = 0;
    u32 sectors = 0;  // of data
    bool write = false;
    u32 flits = 0;
};

/// Packet `id` was granted at a cycle and is whole at another.
struct Delivery {
    u64 granted = 0;
    u32 destination = 0;
    u32 id = 0;
    u64 whole = 0;
    friend auto operator<=>(const Delivery&, const Delivery&) = default;
};

enum class CrossbarFault {
    none,
    lowest_source_first,
    credit_returns_at_once,
    one_credit_too_many,
    credits_by_destination,
    blocked_head_overtaken,
    store_and_forward,
    source_sends_a_packet_a_cycle,
    destination_takes_a_packet_a_cycle,
    count_
};

struct Passage {
    std::vector<Delivery> deliveries;  // by cycle, then destination
    u64 blocked_cycles = 0;            // of free source ports whose head had no credit
    bool finished = false;
};

/// `ready(destination, cycle)`: does the receiver take something then?
template <class Ready>
Passage simulate(const CrossbarSettings& s, u32 sources, u32 destinations, const std::vector<Packet>& packets,
                 Ready ready, u64 last_cycle, CrossbarFault fault = CrossbarFault::none) {
    struct Source {
        std::deque<u32> queue;
        u64 free_at = 0;
        std::vector<u32> credits;
    };
    struct Destination {
        std::map<u32, std::deque<u32>> waiting;  // by source
        u64 free_at = 0;
        u32 last = 0;  // source served last
    };
    struct Event {
        u64 at = 0;
        u32 id = 0;
    };
    std::vector<Source> from(sources);
    std::vector<Destination> to(destinations);
    std::vector<u32> by_destination(destinations, s.credits);
    for (auto& f : from)
        f.credits.assign(destinations, s.credits + (fault == CrossbarFault::one_credit_too_many));
    std::vector<std::vector<u32>> created(sources);  // packets not yet in a queue, latest first
    for (u32 id = static_cast<u32>(packets.size()); id-- > 0;) created[packets[id].source].push_back(id);
    std::vector<Event> flying, returning;
    Passage out;
    for (u64 now = 0; now <= last_cycle && out.deliveries.size() < packets.size(); ++now) {
        std::erase_if(returning, [&](const Event& e) {
            if (e.at != now) return false;
            const Packet& p = packets[e.id];
            ++from[p.source].credits[p.destination];
            ++by_destination[p.destination];
            return true;
        });
        for (u32 k = 0; k < sources; ++k) {
            Source& f = from[k];
            while (!created[k].empty() && packets[created[k].back()].created <= now) {
                f.queue.push_back(created[k].back());
                created[k].pop_back();
            }
            if (f.queue.empty() || now < f.free_at) continue;
            const auto may_go = [&](u32 id) {
                const u32 d = packets[id].destination;
                return fault == CrossbarFault::credits_by_destination ? by_destination[d] > 0
                                                                      : f.credits[d] > 0;
            };
            auto at = f.queue.begin();
            if (fault == CrossbarFault::blocked_head_overtaken) at = std::find_if(at, f.queue.end(), may_go);
            if (at == f.queue.end() || !may_go(*at)) {
                ++out.blocked_cycles;
                continue;
            }
            const u32 id = *at;
            const Packet& p = packets[id];
            f.queue.erase(at);
            --f.credits[p.destination];
            --by_destination[p.destination];
            f.free_at = now + (fault == CrossbarFault::source_sends_a_packet_a_cycle ? 1 : p.flits);
            flying.push_back(
                {now + s.latency + (fault == CrossbarFault::store_and_forward ? p.flits - 1 : 0), id});
        }
        std::erase_if(flying, [&](const Event& e) {
            if (e.at != now) return false;
            to[packets[e.id].destination].waiting[packets[e.id].source].push_back(e.id);
            return true;
        });
        for (u32 d = 0; d < destinations; ++d) {
            Destination& t = to[d];
            if (t.waiting.empty() || now < t.free_at || !ready(d, now)) continue;
            auto at = t.waiting.upper_bound(t.last);
            if (at == t.waiting.end() || fault == CrossbarFault::lowest_source_first) at = t.waiting.begin();
            const u32 id = at->second.front();
            const Packet& p = packets[id];
            t.last = at->first;
            at->second.pop_front();
            if (at->second.empty()) t.waiting.erase(at);
            t.free_at = now + (fault == CrossbarFault::destination_takes_a_packet_a_cycle ? 1 : p.flits);
            const u64 whole = now + p.flits - 1;
            returning.push_back(
                {fault == CrossbarFault::credit_returns_at_once ? now + 1 : now + s.latency, id});
            out.deliveries.push_back({now, d, id, whole});
        }
    }
    out.finished = out.deliveries.size() == packets.size();
    return out;
}

}  // namespace heddle::test
