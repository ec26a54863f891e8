#include "study/study_schema.h"

namespace heddle::study {

using config::Schema;

const Schema<WorkloadText>& WorkloadText::schema() {
    using S = WorkloadText;
    static const auto s =
        Schema<S>("workload", "what runs: one application, or several joined by '+'")
            .key("name", &S::name, {.about = "what tables and expressions call it; not given: its run"})
            .key("run", &S::run, {.about = "as heddle run takes it: a workload, pattern, file or program"})
            .key("sms", &S::sms,
                 {.one_or_list = true,
                  .about = "SMs of each of several applications, or search for the largest weighted "
                           "speed-up; not given: the study's sms"});
    return s;
}

const Schema<SetText>& SetText::schema() {
    using S = SetText;
    static const auto s =
        Schema<S>("set", "a named part of the workloads, for expressions")
            .key("workloads", &S::workloads, {.one_or_list = true, .about = "names of workloads"});
    return s;
}

const Schema<VariantText>& VariantText::schema() {
    using S = VariantText;
    static const auto s =
        Schema<S>("variant", "a machine with settings: one of those that are compared")
            .key("machine", &S::machine, {.about = "a machine or its file; not given: the study's machine"})
            .key("set", &S::set,
                 {.def = "[]", .settings = true, .about = "settings beside those of every variant"});
    return s;
}

const Schema<ClaimText>& ClaimText::schema() {
    using S = ClaimText;
    static const auto s =
        Schema<S>("claim", "what a paper says, and how it is measured here")
            .key("id", &S::id, {.about = "its name in the scoreboard; each has its own"})
            .key("kind", &S::kind, {.about = "of which kind it is, as the paper's readers sort them"})
            .key("statement", &S::statement, {.about = "in words"})
            .key("measure", &S::measure,
                 {.one_or_list = true, .about = "expressions of metrics, variants and workloads"})
            .key(
                "paper", &S::paper,
                {.one_or_list = true, .about = "what the paper says of each: a number, a comparison or true"})
            .key("band", &S::band,
                 {.one_or_list = true, .about = "how far a number may be off: a share, or [LOW, HIGH]"})
            .key("note", &S::note, {.about = "what was found out about it"});
    return s;
}

const Schema<StudyText>& StudyText::schema() {
    using S = StudyText;
    static const auto s =
        Schema<S>("study",
                  "An experiment: workloads on variants of machines, and a paper's claims about them")
            .key("about", &S::about, {.about = "one line for lists"})
            .key("source", &S::source, {.about = "where the claims are from"})
            .key("machine", &S::machine,
                 {.def = "gtx480", .about = "of every variant that names no other: a machine or its file"})
            .key("set", &S::set, {.def = "[]", .settings = true, .about = "settings of every variant"})
            .key("sms", &S::sms,
                 {.one_or_list = true,
                  .about = "SMs of each application of workloads with several, or search for the largest "
                           "weighted speed-up; not given: equal parts"})
            .key("options", &S::options,
                 {.def = "[]", .one_or_list = true, .about = "further options of heddle run"})
            .key("seeds", &S::seeds,
                 {.one_or_list = true, .about = "every run is made with each: 1-10, or [1, 5, 8-9]"})
            .list("workloads", &S::workloads, WorkloadText::schema(), {.shorthand = "run"})
            .map("sets", &S::sets, SetText::schema(), {.shorthand = "workloads", .any_name = true})
            .map("variants", &S::variants, VariantText::schema(), {.shorthand = "set", .any_name = true})
            .key("baseline", &S::baseline,
                 {.about = "the variant that the others are compared with; not given: the first"})
            .one_of("alone", &S::alone,
                    {{"baseline", AloneOn::baseline, "the baseline's: one measure for all variants"},
                     {"variant", AloneOn::variant, "each variant's own"}},
                    {.def = "baseline", .about = "the machine on which IPC alone is measured"})
            .key("metrics", &S::metrics,
                 {.def = "[performance]", .one_or_list = true, .about = "what is shown"})
            .list("claims", &S::claims, ClaimText::schema());
    return s;
}

}  // namespace heddle::study
