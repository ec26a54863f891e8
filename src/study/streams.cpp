#include "study/streams.h"

#include <deque>
#include <fmt/format.h>

#include "sim/error.h"
#include "study/stream_hash.h"
#include "study/workers.h"

namespace heddle::study {
namespace {

/// An application by itself on the baseline.
RunSpec recording_of(const MatrixSpec& spec, const AppSpec& app) {
    RunSpec run{spec.variants.at(spec.baseline), {app.word, {app}}, 0, {}, spec.common};
    run.hash = true;
    return run;
}

}  // namespace

std::optional<Streams> streams_of(const MatrixSpec& spec, Store& store, Keys& keys,
                                  const BatchOptions& options,
                                  const std::function<void(std::size_t, std::size_t)>& progress) {
    std::map<std::string, std::string> hashes;  // by key
    std::map<std::string, RunSpec> wanted;
    std::vector<std::string> order;
    std::vector<std::vector<std::string>> keys_of_workload;
    for (const Workload& w : spec.workloads) {
        auto& of = keys_of_workload.emplace_back();
        for (const AppSpec& app : w.apps) {
            RunSpec run = recording_of(spec, app);
            of.push_back(keys.key(run));
            if (hashes.contains(of.back()) || wanted.contains(of.back())) continue;
            if (const auto known = store.stream(of.back())) {
                hashes[of.back()] = *known;
            } else {
                wanted.emplace(of.back(), std::move(run));
                order.push_back(of.back());
            }
        }
    }
    Workers workers(options.program);
    std::size_t next = 0, done = 0;
    while (done != order.size()) {
        if (options.interrupted != nullptr && options.interrupted->load(std::memory_order_relaxed))
            return std::nullopt;
        for (; next != order.size() && workers.running() < options.jobs; ++next)
            workers.start(next, wanted.at(order[next]));
        progress(done, order.size());
        const auto ended = workers.wait();
        if (!ended) continue;
        const std::string& key = order[ended->job];
        if (ended->end.code != 0 || ended->end.signal != 0)
            throw InputError(fmt::format("the input {} cannot be recorded: {}", wanted.at(key).workload.name,
                                         why_it_failed(ended->end)));
        std::string hash = ended->end.out;
        if (hash.ends_with('\n')) hash.pop_back();
        store.put_stream(key, hash);
        hashes[key] = std::move(hash);
        ++done;
    }
    Streams out;
    for (std::size_t w = 0; w < spec.workloads.size(); ++w) {
        std::vector<std::string> streams;
        for (const std::string& key : keys_of_workload[w]) streams.push_back(hashes.at(key));
        out.emplace_back(spec.workloads[w].name, workload_hash(streams));
    }
    return out;
}

}  // namespace heddle::study
