// What only some slices do: those of a memory behind a link, and those on a machine whose pages move.

#include <algorithm>

#include "cache/slice.h"

namespace heddle {

void Slice::answer_over_link(Cycle now) {
    while (!going_.empty() && going_.front().at <= now && wiring_.responses->can_send(wiring_.index)) {
        Request* r = going_.pop().request;
        wiring_.responses->send(wiring_.index, r->origin.unit, r);
    }
    while (going_.size() < link_room_ && (!answers_.empty() || (!hits_.empty() && hits_.front().at <= now))) {
        Request* r = answers_.empty() ? hits_.pop().request : answers_.pop();
        tell(*r, RequestStep::answered, now);
        constexpr LinkDirection kBack = LinkDirection::back;
        going_.push({wiring_.link->carry(kBack, data_bytes(*r, kBack), now), r});
    }
}

/// What the crossbar gives in this cycle sets out over the link.
void Slice::take_over_link(Cycle now) {
    if (coming_.size() == link_room_) return;
    constexpr LinkDirection kOut = LinkDirection::out;
    Cycle whole;
    if (Request* r = wiring_.requests->receive(wiring_.index, now, &whole))
        coming_.push({wiring_.link->carry(kOut, data_bytes(*r, kOut), whole), r});
}

/// What has come over the link; null: nothing.
Request* Slice::from_link(Cycle now, Cycle* whole) {
    if (coming_.empty() || coming_.front().at > now) return nullptr;
    *whole = coming_.front().at;
    return coming_.pop().request;
}

/// Lines of pages that move. One that L2 waits for itself has to wait for that.
void Slice::take_copies(Cycle now) {
    while (!copies_.empty() && copies_.front().at <= now) {
        Request* r = copies_.front().request;
        if (outgoing(now) + 2 > to_memory_limit_ || cache_.in_flight(number(*r))) return;
        copies_.pop();
        ++copies_in_memory_;
        if (r->is_write()) {
            ++stats_.copy_writes;
        } else {
            ++stats_.copy_reads;
            r->goes_around = true;
            const auto evicted = cache_.give_up(set_index(*r), number(*r));
            if (evicted.left) leave(evicted, now);
        }
        send_down(r, now);
    }
}

/// The same of copies and of what is on the link; `at` is that of all else but the crossbar.
Cycle Slice::next_of_extras(Cycle at, Cycle now) const {
    if (!copies_.empty() && copies_.front().at > now) at = std::min(at, copies_.front().at);
    if (!going_.empty() && wiring_.responses->can_send(wiring_.index)) at = std::min(at, going_.front().at);
    if (at_port_ == nullptr && !coming_.empty()) at = std::min(at, coming_.front().at);
    const bool room = wiring_.link == nullptr ? at_port_ == nullptr : coming_.size() < link_room_;
    if (room && wiring_.requests->expects(wiring_.index))
        at = std::min(at, wiring_.requests->next_arrival(wiring_.index, now));
    return at;
}

void Slice::copied(Request* r, Cycle now) {
    --copies_in_memory_;
    r->goes_around = false;
    wiring_.copier->copied(r, now);
}

}  // namespace heddle
