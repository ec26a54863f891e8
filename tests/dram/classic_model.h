#pragma once
// The orders of the classic schedulers once more, plain and slow, for comparison with the schedulers themselves. All is
// found again from the waiting requests whenever it is asked for; times are counted clock by clock, ratios are doubles.
// Sources: the papers named in src/dram/scheduler.

#include <algorithm>
#include <array>
#include <list>
#include <map>
#include <set>
#include <string_view>
#include <vector>

#include "sim/types.h"

namespace heddle::dram::model {

struct Waiting {
    const void* id = nullptr;
    u32 bank = 0, row = 0, app = 0;
    bool write = false;
    u64 arrived = 0;
    bool marked = false, passed_over = false;  // of PAR-BS
};

/// Smaller goes first, from the first number on; age is the last resort.
using Key = std::vector<double>;

class Order {
  public:
    virtual ~Order() = default;
    virtual Key key(const Waiting& w, bool hit) const = 0;
    /// In each clock, before arrivals and commands.
    virtual void clock(u64 now) { (void)now; }
    virtual void arrived(const Waiting& w) { (void)w; }
    virtual void command(const Waiting& w, u64 now) { (void)w, (void)now; }
    virtual void activated(u32 bank) { (void)bank; }
    /// After it has left `waiting`.
    virtual void served(const Waiting& w, u64 now) { (void)w, (void)now; }

    const void* pick(u32 bank, u32 open_row) const {
        const Waiting* best = nullptr;
        Key least;
        for (const Waiting& w : waiting) {
            if (w.bank != bank) continue;
            Key k = key(w, w.row == open_row);
            if (best != nullptr && !(k < least)) continue;
            best = &w;
            least = std::move(k);
        }
        return best == nullptr ? nullptr : best->id;
    }

    std::list<Waiting> waiting;  // in order of arrival
};

class Fcfs final : public Order {
    Key key(const Waiting&, bool) const override { return {}; }
};
class FrFcfs final : public Order {
    Key key(const Waiting&, bool hit) const override { return {double(!hit)}; }
};

class Cap final : public Order {
  public:
    Key key(const Waiting& w, bool hit) const override {
        const auto it = streak_.find(w.bank);
        return {double(!(hit && (it == streak_.end() || it->second < 4)))};
    }
    void activated(u32 bank) override { streak_[bank] = 0; }
    void served(const Waiting& w, u64) override { ++streak_[w.bank]; }

  private:
    std::map<u32, u32> streak_;
};

class ParBs final : public Order {
  public:
    Key key(const Waiting& w, bool hit) const override {
        const auto it = rank_.find(w.app);
        const double rank = it == rank_.end() ? -1 : it->second;  // nothing marked: before all others
        return {double(!w.marked), double(!hit), double(w.write), w.write ? 0 : rank,
                w.write ? 0 : double(w.app)};
    }
    void arrived(const Waiting& w) override {
        if (!w.write && !any_marked()) form();
    }
    void served(const Waiting& w, u64) override {
        if (w.marked && !any_marked()) form();
    }

  private:
    bool any_marked() const {
        return std::any_of(waiting.begin(), waiting.end(), [](const Waiting& w) { return w.marked; });
    }
    void form() {
        std::map<std::array<u32, 3>, u32> taken;
        for (Waiting& w : waiting) {
            if (w.write && !w.passed_over)
                w.passed_over = true;
            else if (taken[{w.app, w.bank, u32{w.write}}]++ < 5)
                w.marked = true;
        }
        if (!any_marked()) return;
        std::map<u32, std::array<u32, 2>> load;  // most in a bank, all
        for (const auto& [key, n] : taken) {
            if (key[2] != 0) continue;
            auto& l = load[key[0]];
            l[0] = std::max(l[0], std::min(n, 5u));
            l[1] += std::min(n, 5u);
        }
        rank_.clear();
        for (const auto& [app, l] : load) rank_[app] = l[0] * 1'000'000.0 + l[1] * 1'000.0 + app;
    }
    std::map<u32, double> rank_;
};

class Bliss final : public Order {
  public:
    Key key(const Waiting& w, bool hit) const override {
        return {double(listed_.count(w.app)), double(!hit)};
    }
    void clock(u64 now) override {
        if (now % 1'000 == 0) listed_.clear();
    }
    void served(const Waiting& w, u64) override {
        if (w.write) return;
        count_ = w.app == last_ ? count_ + 1 : 1;
        last_ = w.app;
        if (count_ > 4) {
            listed_.insert(w.app);
            count_ = 0;
        }
    }

  private:
    std::set<u32> listed_;
    u32 last_ = ~u32{0}, count_ = 0;
};

/// Clocks in which a bank was busy with an application's requests, from the first command to the end of data.
class Service {
  public:
    Service(u64 read_latency, u64 write_latency) : latency_{read_latency, write_latency} {}
    void command(const Waiting& w, u64 now) { since_.try_emplace(w.bank, now); }
    void served(const Waiting& w, u64 now) {
        auto& busy = busy_[w.bank];
        for (u64 t = since_[w.bank]; t < now + latency_[w.write]; ++t)
            if (busy.insert(t).second) ++attained[w.app];
        since_.erase(w.bank);
    }
    std::map<u32, u64> attained;  // in this quantum

