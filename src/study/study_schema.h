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
    std::optional<config::Located> small;
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

struct BoardText {
    config::Located machine;
    config::LocatedList set;
    static const config::Schema<BoardText>& schema();
};

struct HashText {
    config::Located sha256;
    static const config::Schema<HashText>& schema();
};

struct InputsText {
    std::vector<std::pair<std::string, HashText>> full, small;
    static const config::Schema<InputsText>& schema();
};

struct ClassText {
    config::Located bound;
    static const config::Schema<ClassText>& schema();
};

struct EachText {
    config::Located paper;
    std::optional<std::string> note;
    static const config::Schema<EachText>& schema();
};

struct RegimeText {
    config::Located id;
    std::string statement;
    config::LocatedList measure;
    std::optional<config::LocatedList> paper;
    std::vector<std::pair<std::string, EachText>> each;
    std::vector<std::pair<std::string, ClassText>> classes;
    std::optional<std::string> note;
    static const config::Schema<RegimeText>& schema();
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
    std::vector<std::pair<std::string, BoardText>> boards;
    std::vector<std::pair<std::string, VariantText>> variants;
    std::optional<config::Located> baseline;
    config::LocatedList references;
    AloneOn alone = AloneOn::baseline;
    config::LocatedList metrics;
    std::vector<RegimeText> regime;
    std::vector<ClaimText> claims;
    std::optional<InputsText> inputs;
    static const config::Schema<StudyText>& schema();
};

}  // namespace heddle::study
