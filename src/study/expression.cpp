#include "study/expression.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fmt/format.h>

#include "config/manual.h"
#include "sim/error.h"
#include "study/metrics.h"

namespace heddle::study {
namespace {

constexpr std::size_t kNoWorkload = ~std::size_t{0};

enum class Op : u8 {
    number,
    figure,
    negate,
    invert,  // leaves and prefixes
    add,
    subtract,
    multiply,
    divide,  // numbers
    less,
    less_equal,
    greater,
    greater_equal,
    equal,  // comparisons
    both,
    either,  // truth
    largest,
    smallest,
    absolute,  // of single values
    geomean,
    mean,
    min,
    max,
    sum,
    count,
    share,
    all,
    any,
    correlation,  // aggregates
};

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

}  // namespace

struct Expression::Term {
    Op op = Op::number;
    double number = 0;
    std::size_t metric = 0, variant = 0, workload = kNoWorkload;
    std::vector<std::size_t> set;  // of an aggregate
    std::vector<Term> children;
    bool truth = false;
    std::string text;  // of a figure or an aggregate, for messages
};

namespace {

using Term = Expression::Term;

class Parser {
  public:
    Parser(std::string_view text, const ExpressionNames& names) : text_(text), names_(names) {}

    Term parse() {
        Term root = either();
        skip();
        if (at_ != text_.size()) fail(fmt::format("'{}' was not expected here", rest()));
        check(root, false);
        return root;
    }

  private:
    [[noreturn]] void fail(const std::string& what) const {
        throw InputError(fmt::format("'{}': {}", text_, what));
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
                                     : fmt::format("wanted '{}' before '{}'", s, rest()));
    }
    void want_truth(const Term& term, bool truth) const {
        if (term.truth != truth)
            fail(truth ? "a comparison is wanted where there is a number"
                       : "a number is wanted where there is a comparison");
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
            if (symbol("*"))
                term = join(Op::multiply, false, false, std::move(term), prefix());
            else if (symbol("/"))
                term = join(Op::divide, false, false, std::move(term), prefix());
            else
                return term;
        }
    }
    Term prefix() {
        if (++depth_ > 100) fail("too many brackets or signs inside each other");
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
        if (at_ == text_.size()) fail("something is missing at the end");
        const char c = text_[at_];
        if (c >= '0' && c <= '9') return number();
        if (!is_word(c) || c == '.') fail(fmt::format("'{}' was not expected here", rest()));
        const std::size_t start = at_;
        while (at_ < text_.size() && is_word(text_[at_])) ++at_;
        const std::string word(text_.substr(start, at_ - start));
        if (at_ < text_.size() && text_[at_] == '@') return figure(word);
        if (symbol("(")) return call(word);
        fail(fmt::format("'{0}' alone means nothing; a figure is {0}@VARIANT", word));
    }
    Term number() {
        Term term;
        const auto [end, error] =
            std::from_chars(text_.data() + at_, text_.data() + text_.size(), term.number);
        if (error != std::errc()) fail(fmt::format("'{}' is no number", rest()));
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
            if (end == std::string_view::npos) fail("a quoted name has no end");
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
        do {
            arguments.push_back(either());
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
                fail(fmt::format("{} of several arguments is of one workload; 'over' belongs to an aggregate",
                                 name));
            return make(name == "max" ? Op::largest : Op::smallest, false, false, std::move(arguments));
        }
        const std::size_t wanted = aggregate->op == Op::correlation ? 2 : 1;
        if (arguments.size() != wanted)
            fail(fmt::format("{} takes {} argument{}", name, wanted, wanted == 1 ? "" : "s"));
        if (set.empty()) fail(fmt::format("{} goes over no workload", name));
        Term term = make(aggregate->op, aggregate->truth, aggregate->of_truth, std::move(arguments));
        term.set = std::move(set);
        term.text = name;
        return term;
    }
    /// Figures need a workload, their own or an aggregate's; an aggregate goes through workloads once.
    void check(const Term& term, bool inside) const {
        const bool aggregate = term.op >= Op::geomean;
        if (aggregate && inside) fail(fmt::format("{} stands inside another aggregate", term.text));
        if (term.op == Op::figure && term.workload == kNoWorkload && !inside)
            fail(fmt::format(
                "{0} has a value for each workload: put it into an aggregate such as mean({0}) or name "
                "one: {0}[WORKLOAD]",
                term.text));
        for (const Term& c : term.children) check(c, inside || aggregate);
    }

