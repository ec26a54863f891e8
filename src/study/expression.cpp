#include "study/expression.h"

#include <algorithm>
#include <charconv>
#include <fmt/format.h>

#include "config/manual.h"
#include "sim/error.h"
#include "sim/text.h"
#include "study/expression_term.h"

namespace heddle::study {
namespace {

/// Of a measure; a longer one was not written by a person.
constexpr std::size_t kMostCharacters = 4'000;
/// Of it in a message.
constexpr std::size_t kShown = 80;

struct Function {
    std::string_view name;
    Op op;
    bool truth;     // its result
    bool of_truth;  // its argument
};
constexpr Function kAggregates[] = {
    {"geomean", Op::geomean, false, false}, {"mean", Op::mean, false, false},
    {"min", Op::min, false, false},         {"max", Op::max, false, false},
    {"sum", Op::sum, false, false},         {"count", Op::count, false, true},
    {"share", Op::share, false, true},      {"all", Op::all, true, true},
    {"any", Op::any, true, true},           {"correlation", Op::correlation, false, false},
};

struct Operator {
    std::string_view text;
    Op op;
};
constexpr Operator kComparisons[] = {{"<=", Op::less_equal},
                                     {">=", Op::greater_equal},
                                     {"==", Op::equal},
                                     {"<", Op::less},
                                     {">", Op::greater}};

bool is_word(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.';
}

using Term = Expression::Term;

class Parser {
  public:
    Parser(std::string_view text, const ExpressionNames& names) : text_(text), names_(names) {}

    Term parse() {
        if (text_.size() > kMostCharacters)
            throw InputError(
                fmt::format("the measure has {} characters; the limit is {}", text_.size(), kMostCharacters));
        Term root = either();
        skip();
        if (at_ != text_.size()) fail(fmt::format("'{}' was not expected here", rest()));
        check(root, false);
        return root;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("'{}': {}", shortened(text_, kShown), what));
    }
    /// What has been read since `start`.
    std::string source(std::size_t start) const {
        return shortened(text_.substr(start, at_ - start), kShown);
    }
    std::string rest() const { return std::string(text_.substr(at_, 20)); }
    void skip() {
        while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\n' || text_[at_] == '\t')) ++at_;
    }
    bool symbol(std::string_view s) {
        skip();
        if (!text_.substr(at_).starts_with(s)) return false;
        at_ += s.size();
        return true;
    }
    bool keyword(std::string_view s) {
        skip();
        if (!text_.substr(at_).starts_with(s)) return false;
        if (at_ + s.size() < text_.size() && is_word(text_[at_ + s.size()])) return false;
        at_ += s.size();
        return true;
    }
    void need(std::string_view s) {
        if (!symbol(s))
            fail(at_ == text_.size() ? fmt::format("'{}' is missing at the end", s)
                                     : fmt::format("expected '{}' before '{}'", s, rest()));
    }
    void want_truth(const Term& term, bool truth) const {
        if (term.truth != truth)
            fail(truth ? "expected a comparison, not a number" : "expected a number, not a comparison");
    }
    Term make(Op op, bool truth, bool of_truth, std::vector<Term> children) const {
        for (const Term& c : children) want_truth(c, of_truth);
        Term term;
        term.op = op;
        term.truth = truth;
        term.children = std::move(children);
        return term;
    }
    Term join(Op op, bool truth, bool of_truth, Term a, Term b) const {
        std::vector<Term> both;
        both.push_back(std::move(a));
        both.push_back(std::move(b));
        return make(op, truth, of_truth, std::move(both));
    }

