#include "study/study_schema.h"

namespace heddle::study {

using config::Schema;

const Schema<WorkloadText>& WorkloadText::schema() {
    using S = WorkloadText;
    static const auto s =
        Schema<S>("workload", "what runs: one application, or several joined by '+'")
            .key("name", &S::name, {.about = "what tables and expressions call it; not given: its run"})
            .key("run", &S::run, {.about = "as heddle run takes it: a workload, pattern, file or program"})
            .key("small", &S::small,
                 {.about = "what runs in its place in the study's small form, with as many applications; not "
                           "given: shipped workloads with --size small in place of their options, all else "
                           "as it is"})
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
                 {.def = "[]", .settings = true, .about = "settings in addition to the study's `set`"});
    return s;
}

const Schema<BoardText>& BoardText::schema() {
    using S = BoardText;
    static const auto s =
        Schema<S>("board", "a machine on which the whole study runs, beside those of the other boards")
            .key("machine", &S::machine, {.about = "a machine or its file"})
            .key("set", &S::set,
                 {.def = "[]", .settings = true, .about = "settings of this board, before all others"});
    return s;
}

const Schema<HashText>& HashText::schema() {
    using S = HashText;
    static const auto s = Schema<S>("hash", "the stream that a workload must have")
                              .key("sha256", &S::sha256, {.about = "of its stream, 64 hexadecimal digits"});
    return s;
}

const Schema<InputsText>& InputsText::schema() {
    using S = InputsText;
    static const auto s =
        Schema<S>("inputs",
                  "the streams of the workloads, which must not change; heddle study NAME --freeze "
                  "writes them")
            .map("full", &S::full, HashText::schema(), {.shorthand = "sha256", .any_name = true})
            .map("small", &S::small, HashText::schema(), {.shorthand = "sha256", .any_name = true});
    return s;
}

const Schema<ClassText>& ClassText::schema() {
    using S = ClassText;
    static const auto s =
        Schema<S>("class", "a class of workloads")
            .key("bound", &S::bound, {.about = "which measures belong to it, such as '< 20 %'"});
    return s;
}

const Schema<EachText>& EachText::schema() {
    using S = EachText;
    static const auto s = Schema<S>("each", "what the paper says of one workload")
                              .key("paper", &S::paper, {.about = "a number, a bound, or the name of a class"})
                              .key("note", &S::note, {.about = "why ours is not near, if it is not"});
    return s;
}

const Schema<RegimeText>& RegimeText::schema() {
    using S = RegimeText;
    static const auto s =
        Schema<S>("regime",
                  "what a paper says of its workloads under the baseline; shown before the claims, "
                  "and judged as near or far: a number with % or pp is near within 10 points, any "
                  "other within a factor of 2, classes if 80 % of the workloads have the paper's")
            .key("id", &S::id, {.about = "its name in the scoreboard; each has its own"})
            .key("statement", &S::statement, {.about = "in words"})
            .key("measure", &S::measure,
                 {.one_or_list = true,
                  .about = "expressions of metrics under the baseline; with 'each' one that has a value for "
                           "each workload"})
            .key("paper", &S::paper,
                 {.one_or_list = true,
                  .about = "what the paper says of each expression; not with 'each', which says it of each "
                           "workload"})
            .map("each", &S::each, EachText::schema(), {.shorthand = "paper", .any_name = true})
            .map("classes", &S::classes, ClassText::schema(), {.shorthand = "bound", .any_name = true})
            .key("note", &S::note, {.about = "why it is not near, if it is not"});
    return s;
}

const Schema<ClaimText>& ClaimText::schema() {
    using S = ClaimText;
    static const auto s =
        Schema<S>("claim", "what a paper says, and how it is measured here")
            .key("id", &S::id, {.about = "its name in the scoreboard; each has its own"})
            .key("kind", &S::kind, {.about = "category, any word"})
            .key("statement", &S::statement, {.about = "in words"})
            .key("measure", &S::measure,
                 {.one_or_list = true, .about = "expressions of metrics, variants and workloads"})
            .key(
                "paper", &S::paper,
                {.one_or_list = true, .about = "what the paper says of each: a number, a comparison or true"})
            .key("band", &S::band,
                 {.one_or_list = true, .about = "how far a number may be off: a share, or [LOW, HIGH]"})
            .key("note", &S::note, {.about = "a remark, such as why the claim fails"});
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
                 {.def = "gtx480", .about = "machine of every variant that names none: a name or a file"})
            .key("set", &S::set, {.def = "[]", .settings = true, .about = "settings of every variant"})
            .key("sms", &S::sms,
                 {.one_or_list = true,
                  .about = "SMs of each application of workloads with several, or search for the largest "
                           "weighted speed-up; not given: equal parts"})
            .key("options", &S::options,
                 {.def = "[]", .one_or_list = true, .about = "further options of heddle run"})
            .key("seeds", &S::seeds,
                 {.one_or_list = true,
                  .about = "seeds: every run is repeated with each one (1-10, or [1, 5, 8-9])"})
            .list("workloads", &S::workloads, WorkloadText::schema(), {.shorthand = "run"})
            .map("sets", &S::sets, SetText::schema(), {.shorthand = "workloads", .any_name = true})
            .map("boards", &S::boards, BoardText::schema(), {.shorthand = "machine", .any_name = true})
            .map("variants", &S::variants, VariantText::schema(), {.shorthand = "set", .any_name = true})
            .key("baseline", &S::baseline,
                 {.about = "the variant that the others are compared with; not given: the first"})
            .key("references", &S::references,
                 {.def = "[]",
                  .one_or_list = true,
                  .about = "variants that are no mechanism, which 'regime' may use beside the baseline"})
            .one_of("alone", &S::alone,
                    {{"baseline", AloneOn::baseline, "the baseline's: one measure for all variants"},
                     {"variant", AloneOn::variant, "each variant's own"}},
                    {.def = "baseline", .about = "the machine on which IPC alone is measured"})
            .key("metrics", &S::metrics,
                 {.def = "[performance]", .one_or_list = true, .about = "what is shown"})
            .list("regime", &S::regime, RegimeText::schema())
            .list("claims", &S::claims, ClaimText::schema())
            .section("inputs", &S::inputs, InputsText::schema());
    return s;
}

}  // namespace heddle::study