  private:
    std::array<u64, 2> latency_;
    std::map<u32, u64> since_;
    std::map<u32, std::set<u64>> busy_;
};

class Atlas final : public Order {
  public:
    Atlas(u64 read_latency, u64 write_latency) : service_(read_latency, write_latency) {}
    Key key(const Waiting& w, bool hit) const override {
        const auto it = total_.find(w.app);
        return {double(now_ <= w.arrived + kStarvation), it == total_.end() ? 0 : it->second, double(!hit)};
    }
    void clock(u64 now) override {
        now_ = now;
        if (now == 0 || now % kQuantum != 0) return;
        for (u32 app = 0; app < 8; ++app)
            total_[app] = total_[app] * 7 / 8 + double(service_.attained[app]) / 8;
        service_.attained.clear();
    }
    void command(const Waiting& w, u64 now) override { service_.command(w, now); }
    void served(const Waiting& w, u64 now) override { service_.served(w, now); }
    static constexpr u64 kQuantum = 2'000, kStarvation = 300;

  private:
    Service service_;
    std::map<u32, double> total_;
    u64 now_ = 0;
};

/// Without shuffles, of which the interval is longer than the quantum.
class Tcm final : public Order {
  public:
    Tcm(u64 read_latency, u64 write_latency) : service_(read_latency, write_latency) {}
    Key key(const Waiting& w, bool hit) const override {
        const auto it = place_.find(w.app);
        return {it == place_.end() ? 0 : it->second, double(!hit)};
    }
    void clock(u64 now) override {
        if (now == 0) return;
        if (now % kSample == 0) {
            std::set<std::pair<u32, u32>> queued;
            for (const Waiting& w : waiting) queued.insert({w.app, w.bank});
            for (const auto& [app, bank] : queued) ++banks_[app];
        }
        if (now % kQuantum == 0) end_quantum();
    }
    void arrived(const Waiting& w) override {
        ++requests_[w.app];
        auto [row, first] = shadow_.try_emplace({w.app, w.bank}, w.row);
        if (!first && row->second == w.row) ++hits_[w.app];
        row->second = w.row;
    }
    void command(const Waiting& w, u64 now) override { service_.command(w, now); }
    void served(const Waiting& w, u64 now) override { service_.served(w, now); }

    std::array<u64, 8> instructions{};  // so far
    static constexpr u64 kQuantum = 2'000, kSample = 100;
    static constexpr double kThreshold = 0.25, kAlpha = 0.5;

  private:
    struct Mean {
        double sum = 0, weight = 0;
        void add(double x) {
            sum = kAlpha * sum + (1 - kAlpha) * x;
            weight = kAlpha * weight + (1 - kAlpha);
        }
        double value() const { return sum / weight; }
    };
    struct Past {
        Mean mpki, blp, rbl;
    };
    void end_quantum() {
        std::vector<u32> apps;
        double total = 0;
        for (u32 a = 0; a < 8; ++a) {
            const double n = double(requests_[a]), insts = double(instructions[a] - before_[a]);
            if (insts > 0) past_[a].mpki.add(1000 * n / insts);
            if (n == 0) continue;
            past_[a].blp.add(double(banks_[a]) / (kQuantum / kSample));
            past_[a].rbl.add(double(hits_[a]) / n);
            apps.push_back(a);
            total += double(service_.attained[a]);
        }
        auto by = [this](Mean Past::*value) {
            return
                [this, value](u32 a, u32 b) { return (past_[a].*value).value() < (past_[b].*value).value(); };
        };
        std::stable_sort(apps.begin(), apps.end(), by(&Past::mpki));
        place_.clear();
        double sum = 0, next = 1;
        std::vector<u32> rest;
        for (const u32 a : apps) {
            sum += double(service_.attained[a]);
            if (rest.empty() && sum <= kThreshold * total)
                place_[a] = next++;
            else
                rest.push_back(a);
        }
        std::sort(rest.begin(), rest.end());
        std::map<u32, int> niceness;
        auto positions = [&](Mean Past::*value, int sign) {
            std::vector<u32> sorted = rest;
            std::stable_sort(sorted.begin(), sorted.end(), by(value));
            for (std::size_t k = 0; k < sorted.size(); ++k) niceness[sorted[k]] += sign * int(k);
        };
        positions(&Past::blp, 1);
        positions(&Past::rbl, -1);
        std::stable_sort(rest.begin(), rest.end(), [&](u32 a, u32 b) { return niceness[a] < niceness[b]; });
        for (std::size_t k = rest.size(); k-- > 0;) place_[rest[k]] = next++;
        before_ = instructions;
        requests_.clear(), hits_.clear(), banks_.clear(), service_.attained.clear();
    }
    Service service_;
    std::array<u64, 8> before_{};
    std::map<u32, u64> requests_, hits_, banks_;
    std::map<std::pair<u32, u32>, u32> shadow_;
    std::map<u32, Past> past_;
    std::map<u32, double> place_;
};

}  // namespace heddle::dram::model
