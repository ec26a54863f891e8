#include "report/trace_events.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "machine/ranges.h"
#include "report/figures.h"

namespace heddle::report {
namespace {

/// A JSON string. Names come from programs and may hold any bytes.
std::string json_string(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

/// A span of a track: an instruction (with its only or first line), another of its lines, or what a line did in L2 or
/// DRAM.
struct Item {
    u64 start = 0, end = 0;
    u32 access = 0, line = 0;
    u32 group = 0;  // of the process's threads: warp, bank
};

const char* row_outcome(const LineLife& l) {
    const auto got = [&](RequestStep step) {
        return std::any_of(l.commands.begin(), l.commands.end(),
                           [step](const auto& c) { return c.step == step; });
    };
    if (l.commands.empty()) return "from the write queue";
    return got(RequestStep::precharge) ? "row conflict" : got(RequestStep::activate) ? "row miss" : "row hit";
}

const char* l2_outcome(RequestStep step) {
    switch (step) {
        case RequestStep::l2_merged:
            return "merged";
        case RequestStep::l2_missed:
            return "miss";
        case RequestStep::l2_bypassed:
            return "bypass";
        case RequestStep::l2_written:
            return "write";
        default:
            return "hit";
    }
}

class Writer {
  public:
    Writer(const Lifetimes& lives, OutputFile& file)
        : lives_(lives),
          machine_(lives.machine()),
          gpu_(machine_.home()),
          ticks_per_s_(gpu_.clock().hertz() * gpu_.clock().period()),
          accesses_(lives.finished()),
          file_(file) {
        for (const AccessLife* access : accesses_) {
            first_line_.push_back(lines_);
            lines_ += access->lines.size();
        }
    }

    void write(const std::string& machine, const std::string& version) {
        put("{{\"displayTimeUnit\":\"ns\",\"otherData\":{{\"version\":{},\"machine\":{},\"core_hz\":{},"
            "\"memory_hz\":{},\"memory_instructions\":{},\"traced_instructions\":{},\"traced_requests\":{},"
            "\"one_in\":{},\"sampled\":{}}},\n\"traceEvents\":[",
            json_string(version), json_string(machine), gpu_.clock().hertz(),
            machine_.home_memory().clock().hertz(), lives_.instructions(), accesses_.size(), lines_,
            lives_.one_in(), json_string(sampled(lives_)));
        std::vector<std::vector<Item>> sms(gpu_.sms().size()), slices(gpu_.slices().size()),
            channels(machine_.home_memory().partitions().size());
        for (u32 a = 0; a < accesses_.size(); ++a) {
            const AccessLife& access = *accesses_[a];
            for (u32 k = 0; k < access.lines.size(); ++k) {
                const LineLife& l = access.lines[k];
                sms[access.sm].push_back({access.issued, k == 0 ? access.end : l.end, a, k, access.warp});
                if (l.at_l2 == LineLife::kUnset) continue;
                slices[l.slice].push_back({l.at_l2, l.answered, a, k, 0});
                if (l.accepted == LineLife::kUnset) continue;
                channels[l.channel].push_back({l.accepted, l.served, a, k, l.bank});
            }
        }
        for (std::size_t s = 0; s < sms.size(); ++s) {
            if (sms[s].empty()) continue;
            const std::string name = fmt::format("SM {}: {}", s, app(*accesses_[sms[s].front().access]));
            process(name, "warp {}", sms[s], [&](const Item& i) { in_sm(i); });
        }
        for (std::size_t s = 0; s < slices.size(); ++s) {
            const std::string name =
                fmt::format("L2 slice {} (channel {})", s, gpu_.router().port(static_cast<u32>(s)).channel);
            process(name, "requests", slices[s], [&](const Item& i) { in_l2(i); });
        }
        for (std::size_t c = 0; c < channels.size(); ++c) {
            const std::string name = fmt::format("DRAM channel {} ({})", c, gpu_.settings().memory);
            process(name, "bank {}", channels[c], [&](const Item& i) { in_dram(i); });
        }
        ranges();
        put("\n]}}\n");
        flush();
    }

  private:
    // -- text
    template <class... Args>
    void put(fmt::format_string<Args...> format, Args&&... args) {
        fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
        if (text_.size() > (u32{1} << 20)) flush();
    }
    void flush() {
        file_.write({text_.data(), text_.size()});
        text_.clear();
    }
    const std::string& app(const AccessLife& access) const {
        return machine_.applications()[access.app]->name();
    }

    /// Microseconds, rounded down to a picosecond. Equal ticks give equal text, so spans that touch do so in the file.
    std::string time(u64 tick) const {
        const u64 ps = static_cast<u64>(Wide{tick} * 1'000'000'000'000u / ticks_per_s_);
        return fmt::format("{}.{:06}", ps / 1'000'000, ps % 1'000'000);
    }

    // -- events
    void event(char phase, u64 at) {
        put("{}\n{{\"ph\":\"{}\",\"pid\":{},\"tid\":{},\"ts\":{}", std::exchange(comma_, ","), phase, pid_,
            tid_, time(at));
    }
    void begin(const std::string& name, u64 at, const std::string& args = {}) {
        event('B', at);
        open_.push_back(json_string(name));
        put(",\"name\":{}", open_.back());
        if (!args.empty()) put(",\"args\":{{{}}}", args);
        put("}}");
    }
    /// Of the span that began last. Some readers match by the name.
    void end(u64 at) {
        event('E', at);
        put(",\"name\":{}}}", open_.back());
        open_.pop_back();
    }
    void span(const std::string& name, u64 from, u64 until) {
        if (from == until) return;
        begin(name, from);
        end(until);
    }
    /// An arrow from the span that has begun to the one that begins at the same time elsewhere.
    void flow(char phase, u64 id, u64 at) {
        event(phase, at);
        put(",\"id\":{},\"name\":\"request\",\"cat\":\"request\"{}}}", id,
            phase == 'f' ? ",\"bp\":\"e\"" : "");
    }
    void meta(const char* what, const char* argument, const std::string& value) {
        event('M', 0);
        put(",\"name\":\"{}\",\"args\":{{\"{}\":{}}}}}", what, argument, value);
    }

    /// The spans of one SM, slice or channel, in lanes in which none overlaps another.
    template <class Show>
    void process(const std::string& name, fmt::string_view thread, std::vector<Item>& items, Show show) {
        if (items.empty()) return;
        std::stable_sort(items.begin(), items.end(),
                         [](const Item& a, const Item& b) { return a.start < b.start; });
        struct Lane {
            u64 free = 0;
            std::vector<const Item*> items;
        };
        std::map<u32, std::vector<Lane>> groups;
        for (const Item& item : items) {
            auto& lanes = groups[item.group];
            auto lane =
                std::find_if(lanes.begin(), lanes.end(), [&](const Lane& l) { return l.free <= item.start; });
            if (lane == lanes.end()) lane = lanes.insert(lane, Lane{});
            lane->free = item.end;
            lane->items.push_back(&item);
        }
        ++pid_;
        bool first = true;
        for (const auto& [group, lanes] : groups)
            for (std::size_t k = 0; k < lanes.size(); ++k) {
                ++tid_;
                if (std::exchange(first, false)) {
                    meta("process_name", "name", json_string(name));
                    meta("process_sort_index", "sort_index", std::to_string(pid_));
                }
                std::string label = fmt::format(fmt::runtime(thread), group);
                if (k != 0) label += fmt::format(", lane {}", k + 1);
                meta("thread_name", "name", json_string(label));
                meta("thread_sort_index", "sort_index", std::to_string(tid_));
                for (const Item* item : lanes[k].items) show(*item);
            }
    }

    /// What the programs call their parts (NVTX). These may overlap, so they are spans by number, not of a lane.
    void ranges() {
        struct Moment {
            u64 at;
            char phase;
            std::string rest;
        };
        u64 id = 0;
        for (const auto& program : machine_.applications()) {
            std::vector<Moment> moments;
            for (const RangeRecord& r : ranges_in_time(*program, gpu_.now())) {
                const u64 start = r.start_cycle * gpu_.clock().period();
                const std::string name = fmt::format("\"name\":{},\"cat\":{}", json_string(r.name),
                                                     json_string(r.domain.empty() ? "range" : r.domain));
                if (r.is_mark) {
                    moments.push_back({start, 'i', name + ",\"s\":\"p\""});
                } else if (r.kernels != 0) {
                    const std::string numbered = fmt::format("{},\"id\":{}", name, ++id);
                    moments.push_back(
                        {start, 'b', fmt::format("{},\"args\":{{\"kernels\":{}}}", numbered, r.kernels)});
                    moments.push_back({start + r.cycles * gpu_.clock().period(), 'e', numbered});
                }
            }
            if (moments.empty()) continue;
            std::stable_sort(moments.begin(), moments.end(),
                             [](const Moment& x, const Moment& y) { return x.at < y.at; });
            ++pid_;
            ++tid_;
            meta("process_name", "name", json_string("Ranges of " + program->name()));
            meta("thread_name", "name", json_string("ranges"));
            for (const Moment& m : moments) {
                event(m.phase, m.at);
                put(",{}}}", m.rest);
            }
        }
    }

    u64 flow_id(const Item& item) const { return (first_line_[item.access] + item.line) * 2; }
    std::string place(const AccessLife& a, const LineLife& l) const {
        return fmt::format("\"address\":\"{:#x}\",\"sm\":{},\"warp\":{},\"application\":{}", l.line.v, a.sm,
                           a.warp, json_string(app(a)));
    }

    void in_sm(const Item& item) {
        const AccessLife& a = *accesses_[item.access];
        const bool several = a.lines.size() > 1;
        if (item.line == 0)
            begin(fmt::format("{} {:#x}", a.what, a.pc), a.issued,
                  fmt::format("\"kernel\":{},\"application\":{},\"requests\":{},\"cycles\":{}",
                              json_string(lives_.kernel(a)), json_string(app(a)), a.requests,
                              (a.end - a.issued) / gpu_.clock().period()));
        const LineLife& l = a.lines[item.line];
        if (several)
            begin(fmt::format("line {} of {}", item.line + 1, a.requests), a.issued,
                  fmt::format("\"address\":\"{:#x}\"", l.line.v));
        span("load/store unit", a.issued, l.taken);
        if (l.sent == LineLife::kUnset) {
            span(l.l1 == L1Outcome::hit ? "L1 hit" : "L1: waits for the same line", l.taken, l.end);
        } else {
            span(l.l1 == L1Outcome::missed ? "L1 miss" : "L1 bypass", l.taken, l.sent);
            span("crossbar", l.sent, l.at_l2);
            begin(fmt::format("L2 slice {}", l.slice), l.at_l2);
            flow('s', flow_id(item), l.at_l2);
            end(l.answered);
            span("crossbar back", l.answered, l.returned);
            span("L1 fill", l.returned, l.end);
        }
        if (several) end(l.end);
        if (item.line == 0) end(a.end);
    }

    void in_l2(const Item& item) {
        const AccessLife& a = *accesses_[item.access];
        const LineLife& l = a.lines[item.line];
        begin(fmt::format("{} {}", a.what, l2_outcome(l.l2)), l.at_l2, place(a, l));
        flow('f', flow_id(item), l.at_l2);
        span("queue", l.at_l2, l.looked_up);
        if (l.accepted != LineLife::kUnset) {
            span("way to DRAM", l.looked_up, l.accepted);
            begin("DRAM", l.accepted);
            flow('s', flow_id(item) + 1, l.accepted);
            end(l.served);
            span("fill", l.served, l.ready);
        } else {
            span(l.l2 == RequestStep::l2_merged    ? "waits for the same line"
                 : l.l2 == RequestStep::l2_written ? "write"
                                                   : "hit",
                 l.looked_up, l.ready);
        }
        span("reply queue", l.ready, l.answered);
        end(l.answered);
    }

    void in_dram(const Item& item) {
        const AccessLife& a = *accesses_[item.access];
        const LineLife& l = a.lines[item.line];
        begin(row_outcome(l), l.accepted, fmt::format("\"row\":{},{}", l.row, place(a, l)));
        flow('f', flow_id(item) + 1, l.accepted);
        u64 at = l.accepted;
        const char* now = l.commands.empty() ? "data" : "queue";
        for (const LineLife::Command& c : l.commands) {
            span(now, at, c.at);
            at = c.at;
            now = c.step == RequestStep::precharge  ? "precharge"
                  : c.step == RequestStep::activate ? "activate"
                                                    : "column";
        }
        span(now, at, l.served);
        end(l.served);
    }

    const Lifetimes& lives_;
    const Machine& machine_;
    const Gpu& gpu_;
    const u64 ticks_per_s_;
    const std::vector<const AccessLife*> accesses_;
    std::vector<u64> first_line_;  // by access: lines before it
    u64 lines_ = 0;
    OutputFile& file_;
    fmt::memory_buffer text_;
    std::vector<std::string> open_;  // names of the spans that have begun
    const char* comma_ = "";
    u32 pid_ = 0, tid_ = 0;
};

}  // namespace

std::string sampled(const Lifetimes& lives) {
    const auto finished = lives.finished();
    u64 requests = 0;
    for (const AccessLife* access : finished) requests += access->lines.size();
    const std::string what =
        fmt::format("{} requests of {} memory instructions", grouped(requests), grouped(finished.size()));
    const u64 others = lives.instructions() - finished.size();
    if (others == 0) return what + ", all of the run";
    const std::string why = lives.one_in() > 1
                                ? fmt::format("about one in {} was taken", grouped(lives.one_in()))
                                : "they had not ended";
    return fmt::format("{}; {} instructions are left out: {}", what, grouped(others), why);
}

void TraceEventFile::finish(const Lifetimes& lives, const std::string& machine, const std::string& version) {
    Writer(lives, file_).write(machine, version);
    file_.finish();
}

}  // namespace heddle::report
