#pragma once
// Policy points: places where a mechanism asks "which one?" and a named policy answers.
//
// A point is declared once, beside its interface:
//
//     class Scheduler { public: virtual ~Scheduler() = default; ... };
//     using SchedulerPoint = config::PolicyPoint<Scheduler, const SchedulerContext&>;
//     SchedulerPoint& schedulers();
//     // in the .cpp file:
//     SchedulerPoint& schedulers() { static SchedulerPoint point("DRAM scheduler"); return point; }
//
// A policy is one file that registers itself, in this tree or in a shared object loaded with --plugin;
// nothing else is edited:
//
//     struct CapSettings { u32 cap; static const config::Schema<CapSettings>& schema(); };
//     class FrFcfsCap final : public Scheduler {
//       public:
//         using Settings = CapSettings;              // leave out if the policy has no parameters;
//         FrFcfsCap(const CapSettings&, const SchedulerContext&);  // then FrFcfsCap(const SchedulerContext&)
//     };
//     const bool registered = schedulers().add<FrFcfsCap>(
//         "fr-fcfs-cap", "row hits, at most cap in a row", "paper, section");
//
// A key selects one of the policies of a point (Schema::choice); its member is a Choice. The parameters of the
// selected policy are in a section of the policy's name beside that key:
//
//     scheduler: fr-fcfs-cap
//     fr-fcfs-cap: {cap: 4}
//
// Policies of the same name at several points of one section (a paper's mechanism with several parts) share
// that section: a key that two of them declare sets both.
//
// Registration happens during static initialization or dlopen, before any machine file is read. It stores
// pointers to string literals and functions, and builds nothing.

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/error.h"

namespace heddle::config {

class SchemaBase;

/// Increased whenever the part of the program that policies see changes (tests/config/interface_test.cpp notices). The
/// count is part of the name of the function that registers a policy, so the loader refuses a shared object compiled for another.
template <int kCount>
struct Interface {};
using CurrentInterface = Interface<12>;

/// The value of a key that chooses a policy.
class Choice {
  public:
    const std::string& name() const { return name_; }

    /// The settings of policy `name` as S, or null if neither chosen nor given. S must be that policy's type.
    template <class S>
    const S* settings(std::string_view name) const {
        return static_cast<const S*>(find(name));
    }

    void choose(std::string name) { name_ = std::move(name); }
    void keep(std::string policy, std::shared_ptr<const void> settings) {
        settings_[std::move(policy)] = std::move(settings);
    }
    /// Those of a policy, to be kept by another Choice; null if there are none.
    std::shared_ptr<const void> shared(std::string_view policy) const {
        auto it = settings_.find(policy);
        return it == settings_.end() ? nullptr : it->second;
    }
    const void* find(std::string_view policy) const {
        auto it = settings_.find(policy);
        return it == settings_.end() ? nullptr : it->second.get();
    }

  private:
    std::string name_;
    std::map<std::string, std::shared_ptr<const void>, std::less<>> settings_;
};

/// What is known of a policy without making one.
struct PolicyEntry {
    std::string_view about;
    std::string_view source;
    std::string_view bound;  ///< how long what it orders waits at most; empty if it orders nothing
    const SchemaBase& (*schema)() = nullptr;  ///< null: no parameters
    std::shared_ptr<void> (*new_settings)() =
        nullptr;  ///< default-constructed settings, to be filled by the reader
};

/// The untyped half of a policy point: what the reader and the manual need.
class PolicyPointBase {
  public:
    explicit PolicyPointBase(std::string_view what, std::string_view bound = {})
        : what_(what), bound_(bound) {}
    PolicyPointBase(const PolicyPointBase&) = delete;
    PolicyPointBase& operator=(const PolicyPointBase&) = delete;

    /// "DRAM scheduler".
    std::string_view what() const { return what_; }
    /// What the bounds of its policies are: "clocks that ...".
    std::string_view bound() const { return bound_; }
    /// By name, so that neither link order nor plugin order shows anywhere.
    const std::map<std::string_view, PolicyEntry>& entries() const { return entries_; }
    /// Names that were registered twice; the reader refuses to go on if there is one.
    const std::vector<std::string_view>& duplicates() const { return duplicates_; }

    /// A choice made in code (tests, tools): the policy with its settings at their defaults.
    /// InputError if there is no such policy.
    Choice choose(std::string_view name) const;
    /// The same with parameters, as YAML text of the policy's section: choose("fr-fcfs-cap", "cap: 4").
    Choice choose(std::string_view name, std::string_view parameters) const;

  protected:
    bool enter(std::string_view name, const PolicyEntry& entry, CurrentInterface);

  private:
    std::string_view what_, bound_;
    std::map<std::string_view, PolicyEntry> entries_;
    std::vector<std::string_view> duplicates_;
};

template <class Policy>
concept HasSettings = requires {
    typename Policy::Settings;
};

/// A policy point whose policies implement Interface and are constructed from (Settings, Args...).
template <class Interface, class... Args>
class PolicyPoint : public PolicyPointBase {
  public:
    using PolicyPointBase::PolicyPointBase;

    /// Registers Policy; the texts must live as long as the program (string literals). Always true.
    template <class Policy>
    bool add(std::string_view name, std::string_view about, std::string_view source,
             std::string_view bound = {}) {
        PolicyEntry entry{about, source, bound};
        if constexpr (HasSettings<Policy>) {
            using S = typename Policy::Settings;
            entry.schema = []() -> const SchemaBase& { return S::schema(); };
            entry.new_settings = []() -> std::shared_ptr<void> { return std::make_shared<S>(); };
            makers_.emplace(name, [](const void* settings, Args... args) -> std::unique_ptr<Interface> {
                return std::make_unique<Policy>(*static_cast<const S*>(settings),
                                                std::forward<Args>(args)...);
            });
        } else {
            makers_.emplace(name, [](const void*, Args... args) -> std::unique_ptr<Interface> {
                return std::make_unique<Policy>(std::forward<Args>(args)...);
            });
        }
        return enter(name, entry, {});
    }

    /// The chosen policy. A Choice comes from a machine file or from choose(), so its name is known here.
    std::unique_ptr<Interface> make(const Choice& choice, Args... args) const {
        auto it = makers_.find(choice.name());
        if (it == makers_.end())
            throw InvariantError("no " + std::string(what()) + " called '" + choice.name() + "'");
        return it->second(choice.find(choice.name()), std::forward<Args>(args)...);
    }

  private:
    using Maker = std::unique_ptr<Interface> (*)(const void*, Args...);
    std::map<std::string_view, Maker> makers_;
};

}  // namespace heddle::config
