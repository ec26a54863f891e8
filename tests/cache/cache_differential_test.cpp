// The cache against the slow model, on random sequences of operations over random geometries.

#include <algorithm>
#include <gtest/gtest.h>
#include <sstream>

#include "cache/cache_model.h"
#include "sim/random.h"

namespace heddle {
namespace {

using test::Answer;
using test::CacheFault;
using test::CacheModel;

/// The real cache, answering in the words of the model.
class RealCache {
  public:
    RealCache(const CacheSettings& settings, u8 granule) : cache_(settings, 0, granule) {}

    Answer read(u64 index, u32 number, u8 sectors, u32 waiter) {
        Evicted evicted;
        const Lookup found = cache_.read(index, number, sectors, waiter, evicted);
        return answer(found, evicted);
    }
    Answer write(u64 index, u32 number, u8 sectors, u8 partial, u8 app, u32 position) {
        Evicted evicted;
        const Lookup found = cache_.write(index, number, sectors, partial, app, position, evicted);
        return answer(found, evicted);
    }
    Answer fill(u64 index, u32 number, u8 sectors, u32 position) {
        Evicted evicted;
        std::vector<u32> woken;
        cache_.fill(index, number, sectors, position, evicted, [&](u32 waiter) { woken.push_back(waiter); });
        Answer a = answer({Outcome::hit}, evicted);
        a.woken = woken;
        return a;
    }
    Answer mark_dirty(u64 index, u32 number, u8 sectors, u8 app) {
        Answer a;
        a.found = cache_.mark_dirty(index, number, sectors, app);
        return a;
    }
    Answer invalidate(u64 index, u32 number, u8 sectors) {
        cache_.invalidate(index, number, sectors);
        return {};
    }
    Answer warm(u64 index, u32 number) {
        cache_.warm(index, number);
        return {};
    }
    Answer flush() {
        Answer a;
        cache_.flush([&](const Evicted& line) { put(line, a); });
        std::sort(a.dirty.begin(), a.dirty.end());
        return a;
    }
    void resize(u64 size_bytes) { cache_.resize(size_bytes); }
    bool quiet() const { return cache_.quiet(); }
    u32 outstanding() const { return cache_.outstanding(); }

  private:
    using Evicted = Cache<u32>::Evicted;
    static void put(const Evicted& e, Answer& a) {
        if (e.sectors != 0) a.dirty.push_back({e.number, e.sectors, e.partial, e.app});
    }
    static Answer answer(const Lookup& found, const Evicted& evicted) {
        Answer a{found.outcome, found.fetch};
        put(evicted, a);
        return a;
    }
    Cache<u32> cache_;
};

struct Operation {
    enum Kind { read, write, fill, mark_dirty, invalidate, warm, flush, resize } kind = read;
    u32 number = 0;
    u64 index = 0;
    u8 sectors = 0, partial = 0, app = 0;
    u32 position = 0, waiter = 0;
    u64 bytes = 0;
};

template <class AnyCache>
Answer apply(AnyCache& cache, const Operation& o) {
    switch (o.kind) {
        case Operation::read:
            return cache.read(o.index, o.number, o.sectors, o.waiter);
        case Operation::write:
            return cache.write(o.index, o.number, o.sectors, o.partial, o.app, o.position);
        case Operation::fill:
            return cache.fill(o.index, o.number, o.sectors, o.position);
        case Operation::mark_dirty:
            return cache.mark_dirty(o.index, o.number, o.sectors, o.app);
        case Operation::invalidate:
            return cache.invalidate(o.index, o.number, o.sectors);
        case Operation::warm:
            return cache.warm(o.index, o.number);
        case Operation::flush:
            return cache.flush();
        case Operation::resize: {
            Answer a = cache.flush();
            cache.resize(o.bytes);
            return a;
        }
    }
    return {};
}

std::string text(const Operation& o) {
    const char* names[] = {"read", "write", "fill", "mark_dirty", "invalidate", "warm", "flush", "resize"};
    std::ostringstream out;
    out << names[o.kind] << " line " << o.number << " index " << o.index << " sectors " << u32{o.sectors}
        << " partial " << u32{o.partial} << " app " << u32{o.app} << " position " << o.position << " waiter "
        << o.waiter;
    return out.str();
}

std::string text(const Answer& a) {
    const char* names[] = {"hit", "miss", "merged", "forward", "stall_mshr", "stall_merge", "stall_line"};
    std::ostringstream out;
    out << names[static_cast<int>(a.outcome)] << " fetch " << u32{a.fetch} << " found " << a.found
        << " dirty {";
    for (const auto& d : a.dirty) out << d[0] << ":s" << d[1] << "p" << d[2] << "a" << d[3] << " ";
    out << "} woken {";
    for (const u32 w : a.woken) out << w << " ";
    out << "}";
    return out.str();
}

/// A geometry, policies and a window of addresses around it.
struct Scene {
    CacheSettings settings;
    u8 granule = 1;
    u32 lines = 0;  // numbers in use
    u32 first = 0, step = 1;
    u64 numbers_an_index = 1;  // neighbors that share an index
    bool whole_writes = false;