    Term either() {
        Term term = both();
        while (keyword("or")) term = join(Op::either, true, true, std::move(term), both());
        return term;
    }
    Term both() {
        Term term = comparison();
        while (keyword("and")) term = join(Op::both, true, true, std::move(term), comparison());
        return term;
    }
    Term comparison() {
        Term term = sum();
        for (const Operator& o : kComparisons)
            if (symbol(o.text)) return join(o.op, true, false, std::move(term), sum());
        return term;
    }
    Term sum() {
        Term term = product();
        for (;;) {
            if (symbol("+"))
                term = join(Op::add, false, false, std::move(term), product());
            else if (symbol("-"))
                term = join(Op::subtract, false, false, std::move(term), product());
            else
                return term;
        }
    }
    Term product() {
        Term term = prefix();
        for (;;) {
            if (symbol("*")) {
                term = join(Op::multiply, false, false, std::move(term), prefix());
            } else if (symbol("/")) {
                skip();
                const std::size_t start = at_;
                term = join(Op::divide, false, false, std::move(term), prefix());
                term.text = source(start);
            } else {
                return term;
            }
        }
    }
    Term prefix() {
        if (++depth_ > 100) fail("brackets or signs are nested too deeply");
        Term term;
        if (symbol("-")) {
            std::vector<Term> one;
            one.push_back(prefix());
            term = make(Op::negate, false, false, std::move(one));
        } else if (keyword("not")) {
            std::vector<Term> one;
            one.push_back(prefix());
            term = make(Op::invert, true, true, std::move(one));
        } else {
            term = primary();
        }
        --depth_;
        return term;
    }
    Term primary() {
        skip();
        if (symbol("(")) {
            Term term = either();
            need(")");
            return term;
        }
        if (at_ == text_.size()) fail("the expression is incomplete");
        const char c = text_[at_];
        if (c >= '0' && c <= '9') return number();
        if (!is_word(c) || c == '.') fail(fmt::format("'{}' was not expected here", rest()));
        const std::size_t start = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        const std::string word(text_.substr(start, at_ - start));
        if (at_ < text_.size() && text_[at_] == '@') return figure(word);
        if (symbol("(")) return call(word);
        fail(fmt::format("'{0}' alone is incomplete; a figure is {0}@VARIANT", word));
    }
    Term number() {
        Term term;
        const auto [end, error] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), term.number);
        if (error == std::errc::result_out_of_range)
            fail(fmt::format("'{}' is too large or too small", rest()));
        if (error != std::errc()) fail(fmt::format("'{}' is not a number", rest()));
        at_ = static_cast<std::size_t>(end - text_.data());
        if (symbol("%")) term.number /= 100;
        return term;
    }
    Term figure(const std::string& metric) {
        ++at_;  // the @
        Term term;
        term.op = Op::figure;
        term.metric = names_.metric(metric);
        std::string name;
        if (symbol("\"")) {
            const std::size_t end = text_.find('"', at_);
            if (end == std::string_view::npos) fail("a quoted name is not closed");
            name = text_.substr(at_, end - at_);
            at_ = end + 1;
        } else {
            while (at_ < text_.size() &&
                   (is_word(text_[at_]) || text_[at_] == '-' || text_[at_] == '=' || text_[at_] == '+'))
                name += text_[at_++];
        }
        term.variant = names_.variant(name);
        term.text = fmt::format("{}@{}", metric, name);
        if (at_ < text_.size() && text_[at_] == '[') {
            const std::size_t end = text_.find(']', at_);
            if (end == std::string_view::npos) fail("']' is missing");
            term.workload = names_.workload(std::string(text_.substr(at_ + 1, end - at_ - 1)));
            at_ = end + 1;
        }
        return term;
    }
    Term call(const std::string& name) {
        const auto* aggregate = std::find_if(std::begin(kAggregates), std::end(kAggregates),
                                             [&](const Function& f) { return f.name == name; });
        if (aggregate == std::end(kAggregates) && name != "abs") {
            std::vector<std::string_view> known{"abs"};
            for (const Function& f : kAggregates) known.push_back(f.name);
            fail(fmt::format("there is no function '{}'{}", name, config::suggestion(name, known)));
        }
        std::vector<Term> arguments;
        std::vector<std::string> texts;
        do {
            skip();
            const std::size_t start = at_;
            arguments.push_back(either());
            texts.push_back(source(start));
        } while (symbol(","));
        std::vector<std::size_t> set;
        bool over = false;
        if (keyword("over")) {
            over = true;
            skip();
            const std::size_t start = at_;
            while (at_ < text_.size() && text_[at_] != ')' && text_[at_] != ' ') ++at_;
            set = names_.set(std::string(text_.substr(start, at_ - start)));
        } else {
            for (std::size_t w = 0; w < names_.workloads; ++w) set.push_back(w);
        }
        need(")");
        if (name == "abs") {
            if (arguments.size() != 1) fail("abs takes one argument");
            return make(Op::absolute, false, false, std::move(arguments));
        }
        if ((name == "max" || name == "min") && arguments.size() > 1) {
            if (over)
                fail(fmt::format(
                    "{} of several arguments is for one workload; 'over' belongs to an aggregate", name));
            return make(name == "max" ? Op::largest : Op::smallest, false, false, std::move(arguments));
        }
        const std::size_t wanted = aggregate->op == Op::correlation ? 2 : 1;
        if (arguments.size() != wanted)
            fail(fmt::format("{} takes {} argument{}", name, wanted, wanted == 1 ? "" : "s"));
        if (set.empty()) fail(fmt::format("{} covers no workload", name));
        Term term = make(aggregate->op, aggregate->truth, aggregate->of_truth, std::move(arguments));
        term.set = std::move(set);
        term.text = name;
        term.arguments = std::move(texts);
        return term;
    }
    /// Figures need a workload, their own or an aggregate's; aggregates cannot be nested.
    void check(const Term& term, bool inside) const {
        const bool aggregate = term.op >= Op::geomean;
        if (aggregate && inside) fail(fmt::format("{} is inside another aggregate", term.text));
        if (term.op == Op::figure && term.workload == kNoWorkload && !inside)
            fail(
                fmt::format("{0} has a value for each workload; put it into an aggregate such as mean({0}), "
                            "or name a workload: {0}[WORKLOAD]",
                            term.text));
        for (const Term& c : term.children) check(c, inside || aggregate);
    }

    std::string_view text_;
    const ExpressionNames& names_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

void add_workloads(const Expression::Term& term, std::set<std::size_t>& out) {
    if (term.workload != kNoWorkload) out.insert(term.workload);
    out.insert(term.set.begin(), term.set.end());
    for (const Expression::Term& child : term.children) add_workloads(child, out);
}

}  // namespace

Expression::Expression(std::string_view text, const ExpressionNames& names)
    : root_(std::make_unique<Term>(Parser(text, names).parse())) {}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

bool Expression::is_truth() const {
    return root_->truth;
}

std::set<std::size_t> Expression::workloads() const {
    std::set<std::size_t> out;
    add_workloads(*root_, out);
    return out;
}

}  // namespace heddle::study
