// Variables, their initial values, and constant expressions.

#include <array>
#include <cstring>

#include "ptx/parser.h"

namespace heddle::ptx {

using namespace ast;

namespace {

constexpr u64 kMaxVariableBytes = u64{1} << 36;
constexpr u64 kMaxInitialised = u64{1} << 30;

}  // namespace

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

}  // namespace heddle::ptx