    explicit Scene(Random& random) {
        const u32 ways[] = {1, 1, 2, 2, 3, 4, 4, 7, 8, 16, 64};
        const u32 sets[] = {1, 1, 2, 3, 4, 5, 6, 7, 8, 12};
        const u32 limits[] = {1, 2, 3, 4, 8, 64};
        CacheSettings& s = settings;
        s.ways = ways[random.below(std::size(ways))];
        const u32 set_count =
            s.ways > 8 ? 1 + static_cast<u32>(random.below(2)) : sets[random.below(std::size(sets))];
        s.size_bytes = u64{128} * s.ways * set_count;
        s.sectored = random.chance(3, 4);
        s.write = random.chance(1, 2) ? WritePolicy::back : WritePolicy::through;
        s.write_allocate = random.chance(1, 2);
        s.allocate = random.chance(1, 2) ? AllocatePolicy::on_miss : AllocatePolicy::on_fill;
        s.mshrs = limits[random.below(std::size(limits))];
        s.mshr_merges = limits[random.below(std::size(limits))];
        s.replacement = replacement_policies().choose("lru");
        granule = static_cast<u8>(1u << random.below(3));
        lines = s.ways * set_count * (1 + static_cast<u32>(random.below(2))) + 1 +
                static_cast<u32>(random.below(5));
        first = static_cast<u32>(random.below(u64{1} << 31));
        const u32 steps[] = {1, 1, 1, 2, 7, 4096, 99'991};
        step = steps[random.below(std::size(steps))];
        numbers_an_index = 1 + random.below(2);
        whole_writes = random.chance(1, 4);
        if (s.write_allocate && random.chance(1, 3)) s.write_miss = WriteMiss::fetch;
    }
    Operation operation(Random& random, CacheModel& model, u32 waiter) const {
        Operation o;
        o.number = first + static_cast<u32>(random.below(lines)) * step;
        o.sectors = static_cast<u8>(1 + random.below(15));
        if (random.chance(1, 2)) o.sectors = static_cast<u8>(1u << random.below(4));
        o.app = static_cast<u8>(random.below(3));
        o.position = random.chance(1, 2) ? 0 : static_cast<u32>(random.below(settings.ways));
        o.waiter = waiter;
        const u64 dice = random.below(100);
        const auto pending = model.on_their_way();
        if (dice < 40) {
            o.kind = Operation::read;
        } else if (dice < 65 && !pending.empty()) {
            o.kind = Operation::fill;
            const auto& [number, sectors] = pending[random.below(pending.size())];
            o.number = number;
            o.sectors &= sectors;
            if (o.sectors == 0 || random.chance(1, 2)) o.sectors = sectors;
        } else if (dice < 85) {
            o.kind = Operation::write;
            if (!whole_writes) o.partial = static_cast<u8>(o.sectors & random.next());
        } else if (dice < 90) {
            o.kind = Operation::invalidate;
        } else if (dice < 93) {
            o.kind = Operation::mark_dirty;
            const u8 valid = model.valid(o.number / numbers_an_index, o.number);
            if (valid != 0) o.sectors = (o.sectors & valid) != 0 ? o.sectors & valid : valid;
        } else if (dice < 98 || !model.quiet()) {
            o.kind = settings.ways > 8 || dice < 96 ? Operation::warm : Operation::read;
        } else {
            o.kind = random.chance(1, 2) ? Operation::flush : Operation::resize;
            o.bytes = u64{128} * settings.ways * (1 + random.below(8));
        }
        o.index = o.number / numbers_an_index;
        return o;
    }
};

std::string text(const Scene& scene) {
    const CacheSettings& s = scene.settings;
    std::ostringstream out;
    out << s.size_bytes / 128 / s.ways << " sets x " << s.ways << " ways, sectored " << s.sectored
        << ", write " << (s.write == WritePolicy::back ? "back" : "through") << ", write_allocate "
        << s.write_allocate << ", allocate "
        << (s.allocate == AllocatePolicy::on_miss ? "on_miss" : "on_fill") << ", fetch on write "
        << (s.write_miss == WriteMiss::fetch) << ", mshrs " << s.mshrs << ", merges " << s.mshr_merges
        << ", granule " << u32{scene.granule};
    return out.str();
}

/// How often what happened, to see that the sequences reach every corner.
struct Coverage {
    std::map<std::pair<int, Outcome>, u32> outcomes;  // by kind of operation
    u32 evicted_dirty = 0, evicted_partial = 0, woken_together = 0, sectors_added = 0;

