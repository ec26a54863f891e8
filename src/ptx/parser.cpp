#include "ptx/parser.h"

#include <array>
#include <cstring>

namespace heddle::ptx {

using namespace ast;

namespace {

constexpr u64 kMaxVariableBytes = u64{1} << 36;
constexpr u64 kMaxInitialised = u64{1} << 30;

}  // namespace

Parser::Parser(Unit& unit) : unit_(unit), lex_(unit.text, unit.name) {}

void Parser::parse() {
    if (!lex_.peek().is_dot("version")) lex_.fail("PTX starts with '.version', not " + describe(lex_.peek()));
    while (lex_.peek().kind != Tok::end) module_directive();
    check_names();
}

void Parser::check_names() {
    for (const auto& f : unit_.functions)
        if (f.is_entry && !f.has_body) lex_.fail(f.line, "kernel '" + std::string(f.name) + "' has no body");
}

u32 Parser::name_id(std::string_view name) {
    const auto [at, added] = unit_.name_ids.emplace(name, static_cast<u32>(unit_.names.size()));
    if (added) unit_.names.push_back(name);
    return at->second;
}

void Parser::expect(char c, const char* where) {
    if (!lex_.peek().is(c))
        lex_.fail(std::string("'") + c + "' expected " + where + ", not " + describe(lex_.peek()));
    lex_.take();
}

bool Parser::accept(char c) {
    if (!lex_.peek().is(c)) return false;
    lex_.take();
    return true;
}

Token Parser::ident(const char* what) {
    if (lex_.peek().kind != Tok::ident)
        lex_.fail(std::string(what) + " expected, not " + describe(lex_.peek()));
    return lex_.take();
}

Type Parser::type_token() {
    const Token t = lex_.peek();
    if (t.kind == Tok::dot)
        if (const auto type = type_by_name(t.text)) {
            lex_.take();
            return *type;
        }
    lex_.fail("type expected, not " + describe(t));
}

void Parser::module_directive() {
    Linkage linkage;
    for (;;) {
        const Token t = lex_.peek();
        if (t.is(';')) {
            lex_.take();
            return;
        }
        if (t.kind != Tok::dot) lex_.fail("directive expected, not " + describe(t));
        lex_.take();
        if (t.text == "extern") {
            linkage.is_extern = true;
        } else if (t.text == "visible") {
            linkage.visible = true;
        } else if (t.text == "weak" || t.text == "common") {
            linkage.weak = true;
        } else if (t.text == "version") {
            return version();
        } else if (t.text == "target") {
            return target();
        } else if (t.text == "address_size") {
            unit_.address_size = static_cast<u32>(constant());
            if (unit_.address_size != 64 && unit_.address_size != 32)
                lex_.fail(t.line, ".address_size is 32 or 64");
            return;
        } else if (t.text == "entry") {
            return function(true, linkage);
        } else if (t.text == "func") {
            return function(false, linkage);
        } else if (t.text == "global" || t.text == "const" || t.text == "shared" || t.text == "tex") {
            std::vector<Variable> list;
            variables(t.text == "const"    ? Space::constant
                      : t.text == "shared" ? Space::shared
                                           : Space::global,
                      linkage, list);
            for (auto& v : list) declare_module_variable(std::move(v));
            return;
        } else if (t.text == "file") {
            return file();
        } else if (t.text == "loc") {
            return location(t.line);
        } else if (t.text == "section") {
            while (!lex_.peek().is('{')) {
                if (lex_.peek().kind == Tok::end) lex_.fail(t.line, "'{' expected after .section");
                lex_.take();
            }
            lex_.take();
            lex_.skip_braces();
            return;
        } else if (t.text == "pragma") {
            while (lex_.peek().kind == Tok::string || lex_.peek().is(',')) lex_.take();
            return expect(';', "after .pragma");
        } else if (t.text == "alias") {
            return alias();
        } else {
            lex_.fail(t.line, "unknown directive '." + std::string(t.text) + "'");
        }
    }
}

void Parser::version() {
    // "9.0" reads as a floating constant; the text is what counts.
    const Token t = lex_.take();
    if (t.kind != Tok::f64_bits && t.kind != Tok::integer)
        lex_.fail(t.line, ".version needs a number such as 8.0");
    unit_.version = t.text;
}

void Parser::target() {
    unit_.target = ident("target name").text;
    while (accept(',')) ident("target option");
}

void Parser::alias() {
    const Token from = ident("alias");
    expect(',', "in .alias");
    const Token to = ident("name");
    expect(';', "after .alias");
    unit_.aliases[name_id(from.text)] = name_id(to.text);
}

void Parser::declare_module_variable(Variable&& v) {
    const u32 id = name_id(v.name);
    const auto at = unit_.variable_ids.find(id);
    if (at == unit_.variable_ids.end()) {
        unit_.variable_ids.emplace(id, static_cast<u32>(unit_.variables.size()));
        unit_.variables.push_back(std::move(v));
        return;
    }
    Variable& old = unit_.variables[at->second];
    if (!old.is_extern && !v.is_extern)
        lex_.fail(v.line,
                  "'" + std::string(v.name) + "' is already defined at line " + std::to_string(old.line));
    if (old.is_extern) old = std::move(v);
}

void Parser::variables(Space space, const Linkage& linkage, std::vector<Variable>& out) {
    Variable common;
    common.space = space;
    common.is_extern = linkage.is_extern;
    common.is_weak = linkage.weak;
    common.is_static = !linkage.visible && !linkage.weak && !linkage.is_extern;
    u32 vec = 1, align = 0;
    for (;;) {
        const Token t = lex_.peek();
        if (t.is_dot("align")) {
            lex_.take();
            const i64 a = constant();
            if (a < 1 || a > 4096 || (a & (a - 1)) != 0)
                lex_.fail(t.line, ".align needs a power of two up to 4096");
            align = static_cast<u32>(a);
        } else if (t.is_dot("attribute")) {
            lex_.take();
            expect('(', "after .attribute");
            for (int depth = 1; depth > 0;) {
                const Token a = lex_.take();
                if (a.kind == Tok::end) lex_.fail(t.line, "')' expected after .attribute");
                if (a.is_dot("managed")) common.managed = true;
                depth += a.is('(') ? 1 : a.is(')') ? -1 : 0;
            }
        } else if (t.is_dot("v2") || t.is_dot("v4")) {
            lex_.take();
            vec = t.text == "v2" ? 2 : 4;
        } else if (t.is_dot("ptr") || t.is_dot("global") || t.is_dot("shared") || t.is_dot("local") ||
                   t.is_dot("const")) {
            lex_.take();  // .ptr's claims about a parameter's pointee
        } else {
            break;
        }
    }
    common.type = type_token();
    const bool is_parameter_list = space == Space::param && &out != &f_->variables;
    do {
        while (lex_.peek().is_dot("ptr") || lex_.peek().is_dot("global") || lex_.peek().is_dot("shared") ||
               lex_.peek().is_dot("local") || lex_.peek().is_dot("const") || lex_.peek().is_dot("align")) {
            if (lex_.take().text == "align") constant();  // .ptr .align: of the pointee
        }
        Variable v = common;
        const Token name = ident("variable name");
        v.name = name.text;
        v.line = name.line;
        u64 elements = 1;
        std::vector<u64> shape;
        while (accept('[')) {
            u64 n = 0;
            if (!lex_.peek().is(']')) {
                const i64 given = constant();
                if (given < 0) lex_.fail("array size is negative");
                n = static_cast<u64>(given);
                if (n == 0) n = shape.empty() ? 0 : 1;
            }
            expect(']', "after the array size");
            shape.push_back(n);
            if (n != 0 && elements > kMaxVariableBytes / n) lex_.fail(name.line, "variable is too large");
            elements *= n;
        }
        const u64 element = u64{type_bytes(v.type)} * vec;
        if (element == 0)
            lex_.fail(name.line, "a variable can't have type ." + std::string(type_name(v.type)));
        v.align = align != 0 ? align : static_cast<u32>(element);
        v.bytes = elements * element;
        if (v.bytes > kMaxVariableBytes) lex_.fail(name.line, "variable is too large");
        if (lex_.peek().is('=')) {
            lex_.take();
            if (!shape.empty() && shape[0] == 0)
                lex_.fail(name.line, "an unsized array can't have initial values");
            if (v.bytes > kMaxInitialised) lex_.fail(name.line, "initialized variable is too large");
            v.initialised = true;
            if (vec > 1) shape.push_back(vec);
            if (v.type == Type::texref || v.type == Type::samplerref || v.type == Type::surfref) {
                expect('{', "before the initial values");
                lex_.skip_braces();
            } else {
                v.data.resize(v.bytes);
                initial_values(v, shape, 0, 0);
            }
        }
        out.push_back(std::move(v));
        if (is_parameter_list) return;
    } while (accept(','));
    expect(';', "after the variable");
}

void Parser::initial_values(Variable& v, std::vector<u64>& shape, u64 at, std::size_t level) {
    const Nesting nesting(*this);
    if (level == shape.size()) {
        const bool braced = accept('{');
        initial_value(v, at);
        if (braced) expect('}', "after the initial value");
        return;
    }
    u64 step = type_bytes(v.type);
    for (std::size_t k = level + 1; k < shape.size(); ++k) step *= shape[k];
    expect('{', "before the initial values");
    u64 k = 0;
    while (!lex_.peek().is('}')) {
        if (k == shape[level]) lex_.fail("more initial values than elements");
        if (lex_.peek().is('{') || level + 1 == shape.size()) {
            initial_values(v, shape, at + k * step, level + 1);
        } else {
            lex_.fail("'{' expected before an inner array's values, not " + describe(lex_.peek()));
        }
        ++k;
        if (!accept(',')) break;
    }
    expect('}', "after the initial values");
}

void Parser::initial_value(Variable& v, u64 at) {
    const u32 size = type_bytes(v.type);
    bool minus = false;
    u64 bits = 0;
    const Token t = lex_.peek();
    Relocation r;
    if (symbol_value(r)) {
        r.at = at;
        r.bytes = static_cast<u8>(size);
        v.relocations.push_back(r);
        return;
    }
    if (is_float(v.type)) {
        while (lex_.peek().is('-') || lex_.peek().is('+')) minus ^= lex_.take().is('-');
        const Token number = lex_.take();
        double d = 0;
        float f = 0;
        if (number.kind == Tok::f64_bits)
            std::memcpy(&d, &number.value, 8);
        else if (number.kind == Tok::f32_bits)
            std::memcpy(&f, &number.value, 4);
        else if (number.kind == Tok::integer)
            d = static_cast<double>(number.value);
        else
            lex_.fail(number.line, "floating constant expected, not " + describe(number));
        if (number.kind == Tok::f32_bits) d = static_cast<double>(f);
        if (number.kind != Tok::f32_bits) f = static_cast<float>(d);
        if (minus) d = -d, f = -f;
        if (v.type == Type::f64)
            std::memcpy(&bits, &d, 8);
        else if (v.type == Type::f32)
            std::memcpy(&bits, &f, 4);
        else
            lex_.fail(t.line,
                      "initial values of type ." + std::string(type_name(v.type)) + " are not supported");
    } else {
        bits = static_cast<u64>(constant());
        if (accept('(')) {
            // 0xff00(name): the byte of the address that the mask covers (PTX ISA, "Initializers", mask
            // operator).
            if (!symbol_value(r)) lex_.fail("name expected after the mask, not " + describe(lex_.peek()));
            expect(')', "after mask(name");
            for (; bits != 0 && (bits & 0xff) == 0; bits >>= 8) r.shift = static_cast<u8>(r.shift + 8);
            r.at = at;
            r.bytes = static_cast<u8>(size);
            v.relocations.push_back(r);
            return;
        }
    }
    std::memcpy(v.data.data() + at, &bits, size < 8 ? size : 8);
}

bool Parser::symbol_value(Relocation& r) {
    const Token t = lex_.peek();
    if (t.kind != Tok::ident) return false;
    lex_.take();
    if (t.text == "generic" && accept('(')) {
        if (!symbol_value(r)) lex_.fail("name expected in generic(), not " + describe(lex_.peek()));
        r.generic = true;
        expect(')', "after generic(name");
    } else {
        r.name = name_id(t.text);
    }
    if (lex_.peek().is('+') || lex_.peek().is('-')) r.addend += constant();
    return true;
}

i64 Parser::constant() {
    const Nesting nesting(*this);
    const Token t = lex_.peek();
    if (t.is('-')) return lex_.take(), static_cast<i64>(-static_cast<u64>(constant()));
    if (t.is('+')) return lex_.take(), constant();
    if (t.is('~')) return lex_.take(), ~constant();
    if (t.is('!')) return lex_.take(), i64{constant() == 0};
    if (t.is('(')) {
        lex_.take();
        const i64 v = constant_expression(0);
        expect(')', "in a constant expression");
        return v;
    }
    if (t.kind != Tok::integer) lex_.fail("integer constant expected, not " + describe(t));
    return static_cast<i64>(lex_.take().value);
}

/// Binary operators, allowed inside parentheses only: '>' also closes a register count.
i64 Parser::constant_expression(int level) {
    static constexpr std::array<std::string_view, 6> kLevels{"|", "^", "&", "<>", "+-", "*/%"};
    if (level == static_cast<int>(kLevels.size())) return constant();
    i64 left = constant_expression(level + 1);
    while (lex_.peek().kind == Tok::punct &&
           kLevels[static_cast<std::size_t>(level)].find(lex_.peek().punct) != std::string_view::npos) {
        const Token op = lex_.take();
        if (op.punct == '<' || op.punct == '>') expect(op.punct, "in a shift");
        const i64 right = constant_expression(level + 1);
        const u64 a = static_cast<u64>(left), b = static_cast<u64>(right);
        u64 v = 0;
        switch (op.punct) {
            case '|':
                v = a | b;
                break;
            case '^':
                v = a ^ b;
                break;
            case '&':
                v = a & b;
                break;
            case '<':
                v = b > 63 ? 0 : a << b;
                break;
            case '>':
                v = b > 63 ? 0 : a >> b;
                break;
            case '+':
                v = a + b;
                break;
            case '-':
                v = a - b;
                break;
            case '*':
                v = a * b;
                break;
            default:
                if (right == 0 || (right == -1 && a == u64{1} << 63))
                    lex_.fail(op.line, "division overflows");
                v = static_cast<u64>(op.punct == '/' ? left / right : left % right);
        }
        left = static_cast<i64>(v);
    }
    return left;
}

std::vector<Variable> Parser::parameter_list(Function& f, std::vector<u32>& registers) {
    std::vector<Variable> list;
    expect('(', "before the parameters");
    while (!lex_.peek().is(')')) {
        const Token space = lex_.take();
        if (space.is_dot("reg")) {
            while (lex_.peek().is_dot("align")) lex_.take(), constant();
            Variable v;
            v.space = Space::reg;
            v.type = type_token();
            const Token name = lex_.peek();
            if (name.kind == Tok::ident) {
                lex_.take();
                v.name = name.text;
                v.line = name.line;
            }
            v.bytes = v.align = type_bytes(v.type);
            registers.push_back(static_cast<u32>(f.registers.size()));
            f.registers.push_back({v.name, v.type});
            list.push_back(std::move(v));
        } else if (space.is_dot("param")) {
            variables(Space::param, {}, list);
            registers.push_back(kNone);
        } else {
            lex_.fail(space.line, "'.param' or '.reg' expected in a parameter list, not " + describe(space));
        }
        if (!accept(',')) break;
    }
    expect(')', "after the parameters");
    return list;
}

void Parser::performance_directives(Function& f) {
    static constexpr std::array<std::string_view, 4> kThreads{"maxntid", "reqntid", "reqnctapercluster",
                                                              "maxclusterrank"};
    for (;;) {
        const Token t = lex_.peek();
        if (t.kind != Tok::dot) return;
        const bool threads = t.text == kThreads[0] || t.text == kThreads[1];
        if (threads || t.text == "minnctapersm" || t.text == "maxnctapersm" || t.text == "maxnreg" ||
            t.text == kThreads[2] || t.text == kThreads[3]) {
            lex_.take();
            u64 product = 1;
            do {
                const i64 n = constant();
                if (n < 1 || n > 65536) lex_.fail(t.line, "." + std::string(t.text) + ": bad number");
                product *= static_cast<u64>(n);
                if (product > (u64{1} << 31)) lex_.fail(t.line, "." + std::string(t.text) + ": bad number");
            } while (accept(','));
            if (threads) f.max_threads = static_cast<u32>(product);
            if (t.text == "minnctapersm") f.min_ctas = static_cast<u32>(product);
            if (t.text == "maxnreg") f.max_registers = static_cast<u32>(product);
        } else if (t.text == "noreturn" || t.text == "explicitcluster" || t.text == "unique") {
            lex_.take();
        } else if (t.text == "pragma") {
            lex_.take();
            while (lex_.peek().kind == Tok::string || lex_.peek().is(',')) lex_.take();
            expect(';', "after .pragma");
        } else if (t.text == "abi_preserve" || t.text == "abi_preserve_control") {
            lex_.take();
            constant();
        } else {
            return;
        }
    }
}

void Parser::function(bool is_entry, const Linkage& linkage) {
    unit_.locations.push_back({lex_.peek().line, 0, 0});  // what was said of the function before ends here
    Function f;
    f.is_entry = is_entry;
    f.is_weak = linkage.weak;
    f.is_static = !linkage.visible && !linkage.weak && !linkage.is_extern;
    f_ = &f;
    if (lex_.peek().is_dot("attribute")) {
        lex_.take();
        expect('(', "after .attribute");
        while (!lex_.peek().is(')')) {
            if (lex_.peek().kind == Tok::end) lex_.fail("')' expected after .attribute");
            lex_.take();
        }
        lex_.take();
    }
    if (!is_entry && lex_.peek().is('(')) f.returns = parameter_list(f, f.return_registers);
    const Token name = ident("function name");
    f.name = name.text;
    f.line = name.line;
    if (lex_.peek().is('(')) f.params = parameter_list(f, f.param_registers);
    performance_directives(f);
    if (!accept(';')) {
        if (linkage.is_extern) lex_.fail("an .extern function has no body");
        expect('{', "before the function's body");
        body(f);
    }
    const u32 id = name_id(f.name);
    const auto at = unit_.function_ids.find(id);
    if (at == unit_.function_ids.end()) {
        unit_.function_ids.emplace(id, static_cast<u32>(unit_.functions.size()));
        unit_.functions.push_back(std::move(f));
    } else {
        Function& old = unit_.functions[at->second];
        if (old.has_body && f.has_body)
            lex_.fail(f.line, "function '" + std::string(f.name) + "' is already defined at line " +
                                  std::to_string(old.line));
        if (old.params.size() != f.params.size() || old.returns.size() != f.returns.size())
            lex_.fail(f.line, "function '" + std::string(f.name) +
                                  "' was declared with other parameters at line " + std::to_string(old.line));
        if (f.has_body) old = std::move(f);
    }
    f_ = nullptr;
}

}  // namespace heddle::ptx
