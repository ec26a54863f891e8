// What every client of a memory may rely on, whoever it is, under several schedulers and clocks: each request comes back
// exactly once and not at once, a refused one is not lost, waking a channel needlessly changes nothing, and the memory is
// quiet when all is back.

#include "memory/memory_node.h"

#include <gtest/gtest.h>
#include <map>
#include <random>

#include "dram/scheduler.h"
#include "dram/settings.h"

namespace heddle {
namespace {

constexpr u32 kChannels = 2, kClients = 2;  // of a channel

struct Answer {
    u64 request = 0;
    u64 at = 0;  // cycle of the client's clock
    friend bool operator==(const Answer&, const Answer&) = default;
};

/// Sends requests at random times, at most four at a time towards the channel.
class Client final : public MemoryClient {
  public:
    Client(Domain& domain, u32 part, u32 channel, u32 slice, u32 seed, u32 requests)
        : MemoryClient(domain, part) {
        std::mt19937 random(seed);
        requests_.resize(requests);
        for (Request& r : requests_) {
            r.local = PhysAddr((random() % 4096 * 4 + slice) * 128);
            r.line = PhysAddr(r.local.v * kChannels + channel * 128);
            r.channel = static_cast<u16>(channel);
            r.kind = random() % 3 == 0 ? RequestKind::write : RequestKind::read;
            r.sectors = 1;
            gaps_.push_back(random() % 8 == 0 ? random() % 400 : random() % 6);
        }
    }

    Cycle step(Cycle now) {
        while (next_ < requests_.size() && not_before_ <= now) {
            if (to_memory().size() >= 4) {
                blocked_ = true;
                ++refused_;
                return kNever;  // the memory wakes it
            }
            blocked_ = false;
            sent_[&requests_[next_]] = now;
            send_to_memory(&requests_[next_], now + 1);
            not_before_ = now + gaps_[next_++];
        }
        return next_ < requests_.size() ? not_before_ : kNever;
    }
    bool waits_for_memory_room() const override { return blocked_; }
    void from_memory(Request* request, Cycle at) override {
        const auto sent = sent_.find(request);
        ASSERT_NE(sent, sent_.end()) << "an answer to nothing, or a second one";
        EXPECT_GT(at, sent->second + 1);
        sent_.erase(sent);
        answers_.push_back({static_cast<u64>(request - requests_.data()), at.v});
    }

    const std::vector<Answer>& answers() const { return answers_; }
    std::size_t open() const { return sent_.size(); }
    u64 refused() const { return refused_; }
    bool all_sent() const { return next_ == requests_.size(); }

  private:
    std::vector<Request> requests_;
    std::vector<u64> gaps_;
    std::map<const Request*, Cycle> sent_;
    std::vector<Answer> answers_;
    std::size_t next_ = 0;
    Cycle not_before_{1};
    bool blocked_ = false;
    u64 refused_ = 0;
};

/// The clients' clock.
class Side final : public Domain {
  public:
    Side(const Clock& clock, MemoryNode& memory, u32 seed, u32 requests, bool woken_often)
        : Domain(clock, kChannels * kClients), memory_(memory), woken_often_(woken_often) {
        for (u32 k = 0; k < kChannels * kClients; ++k) {
            clients.push_back(
                std::make_unique<Client>(*this, k, k / kClients, k % kClients, seed + k, requests));
            memory.partitions()[k / kClients]->attach(*clients.back());
            agenda().wake(k, Cycle(1));
        }
    }
    std::vector<std::unique_ptr<Client>> clients;

  private:
    void run(Cycle now) override {
        agenda().run(now, [&](u32 k) {
            const Cycle next = clients[k]->step(now);
            clients[k]->announce(now);
            agenda().wake(k, next);
        });
        for (u32 c = 0; woken_often_ && c < kChannels; ++c)
            memory_.agenda().wake(c, memory_.clock().after(clock().tick(now)));
    }

    MemoryNode& memory_;
    bool woken_often_;
};

class NoApplications final : public ApplicationCounters {
  public:
    u32 application_count() const override { return 1; }
    u64 instructions(u32) const override { return 0; }
    u64 misses(u32, u32) const override { return 0; }
};

struct Outcome {
    std::vector<std::vector<Answer>> answers;
    u64 refused = 0;
};

Outcome outcome(const char* scheduler, u64 client_period, u64 memory_period, u32 seed, bool woken_often) {
    dram::MemorySettings settings;
    settings.standard = "gddr5";
    settings.part = "gddr5_1gb_x32";
    settings.speed = "gddr5_4000";
    settings.channels = kChannels;
    settings.read_queue = 8;
    settings.write_queue = 8;
    settings.write_high = 6;
    settings.write_low = 2;
    settings.scheduler = dram::schedulers().choose(scheduler);
    constexpr u32 kRequests = 300;
    MemoryNode memory("dram", settings, Clock(1'000'000'000, memory_period), nullptr);
    Side side(Clock(1'000'000'000, client_period), memory, seed, kRequests, woken_often);
    const NoApplications counters;
    memory.start(counters, side.clock());
    Engine engine;
    engine.add(memory);
    engine.add(side);
    const auto open = [&] {
        for (const auto& c : side.clients)
            if (!c->all_sent() || c->open() != 0) return true;
        return false;
    };
    const Tick limit = side.clock().tick(Cycle(3'000'000));
    while (open()) {
        const Engine::Due due = engine.next();
        EXPECT_LT(due.at, limit) << "requests were lost";
        if (due.at >= limit) break;
        due.domain->run_next();
    }
    EXPECT_TRUE(memory.quiet());
    EXPECT_EQ(memory.accepted_reads() + memory.accepted_writes(), kRequests * kChannels * kClients);
    Outcome out;
    for (const auto& c : side.clients) {
        out.answers.push_back(c->answers());
        out.refused += c->refused();
    }
    return out;
}

class MemoryNodeContract : public testing::TestWithParam<const char*> {};

TEST_P(MemoryNodeContract, EveryRequestComesBackOnceAndNeedlessWakesChangeNothing) {
    u64 refused = 0;
    for (const auto& [client, memory] : {std::pair<u64, u64>{1, 1}, {3, 2}, {2, 7}}) {
        const Outcome once = outcome(GetParam(), client, memory, 7, false);
        EXPECT_EQ(outcome(GetParam(), client, memory, 7, true).answers, once.answers)
            << "clocks " << client << ":" << memory;
        refused += once.refused;
    }
    EXPECT_GT(refused, 0u) << "no client ever had to wait";
}

INSTANTIATE_TEST_SUITE_P(Schedulers, MemoryNodeContract,
                         testing::Values("fcfs", "fr-fcfs", "par-bs", "gmc", "wg-w", "bliss", "sbwas"),
                         [](const auto& info) {
                             std::string name = info.param;
                             std::erase(name, '-');
                             return name;
                         });

}  // namespace
}  // namespace heddle
