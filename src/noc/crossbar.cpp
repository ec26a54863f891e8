#include "noc/crossbar.h"

#include <algorithm>
#include <bit>

namespace heddle {

Crossbar::Crossbar(const CrossbarSettings& settings, Carries carries, u32 sources, u32 destinations,
                   Agenda& agenda, u32 source_part, u32 destination_part)
    : settings_(settings),
      carries_(carries),
      sources_(sources),
      destinations_(destinations),
      words_((sources + 63) / 64),
      agenda_(agenda),
      source_part_(source_part),
      destination_part_(destination_part),
      out_(sources),
      source_free_(sources),
      blocked_since_(sources, kNever),
      returning_(sources),
      credits_(std::size_t{sources} * destinations, static_cast<u16>(settings.credits)),
      flying_(destinations),
      queues_(std::size_t{sources} * destinations),
      nonempty_(std::size_t{destinations} * words_),
      ports_(destinations) {
    for (u32 k = 0; k < flits_by_sectors_.size(); ++k) flits_by_sectors_[k] = flits_of(k * kSectorBytes);
}

u32 Crossbar::flits_of(u32 data_bytes) const {
    const u32 header = carries_ == Carries::requests ? settings_.request_header : settings_.response_header;
    return std::max<u32>(1, static_cast<u32>(ceil_div(header + data_bytes, settings_.flit_bytes)));
}

u32 Crossbar::flits(const Request& r) const {
    const RequestKind with_data = carries_ == Carries::requests ? RequestKind::write : RequestKind::read;
    if (r.kind == with_data) return flits_by_sectors_[sector_count(r.sectors)];
    // An atomic carries one 32-bit operand a lane, a reduction one on its way out.
    if (r.kind == RequestKind::atomic || (r.kind == RequestKind::reduction && carries_ == Carries::requests))
        return flits_of(4u * r.lanes);
    return flits_by_sectors_[0];
}

Cycle Crossbar::pump(u32 source, Cycle now) {
    Ring<Out>& out = out_[source];
    if (out.empty()) return kNever;
    if (source_free_[source] > now) return source_free_[source];
    Ring<Credit>& returning = returning_[source];
    u16* credits = &credits_[std::size_t{source} * destinations_];
    while (!returning.empty() && returning.front().at <= now) ++credits[returning.pop().destination];

    const Out head = out.front();
    if (credits[head.destination] == 0) {
        if (blocked_since_[source] == kNever) blocked_since_[source] = now;
        // A credit that is returning wakes the source; receive() wakes it for later ones.
        return returning.empty() ? kNever : returning.front().at;
    }
    if (blocked_since_[source] != kNever) {
        blocked_cycles_ += now - blocked_since_[source];
        blocked_since_[source] = kNever;
    }
    --credits[head.destination];
    out.pop();
    const u32 n = flits(*head.packet);
    source_free_[source] = now + n;
    const Cycle at = now + settings_.latency;
    Arrival& flying = flying_[head.destination].push_slot();
    flying.at = at;
    flying.packet = head.packet;
    flying.source = source;
    agenda_.wake(destination_part_ + head.destination, at);
    ++packets_;
    flits_moved_ += n;
    return out.empty() ? kNever : now + n;
}

u32 Crossbar::grant(u32 destination) {
    const u64* words = &nonempty_[std::size_t{destination} * words_];
    const u32 start = (ports_[destination].last + 1) % sources_;
    // First waiting source at or after `start`, cyclically.
    u32 w = start / 64;
    u64 bits = words[w] & ~u64{0} << (start % 64);
    while (bits == 0) {
        w = (w + 1) % words_;
        bits = words[w];
    }
    return w * 64 + static_cast<u32>(std::countr_zero(bits));
}

Request* Crossbar::receive(u32 destination, Cycle now, Cycle* whole) {
    Port& port = ports_[destination];
    Ring<Arrival>& flying = flying_[destination];
    // Usually one packet has arrived and none waits: it need not pass through the queues.
    if (port.waiting == 0 && port.free <= now) {
        if (flying.empty() || flying.front().at > now) return nullptr;
        if (flying.size() == 1 || flying[1].at > now) {
            const Arrival a = flying.pop();
            return granted(destination, a.source, a.packet, now, whole);
        }
    }
    Queue* queues = &queues_[std::size_t{destination} * sources_];
    u64* words = &nonempty_[std::size_t{destination} * words_];
    while (!flying.empty() && flying.front().at <= now) {
        const Arrival a = flying.pop();
        Queue& q = queues[a.source];
        a.packet->next = nullptr;
        if (q.head == nullptr) {
            q.head = a.packet;
            words[a.source / 64] |= u64{1} << (a.source % 64);
        } else {
            q.tail->next = a.packet;
        }
        q.tail = a.packet;
        ++port.waiting;
    }
    if (port.waiting == 0 || port.free > now) return nullptr;

    const u32 source = grant(destination);
    Queue& q = queues[source];
    Request* packet = q.head;
    q.head = packet->next;
    if (q.head == nullptr) words[source / 64] &= ~(u64{1} << (source % 64));
    --port.waiting;
    return granted(destination, source, packet, now, whole);
}

/// The packet leaves the port: it occupies the port for its flits and returns a credit.
Request* Crossbar::granted(u32 destination, u32 source, Request* packet, Cycle now, Cycle* whole) {
    Port& port = ports_[destination];
    port.last = source;
    const u32 n = flits(*packet);
    port.free = now + n;
    *whole = now + (n - 1);
    const Cycle back = now + settings_.latency;
    Credit& credit = returning_[source].push_slot();
    credit.at = back;
    credit.destination = destination;
    if (blocked_since_[source] != kNever) agenda_.wake(source_part_ + source, back);
    ++delivered_;
    return packet;
}

Cycle Crossbar::next_arrival(u32 destination, Cycle now) const {
    const Port& port = ports_[destination];
    if (port.waiting != 0) return port.free > now ? port.free : now + 1;
    const Ring<Arrival>& flying = flying_[destination];
    if (flying.empty()) return kNever;
    const Cycle at = flying.front().at > port.free ? flying.front().at : port.free;
    return at > now ? at : now + 1;
}

}  // namespace heddle