    void count(const Operation& o, const Answer& a) {
        ++outcomes[{o.kind, a.outcome}];
        if (o.kind == Operation::flush || o.kind == Operation::resize) return;
        evicted_dirty += !a.dirty.empty();
        evicted_partial += !a.dirty.empty() && a.dirty[0][2] != 0;
        woken_together += a.woken.size() > 1;
        sectors_added += a.outcome == Outcome::miss && a.fetch != 0 && a.fetch != kAllSectors;
    }
};

/// The first answer of the cache made by `make` that differs from the model's, with how it came about, or "".
template <class Make>
std::string first_difference(Make make, Coverage* coverage = nullptr) {
    Random random(5, "cache test");
    for (int sequence = 0; sequence < 1000; ++sequence) {
        const Scene scene(random);
        CacheModel model(scene.settings, scene.granule);
        auto cache = make(scene.settings, scene.granule);
        std::string last;
        const auto differs = [&](const Operation& o) {
            const Answer expected = apply(model, o), got = apply(cache, o);
            if (coverage != nullptr) coverage->count(o, expected);
            if (got == expected && cache.outstanding() == model.outstanding()) return false;
            last = "\n  expected " + text(expected) + "\n  got      " + text(got);
            return true;
        };
        std::vector<Operation> done;
        bool different = false;
        const u32 operations = scene.settings.ways > 8 ? 600 : 150;
        for (u32 k = 0; k < operations && !different; ++k) {
            done.push_back(scene.operation(random, model, k));
            different = differs(done.back());
        }
        // In the end every reader is woken and every dirty sector shows.
        while (!different && !model.quiet()) {
            const auto [number, sectors] = model.on_their_way().front();
            done.push_back({Operation::fill, number, number / scene.numbers_an_index, sectors});
            different = differs(done.back());
        }
        if (!different) {
            done.push_back({Operation::flush});
            different = differs(done.back()) || !cache.quiet();
        }
        if (!different) continue;
        std::string all = "sequence " + std::to_string(sequence) + ": " + text(scene);
        for (std::size_t k = done.size() > 40 ? done.size() - 40 : 0; k < done.size(); ++k)
            all += "\n" + text(done[k]);
        return all + last;
    }
    return "";
}

TEST(Cache, AnswersAsTheSlowModelOnRandomSequences) {
    Coverage met;
    const std::string difference =
        first_difference([](const CacheSettings& s, u8 granule) { return RealCache(s, granule); }, &met);
    EXPECT_TRUE(difference.empty()) << difference;
    using enum Outcome;
    for (const Outcome o : {hit, miss, merged, stall_mshr, stall_merge, stall_line})
        EXPECT_GT(met.outcomes[std::pair(int{Operation::read}, o)], 500u) << static_cast<int>(o);
    for (const Outcome o : {hit, forward, stall_line})
        EXPECT_GT(met.outcomes[std::pair(int{Operation::write}, o)], 500u) << static_cast<int>(o);
    EXPECT_GT(met.evicted_dirty, 500u);
    EXPECT_GT(met.evicted_partial, 500u);
    EXPECT_GT(met.woken_together, 500u);
    EXPECT_GT(met.sectors_added, 500u);
}

TEST(Cache, TheComparisonCatchesBrokenCaches) {
    for (int k = 1; k < static_cast<int>(CacheFault::count_); ++k)
        EXPECT_NE(first_difference([&](const CacheSettings& s, u8 granule) {
                      return CacheModel(s, granule, static_cast<CacheFault>(k));
                  }),
                  "")
            << "fault " << k;
}

}  // namespace
}  // namespace heddle
