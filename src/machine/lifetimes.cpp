#include "machine/lifetimes.h"

#include <algorithm>

#include "sim/random.h"

namespace heddle {

Lifetimes::Lifetimes(const Machine& machine, u64 one_in, u64 most)
    : machine_(machine), one_in_(one_in), most_(most), issued_to_(machine.home().sms().size()) {
    observe(this);
}

void Lifetimes::observe(LifetimeObserver* observer) {
    machine_.home().trace(observer);
    machine_.home_memory().trace(observer);
}

bool Lifetimes::chosen(u64 number) const {
    return mix64(number) % one_in_ == 0;
}

std::vector<const AccessLife*> Lifetimes::finished() const {
    std::vector<const AccessLife*> all;
    for (const auto& [number, access] : accesses_)
        if (access.open == 0) all.push_back(&access);
    return all;
}

bool Lifetimes::issued(const IssuedAccess& from) {
    const u64 number = issued_++;
    if (from.lines == 0 || !chosen(number)) return false;
    auto known = kernel_numbers_.find(from.kernel);
    if (known == kernel_numbers_.end()) {
        known = kernel_numbers_.emplace(std::string(from.kernel), static_cast<u32>(kernels_.size())).first;
        kernels_.emplace_back(from.kernel);
    }
    AccessLife& access = accesses_[number];
    access.number = number;
    access.sm = from.sm;
    access.warp = from.warp;
    access.app = from.app;
    access.what = from.what;
    access.kernel = known->second;
    access.pc = from.pc;
    access.issued = core(from.at);
    access.load = from.load;
    access.requests = access.open = from.lines;
    access.lines.reserve(from.lines);
    issued_to_[from.sm].untaken.push_back({number, from.lines});
    if (from.load != Request::kNoLoad) loads_[{from.sm, from.load}] = number;
    lines_ += from.lines;
    if (lines_ > most_) thin();
    return true;
}

/// Halves the sample until it is small enough. What has been dropped may still be in flight and is then unknown.
void Lifetimes::thin() {
    while (lines_ > most_ && accesses_.size() > 1) {
        one_in_ *= 2;
        lines_ = 0;
        std::erase_if(accesses_, [&](const auto& entry) { return !chosen(entry.first); });
        for (const auto& [number, access] : accesses_) lines_ += access.requests;
    }
    const auto gone = [&](u64 access) { return accesses_.count(access) == 0; };
    std::erase_if(requests_, [&](const auto& entry) { return gone(entry.second.access); });
    std::erase_if(loads_, [&](const auto& entry) { return gone(entry.second); });
}

void Lifetimes::line_taken(u16 sm, u32 instruction, PhysAddr line, L1Outcome outcome, const Request* request,
                           Cycle now, Cycle done) {
    Issued& issued = issued_to_[sm];
    Untaken& from = issued.untaken[instruction - issued.first];
    const u64 number = from.access;
    --from.lines;
    for (; !issued.untaken.empty() && issued.untaken.front().lines == 0; ++issued.first)
        issued.untaken.pop_front();
    const auto found = accesses_.find(number);
    if (found == accesses_.end()) {
        requests_.erase(request);
        return;
    }
    AccessLife& access = found->second;
    LineLife& life = access.lines.emplace_back();
    life.line = line;
    life.l1 = outcome;
    life.taken = core(now);
    if (request != nullptr) {
        life.slice = request->port;
        life.channel = request->channel;
        requests_[request] = {number, static_cast<u32>(access.lines.size() - 1)};
    }
    if (done != kNever) end(access, life, core(done));
}

void Lifetimes::end(AccessLife& access, LineLife& line, u64 at) {
    line.end = at;
    access.end = std::max(access.end, at);
    if (--access.open == 0) loads_.erase({access.sm, access.load});
}

LineLife* Lifetimes::find(const Request& request) {
    const auto found = requests_.find(&request);
    return found == requests_.end() ? nullptr : &accesses_.at(found->second.access).lines[found->second.line];
}

void Lifetimes::step(const Request& request, RequestStep step, Cycle at) {
    LineLife* life = find(request);
    if (life == nullptr) return;
    switch (step) {
        case RequestStep::sent:
            life->sent = core(at);
            break;
        case RequestStep::at_l2:
            life->at_l2 = core(at);
            break;
        case RequestStep::l2_hit:
        case RequestStep::l2_merged:
        case RequestStep::l2_missed:
        case RequestStep::l2_bypassed:
        case RequestStep::l2_written:
            life->l2 = step;
            life->looked_up = core(at);
            break;
        case RequestStep::accepted:
            life->accepted = memory(at);
            life->bank = request.bank;
            life->row = request.row;
            break;
        case RequestStep::precharge:
        case RequestStep::activate:
        case RequestStep::column:
            life->commands.push_back({step, memory(at)});
            break;
        case RequestStep::served:
            life->served = memory(at);
            break;
        case RequestStep::ready:
            life->ready = core(at);
            break;
        case RequestStep::answered:
            life->answered = core(at);
            break;
        case RequestStep::returned:
            life->returned = core(at);
            break;
    }
}

void Lifetimes::fetched_for(const Request& request, const Request& fetch) {
    const auto found = requests_.find(&request);
    if (found == requests_.end()) {
        requests_.erase(&fetch);
        return;
    }
    const Where where = found->second;  // what follows may move it
    requests_[&fetch] = where;
}

void Lifetimes::line_arrived(u16 sm, u32 load, PhysAddr line, Cycle at) {
    const auto known = loads_.find({sm, load});
    if (known == loads_.end()) return;
    AccessLife& access = accesses_.at(known->second);
    for (LineLife& life : access.lines)
        if (life.line == line && life.end == LineLife::kUnset) {
            end(access, life, core(at));
            return;
        }
}

void Lifetimes::done(const Request& request, Cycle at) {
    const auto found = requests_.find(&request);
    if (found == requests_.end()) return;
    const Where where = found->second;
    requests_.erase(found);
    AccessLife& access = accesses_.at(where.access);
    end(access, access.lines[where.line], core(at));
}

}  // namespace heddle
