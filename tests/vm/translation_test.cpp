// Translation without a GPU around it: what an ideal design is, and how a change of page tables reaches the cores.

#include "vm/translation.h"

#include <gtest/gtest.h>

using namespace heddle;

namespace {

struct Alone {
    explicit Alone(TranslationDesign design, const char* shootdown = "full") {
        TranslationSettings s;
        s.design = design;
        s.memory_manager = memory_managers().choose("in-order");
        s.fill = tlb_fill_policies().choose("all");
        s.shootdown = shootdown_policies().choose(shootdown);
        s.epoch = Cycle(1000);
        s.l1_tlb.entries = 8;
        s.l1_tlb.mshrs = 4;
        s.l1_tlb.invalidate = Cycle(15);
        s.l2_tlb = {{.entries = 8, .ways = 0, .latency = Cycle(4), .invalidate = Cycle(40)}, 1, 2};
        s.walker = {.walks = 2, .mshrs = 4};
        TranslationWiring wiring;
        wiring.agenda = &agenda;
        wiring.part = 2;
        wiring.sms = 2;
        wiring.warps = 4;
        wiring.pressure = &pressure;
        processes = std::make_unique<Processes>(s, std::vector<FrameOwner>{{"first", 0}, {"second", 0}}, 1);
        translation = std::make_unique<Translation>(s, wiring);
        const FillApp apps[] = {{0, 0, 1}, {1, 1, 1}};
        translation->start(*processes, apps);
    }
    /// The SM's TLB gets to know the page.
    void learn(u16 sm, PageKey page) {
        L1Tlb& l1 = translation->l1(sm);
        l1.wait_for(page, Cycle(1));
        l1.answer({Cycle(2), page, processes->mapping(page.app(), page.address()), true});
        l1.take_fill([](const L1Tlb::Mshr&, Mapping) {});
    }
    /// One small page.
    void unmap(VirtAddr page, Cycle now) {
        translation->unmapped(0, page, 1 << 12, processes->unmap(0, page, 1 << 12), now);
    }
    Agenda agenda{3};
    TranslationPressure pressure;
    std::unique_ptr<Processes> processes;
    std::unique_ptr<Translation> translation;
};

PageKey page_of(u8 app, u64 number) {
    return {app, VirtAddr(number << kFrameShift), PageSize::small};
}

}  // namespace

TEST(TranslationAlone, AnIdealDesignsL1TlbsKnowEveryPageAndNoneThatIsGone) {
    Alone a(TranslationDesign::ideal);
    L1Tlb& l1 = a.translation->l1(0);
    for (u64 k = 0; k < 100; ++k)
        EXPECT_EQ(l1.probe(page_of(0, k), Cycle(k)), a.processes->mapping(0, VirtAddr(k << 12)));
    EXPECT_EQ(a.processes->pages(), 100u);
    a.processes->mapping(1, VirtAddr(1 << 12));  // with the nodes of its page table
    const Mapping was = l1.probe(page_of(0, 7), Cycle(4));
    a.unmap(VirtAddr(7 << 12), Cycle(5));
    a.processes->mapping(1, VirtAddr(0));  // takes the frame
    EXPECT_NE(l1.probe(page_of(0, 7), Cycle(6)), was);
    EXPECT_EQ(a.translation->l1(1).probe(page_of(1, 0), Cycle(6)), was);
    EXPECT_EQ(l1.blocked_until(), Cycle(5 + 15));
    EXPECT_TRUE(a.translation->quiet());
}

TEST(TranslationAlone, AChangeOfPageTablesReachesEveryCoreThroughItsControlPort) {
    for (const auto& [policy, others, neighbours] :
         {std::tuple{"full", false, false}, {"address-space", true, false}, {"page", true, true}}) {
        Alone a(TranslationDesign::shared_tlb, policy);
        for (u16 sm = 0; sm < 2; ++sm)
            for (u8 app = 0; app < 2; ++app)
                for (u64 k = 0; k < 3; ++k) a.learn(sm, page_of(app, k));
        a.unmap(VirtAddr(1 << 12), Cycle(100));
        for (u16 sm = 0; sm < 2; ++sm) {
            const L1Tlb& l1 = a.translation->l1(sm);
            EXPECT_FALSE(l1.find(page_of(0, 1)).any());
            EXPECT_EQ(l1.find(page_of(0, 0)).any(), neighbours) << policy;
            EXPECT_EQ(l1.find(page_of(0, 2)).any(), neighbours) << policy;
            EXPECT_EQ(l1.find(page_of(1, 1)).any(), others) << policy;
            EXPECT_EQ(l1.blocked_until(), Cycle(115));
        }
        // Nothing that was mapped is in this range any more, so nothing changes.
        a.unmap(VirtAddr(1 << 12), Cycle(500));
        EXPECT_EQ(a.translation->l1(0).blocked_until(), Cycle(115));
        EXPECT_EQ(a.translation->stats().shootdowns, 1u);
        EXPECT_EQ(a.translation->stats().pages_taken_back, 1u);
    }
}

TEST(TranslationAlone, AControlPortTellsItsCoresInTheirOrder) {
    struct Core final : CoreControl {
        Core(std::vector<int>& said, int number) : said(said), number(number) {}
        void flush(const PageSet& pages) override { said.push_back(pages.holds(page_of(1, 0)) ? number : 0); }
        void stall(Cycle until) override { said.push_back(number * 100 + static_cast<int>(until.v)); }
        std::vector<int>& said;
        int number;
    };
    std::vector<int> said;
    Core first(said, 1), second(said, 2);
    ControlPort port;
    port.attach(first);
    port.attach(second);
    port.flush(PageSet::of(1));
    port.stall(Cycle(9));
    EXPECT_EQ(said, (std::vector<int>{1, 2, 109, 209}));
}
