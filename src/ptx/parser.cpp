#include "ptx/parser.h"

#include <array>

namespace heddle::ptx {

using namespace ast;

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
