#pragma once
// The simplest client of a memory: it sends random requests at random times, at most four at a time. It can also be made
// to break a rule of client_contract.h.

#include <map>
#include <random>
#include <vector>

#include "mem/memory_client.h"

namespace heddle::test {

enum class ClientFault : u8 { none, no_limit, disorder, deaf, restless, forgets, twice };

class ToyClient final : public MemoryClient {
  public:
    static constexpr u32 kMost = 4;
    struct Answer {
        u64 request = 0;  // its number
        u64 at = 0;       // cycle of the client's clock
        friend bool operator==(const Answer&, const Answer&) = default;
    };

    /// `number`: among the channel's clients; `channel`: of `channels`.
    ToyClient(Domain& domain, u32 part, u32 channel, u32 channels, u32 number, u32 seed, u32 requests,
              ClientFault fault = ClientFault::none)
        : MemoryClient(domain, part), fault_(fault) {
        std::mt19937 random(seed);
        requests_.resize(requests);
        for (Request& r : requests_) {
            r.local = PhysAddr((random() % 4096 * 4 + number) * 128);
            r.line = PhysAddr(r.local.v * channels + channel * 128);
            r.channel = static_cast<u16>(channel);
            r.kind = random() % 3 == 0 ? RequestKind::write : RequestKind::read;
            r.sectors = 1;
            gaps_.push_back(random() % 8 == 0 ? random() % 400 : random() % 6);
        }
    }

    Cycle step(Cycle now) {
        // Answers count when they have come.
        while (!known_.empty() && known_.begin()->first <= now.v) {
            done_ += known_.begin()->second;
            known_.erase(known_.begin());
        }
        const Cycle answer = known_.empty() ? kNever : Cycle(known_.begin()->first);
        if (fault_ == ClientFault::restless && next_ < requests_.size()) not_before_ = now;
        while (next_ < requests_.size() && not_before_ <= now) {
            if (outgoing(now) >= kMost && fault_ != ClientFault::no_limit) {
                blocked_ = true;
                ++refused_;
                // The memory wakes it, unless it has taken something at this instant already.
                return room_known() > now ? std::min(answer, room_known()) : answer;
            }
            Request* r = &requests_[fault_ == ClientFault::twice && next_ % 50 == 49 ? next_ - 1 : next_];
            sent_[r] = now;
            send_to_memory(r, fault_ == ClientFault::disorder && next_ % 2 == 0 ? now + 9 : now + 1);
            not_before_ = now + gaps_[next_++];
            if (fault_ == ClientFault::restless) break;
        }
        blocked_ = false;
        return next_ < requests_.size() ? std::min(not_before_, answer) : answer;
    }
    void stop() { requests_.resize(next_); }

    bool waits_for_memory_room() const override { return blocked_ && fault_ != ClientFault::deaf; }
    void from_memory(Request* request, Cycle at) override {
        const auto sent = sent_.find(request);
        if (sent == sent_.end()) {
            wrong_ = "an answer to nothing, or a second one";
            return;
        }
        if (at <= sent->second + 1) wrong_ = "an answer at once";
        sent_.erase(sent);
        answers_.push_back({static_cast<u64>(request - requests_.data()), at.v});
        if (fault_ != ClientFault::forgets || answers_.size() % 100 != 99) ++known_[at.v];
    }

    const std::vector<Answer>& answers() const { return answers_; }
    std::size_t open() const { return sent_.size(); }
    u64 refused() const { return refused_; }
    bool all_sent() const { return next_ == requests_.size(); }
    u64 begun() const { return next_; }
    u64 done() const { return done_; }
    const std::string& wrong() const { return wrong_; }

  private:
    ClientFault fault_;
    std::vector<Request> requests_;
    std::vector<u64> gaps_;
    std::map<const Request*, Cycle> sent_;
    std::map<u64, u64> known_;  // answers that come in a cycle
    std::vector<Answer> answers_;
    std::size_t next_ = 0;
    Cycle not_before_{1};
    bool blocked_ = false;
    u64 refused_ = 0, done_ = 0;
    std::string wrong_;
};

}  // namespace heddle::test
