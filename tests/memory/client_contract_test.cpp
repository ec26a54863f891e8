// The contract of a memory's clients, and that its suite notices who breaks it.

#include "memory/client_contract.h"

#include <gtest/gtest.h>

#include "memory/toy_client.h"

namespace heddle::test {
namespace {

class ToyRig final : public ClientRig, private Domain {
  public:
    ToyRig(const Clock& clock, u32 seed, ClientFault fault)
        : Domain(clock, 1), client_(*this, 0, 0, 1, 0, seed, 4'000, fault) {}

    Domain& domain() override { return *this; }
    MemoryClient& client() override { return client_; }
    void stop() override { client_.stop(); }
    u64 begun() const override { return client_.begun(); }
    u64 done() const override { return client_.done(); }
    u32 most_outgoing() const override { return ToyClient::kMost; }
    bool quiet() const override { return client_.open() == 0; }
    std::string wrong() const override { return client_.wrong(); }

  private:
    void run(Cycle now) override {
        agenda().run(now, [&](u32) {
            const Cycle next = client_.step(now);
            client_.announce(now);
            agenda().wake(0, next);
        });
    }
    ToyClient client_;
};

std::string broken_by(ClientFault fault) {
    return broken(
        [fault](const Clock& clock, u32 seed) { return std::make_unique<ToyRig>(clock, seed, fault); });
}

TEST(MemoryClientContract, HoldsForTheSimplestClient) {
    EXPECT_EQ(broken_by(ClientFault::none), "");
}

TEST(MemoryClientContract, TheSuiteNoticesWhoBreaksIt) {
    const std::pair<ClientFault, const char*> faults[] = {
        {ClientFault::no_limit, "wait towards the memory"},
        {ClientFault::disorder, "out of order"},
        {ClientFault::deaf, "does not say that it waits"},
        {ClientFault::restless, "woken for nothing"},
        {ClientFault::forgets, "were done"},
        {ClientFault::twice, "still has"},
    };
    for (const auto& [fault, complaint] : faults) {
        const std::string found = broken_by(fault);
        EXPECT_NE(found.find(complaint), std::string::npos) << static_cast<int>(fault) << ": " << found;
    }
}

}  // namespace
}  // namespace heddle::test