    std::string_view text_;
    const ExpressionNames& names_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

using Value = std::optional<double>;

Value evaluate(const Term& term, const FigureOf& figures, std::size_t workload);

Value correlation(const std::vector<double>& x, const std::vector<double>& y) {
    const double mx = mean(x), my = mean(y);
    double xy = 0, xx = 0, yy = 0;
    for (std::size_t k = 0; k < x.size(); ++k) {
        xy += (x[k] - mx) * (y[k] - my);
        xx += (x[k] - mx) * (x[k] - mx);
        yy += (y[k] - my) * (y[k] - my);
    }
    if (!(xx > 0) || !(yy > 0)) return std::nullopt;
    return xy / std::sqrt(xx * yy);
}

Value aggregate(const Term& term, const FigureOf& figures) {
    std::vector<std::vector<double>> columns(term.children.size());
    for (const std::size_t w : term.set)
        for (std::size_t c = 0; c < columns.size(); ++c) {
            const Value v = evaluate(term.children[c], figures, w);
            if (!v) return std::nullopt;
            columns[c].push_back(*v);
        }
    const std::vector<double>& v = columns[0];
    double sum = 0;
    for (const double x : v) sum += x;
    switch (term.op) {
        case Op::geomean: {
            const double g = geometric_mean(v);
            return std::isnan(g) ? Value{} : g;
        }
        case Op::mean:
        case Op::share:
            return sum / static_cast<double>(v.size());
        case Op::min:
            return *std::min_element(v.begin(), v.end());
        case Op::max:
            return *std::max_element(v.begin(), v.end());
        case Op::all:
            return sum == static_cast<double>(v.size()) ? 1 : 0;
        case Op::any:
            return sum != 0 ? 1 : 0;
        case Op::correlation:
            return correlation(v, columns[1]);
        default:
            return sum;
    }
}

Value evaluate(const Term& term, const FigureOf& figures, std::size_t workload) {
    if (term.op == Op::number) return term.number;
    if (term.op == Op::figure)
        return figures(term.metric, term.variant, term.workload == kNoWorkload ? workload : term.workload);
    if (term.op >= Op::geomean) return aggregate(term, figures);
    std::vector<double> v;
    for (const Term& c : term.children) {
        const Value one = evaluate(c, figures, workload);
        if (!one) return std::nullopt;
        v.push_back(*one);
    }
    switch (term.op) {
        case Op::negate:
            return -v[0];
        case Op::invert:
            return v[0] == 0 ? 1 : 0;
        case Op::add:
            return v[0] + v[1];
        case Op::subtract:
            return v[0] - v[1];
        case Op::multiply:
            return v[0] * v[1];
        case Op::divide:
            return v[1] == 0 ? Value{} : v[0] / v[1];
        case Op::less:
            return v[0] < v[1];
        case Op::less_equal:
            return v[0] <= v[1];
        case Op::greater:
            return v[0] > v[1];
        case Op::greater_equal:
            return v[0] >= v[1];
        case Op::equal:
            return v[0] == v[1];
        case Op::both:
            return v[0] != 0 && v[1] != 0;
        case Op::either:
            return v[0] != 0 || v[1] != 0;
        case Op::largest:
            return *std::max_element(v.begin(), v.end());
        case Op::smallest:
            return *std::min_element(v.begin(), v.end());
        default:
            return std::abs(v[0]);
    }
}

}  // namespace

Expression::Expression(std::string_view text, const ExpressionNames& names)
    : root_(std::make_unique<Term>(Parser(text, names).parse())) {}
Expression::~Expression() = default;
Expression::Expression(Expression&&) noexcept = default;
Expression& Expression::operator=(Expression&&) noexcept = default;

std::optional<double> Expression::value(const FigureOf& figures) const {
    return evaluate(*root_, figures, kNoWorkload);
}

bool Expression::is_truth() const {
    return root_->truth;
}

}  // namespace heddle::study
