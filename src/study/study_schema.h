#pragma once
// A study file as it is written: its keys, their places, and nothing looked up yet. study.h has what it means.

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "config/schema.h"
#include "study/matrix.h"

namespace heddle::study {

struct WorkloadText {
    std::optional<std::string> name;
    config::Located run;
    std::optional<config::LocatedList> sms;
    static const config::Schema<WorkloadText>& schema();
};

struct SetText {
    config::LocatedList workloads;
    static const config::Schema<SetText>& schema();
};

struct VariantText {
    std::optional<config::Located> machine;
    config::LocatedList set;
    static const config::Schema<VariantText>& schema();
};

struct ClaimText {
    config::Located id;
    std::optional<std::string> kind, note;
    std::string statement;
    config::LocatedList measure, paper;
    std::optional<config::LocatedList> band;
    static const config::Schema<ClaimText>& schema();
};

struct StudyText {
    std::optional<std::string> about, source;
    config::Located machine;
    config::LocatedList set;
    std::optional<config::LocatedList> sms, seeds;
    config::LocatedList options;
    std::vector<WorkloadText> workloads;
    std::vector<std::pair<std::string, SetText>> sets;
    std::vector<std::pair<std::string, VariantText>> variants;
    std::optional<config::Located> baseline;
    AloneOn alone = AloneOn::baseline;
    config::LocatedList metrics;
    std::vector<ClaimText> claims;
    static const config::Schema<StudyText>& schema();
};

}  // namespace heddle::study
