#pragma once
// The specification of one run: everything that decides its result, and the key of that result in the store.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "config/node.h"
#include "sim/types.h"

namespace heddle::study {

/// One application as `heddle run` takes it.
struct AppSpec {
    std::string word;
    std::vector<std::string> arguments = {};  ///< of a program
    std::string identity =
        {};               ///< all that decides its stream: settings, digests of the files it is read from
    bool seeded = false;  ///< it makes random choices, which --seed decides
};

/// A way to run a machine: what is compared.
struct Variant {
    std::string name;
    std::string machine;
    std::vector<std::string> sets;  ///< "KEY=VALUE"
};

/// One application, or several that run at once.
struct Workload {
    std::string name;
    std::vector<AppSpec> apps;
    std::vector<u32> sms = {};  ///< of each; empty: equal parts
    bool search_sms = false;    ///< `sms` is to be found out (study/split_search.h)
    bool several() const { return apps.size() > 1; }
};

/// What applies to every run of a command.
struct CommonOptions {
    std::vector<std::string> plugins = {};  ///< files
    std::vector<std::string> options = {};  ///< further ones of `heddle run`: "--seed=3"
};

struct RunSpec {
    Variant variant;
    Workload workload = {};
    u32 alone = 0;  ///< N: only the Nth application, on what it has beside the others; 0: all
    std::optional<u64> seed = {};
    CommonOptions common = {};
    bool hash = false;  ///< nothing is simulated: the stream's hash is wanted (stream_hash.h)
};

/// What a worker reads: {machine, sets, plugins, options, seed, sms, alone, hash, applications [{word, arguments}]}; what is
/// not given is left out.
std::string spec_json(const RunSpec& run);
/// The same read back, without names and identities. Throws InputError.
RunSpec parse_spec(const std::string& json);

/// Names runs. Two have the same key only if nothing that decides the result differs: program, plugins,
/// resolved machine (without its text for people), applications with their contents and their shares, options.
class Keys {
  public:
    /// `program`: what tells the program that simulates from all others; `digest` gives that of a file.
    Keys(std::string program, std::string (*digest)(const std::string& path, void* user), void* user)
        : program_(std::move(program)), digest_(digest), user_(user) {}

    /// 32 hexadecimal digits. Throws InputError if the machine or the shares are wrong.
    std::string key(const RunSpec& run);
    /// The variant's resolved machine.
    const config::Node& description(const Variant& variant) { return resolved(variant).description; }
    /// Its SMs.
    u32 sms(const Variant& variant) { return resolved(variant).sms; }
    /// Whether one of its policies makes random choices.
    bool seeded(const Variant& variant) { return resolved(variant).seeded; }

  private:
    struct Resolved {
        config::Node description;
        std::string digest;
        u32 sms = 0;
        bool seeded = false;
    };
    const Resolved& resolved(const Variant& variant);

    std::string program_;
    std::string (*digest_)(const std::string&, void*);
    void* user_;
    std::map<std::string, Resolved> machines_;  // by machine and settings
};

}  // namespace heddle::study
