// The inside of a function: registers, variables, labels, instructions.

#include <algorithm>
#include <array>

#include "ptx/parser.h"

namespace heddle::ptx {

using namespace ast;

namespace {

struct SpecialRow {
    std::string_view name;
    Special first;
    u32 components;  // 1: no .x/.y/.z
};

constexpr std::array kSpecials{
    SpecialRow{"%tid", Special::tid_x, 3},
    SpecialRow{"%ntid", Special::ntid_x, 3},
    SpecialRow{"%ctaid", Special::ctaid_x, 3},
    SpecialRow{"%nctaid", Special::nctaid_x, 3},
    SpecialRow{"%laneid", Special::laneid, 1},
    SpecialRow{"%warpid", Special::warpid, 1},
    SpecialRow{"%nwarpid", Special::nwarpid, 1},
    SpecialRow{"%smid", Special::smid, 1},
    SpecialRow{"%nsmid", Special::nsmid, 1},
    SpecialRow{"%gridid", Special::gridid, 1},
    SpecialRow{"%lanemask_eq", Special::lanemask_eq, 1},
    SpecialRow{"%lanemask_le", Special::lanemask_le, 1},
    SpecialRow{"%lanemask_lt", Special::lanemask_lt, 1},
    SpecialRow{"%lanemask_ge", Special::lanemask_ge, 1},
    SpecialRow{"%lanemask_gt", Special::lanemask_gt, 1},
    SpecialRow{"%clock", Special::clock, 1},
    SpecialRow{"%clock_hi", Special::clock_hi, 1},
    SpecialRow{"%clock64", Special::clock64, 1},
    SpecialRow{"%globaltimer", Special::globaltimer, 1},
    SpecialRow{"%globaltimer_lo", Special::globaltimer_lo, 1},
    SpecialRow{"%globaltimer_hi", Special::globaltimer_hi, 1},
    SpecialRow{"%total_smem_size", Special::total_smem_size, 1},
    SpecialRow{"%aggr_smem_size", Special::aggr_smem_size, 1},
    SpecialRow{"%dynamic_smem_size", Special::dynamic_smem_size, 1},
    SpecialRow{"%reserved_smem_offset_begin", Special::reserved_smem_offset, 1},
    SpecialRow{"%is_explicit_cluster", Special::is_explicit_cluster, 1},
    SpecialRow{"%clusterid", Special::clusterid_x, 3},
    SpecialRow{"%nclusterid", Special::nclusterid_x, 3},
    SpecialRow{"%cluster_ctaid", Special::cluster_ctaid_x, 3},
    SpecialRow{"%cluster_nctaid", Special::cluster_nctaid_x, 3},
    SpecialRow{"%cluster_ctarank", Special::cluster_ctarank, 1},
    SpecialRow{"%cluster_nctarank", Special::cluster_nctarank, 1},
};

constexpr u32 kMaxRegisters = 1u << 20;

std::string quoted(std::string_view name) {
    return "'" + std::string(name) + "'";
}

}  // namespace

void Parser::body(Function& f) {
    f.has_body = true;
    f_ = &f;
    scopes_.assign(1, {});
    uses_.clear();
    for (u32 k = 0; k < f.registers.size(); ++k) scopes_[0].registers.emplace(f.registers[k].name, k);
    // Parameters in .param space are variables of the function's scope, named like locals.
    auto declare = [&](std::vector<Variable>& list, const std::vector<u32>& registers) {
        for (std::size_t k = 0; k < list.size(); ++k) {
            if (registers[k] != kNone) continue;
            f.local_names[name_id(list[k].name)] = static_cast<u32>(f.variables.size());
            f.variables.push_back(list[k]);
        }
    };
    declare(f.returns, f.return_registers);
    declare(f.params, f.param_registers);
    block();
    resolve_names(f);
    scopes_.clear();
}

/// Up to and including the '}' of the innermost open brace.
void Parser::block() {
    const Nesting nesting(*this);
    for (;;) {
        const Token t = lex_.peek();
        if (t.kind == Tok::end) lex_.fail("function " + quoted(f_->name) + " has no closing '}'");
        if (t.is('}')) {
            f_->end_line = t.line;
            lex_.take();
            break;
        }
        if (t.is('{')) {
            lex_.take();
            const u32 outer = scopes_.back().id;
            scopes_.emplace_back();
            scopes_.back().id = static_cast<u32>(f_->scope_parents.size());
            f_->scope_parents.push_back(outer);
            block();
            for (const auto& [name, old] : scopes_.back().shadowed) {
                if (old == kNone)
                    f_->local_names.erase(name);
                else
                    f_->local_names[name] = old;
            }
            scopes_.pop_back();
        } else if (t.is(';')) {
            lex_.take();
        } else if (t.kind == Tok::dot) {
            body_directive();
        } else {
            instruction();
        }
    }
}

void Parser::body_directive() {
    const Token t = lex_.take();
    if (t.text == "reg") return registers();
    if (t.text == "local") return local_variables(Space::local);
    if (t.text == "shared") return local_variables(Space::shared);
    if (t.text == "param") return local_variables(Space::param);
    if (t.text == "global" || t.text == "const") {
        std::vector<Variable> list;
        variables(t.text == "const" ? Space::constant : Space::global, {}, list);
        for (auto& v : list) declare_module_variable(std::move(v));
        return;
    }
    if (t.text == "loc") {
        location(t.line);
        // , function_name $label, inlined_at file line column
        while (accept(',')) {
            const Token word = ident("'function_name' or 'inlined_at'");
            if (word.text == "function_name") {
                ident("label");
                if (lex_.peek().is('+')) constant();
            } else {
                constant();
                constant();
                constant();
            }
        }
        return;
    }
    if (t.text == "file") return file();
    if (t.text == "pragma") {
        while (lex_.peek().kind == Tok::string || lex_.peek().is(',')) lex_.take();
        return expect(';', "after .pragma");
    }
    if (t.text == "section") {
        while (!lex_.peek().is('{') && lex_.peek().kind != Tok::end) lex_.take();
        expect('{', "after .section");
        return lex_.skip_braces();
    }
    lex_.fail(t.line, "unknown directive '." + std::string(t.text) + "' in a function");
}

void Parser::declare_register(std::string_view name, Type type, u32 vec, u32 line) {
    if (f_->registers.size() >= kMaxRegisters) lex_.fail(line, "too many registers");
    if (scopes_.back().registers.contains(name))
        lex_.fail(line, "register " + quoted(name) + " is already declared");
    if (vec != 1) lex_.fail(line, "vector registers are not supported; declare scalar ones");
    scopes_.back().registers.emplace(name, static_cast<u32>(f_->registers.size()));
    f_->registers.push_back({name, type});
}

void Parser::registers() {
    u32 vec = 1;
    while (lex_.peek().is_dot("v2") || lex_.peek().is_dot("v4")) vec = lex_.take().text == "v2" ? 2 : 4;
    const Type type = type_token();
    if (type == Type::texref || type == Type::samplerref || type == Type::surfref || type == Type::none)
        lex_.fail("a register can't have type ." + std::string(type_name(type)));
    do {
        const Token name = ident("register name");
        if (!accept('<')) {
            declare_register(name.text, type, vec, name.line);
            continue;
        }
        const i64 n = constant();
        expect('>', "after the number of registers");
        if (n < 1 || n > kMaxRegisters || f_->registers.size() + static_cast<u64>(n) > kMaxRegisters)
            lex_.fail(name.line, "bad number of registers");
        if (vec != 1) lex_.fail(name.line, "vector registers are not supported; declare scalar ones");
        const bool added =
            scopes_.back()
                .families
                .emplace(name.text, Family{static_cast<u32>(f_->registers.size()), static_cast<u32>(n)})
                .second;
        if (!added) lex_.fail(name.line, "registers " + quoted(name.text) + " are already declared");
        f_->registers.resize(f_->registers.size() + static_cast<u64>(n), {name.text, type});
    } while (accept(','));
    expect(';', "after the registers");
}

void Parser::local_variables(Space space) {
    const std::size_t first = f_->variables.size();
    variables(space, {}, f_->variables);
    for (std::size_t k = first; k < f_->variables.size(); ++k) {
        f_->variables[k].scope = scopes_.back().id;
        const u32 id = name_id(f_->variables[k].name);
        const auto at = f_->local_names.find(id);
        scopes_.back().shadowed.emplace_back(id, at == f_->local_names.end() ? kNone : at->second);
        f_->local_names[id] = static_cast<u32>(k);
    }
}

u32 Parser::find_register(std::string_view name) const {
    for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope) {
        if (const auto at = scope->registers.find(name); at != scope->registers.end()) return at->second;
        if (scope->families.empty()) continue;
        // A family %r<10> holds %r0 ... %r9; the prefix itself may end in a digit.
        u64 number = 0, scale = 1;
        for (std::size_t end = name.size(); end > 1; --end) {
            const char c = name[end - 1];
            if (c < '0' || c > '9' || scale > kMaxRegisters) break;
            number += scale * static_cast<u64>(c - '0');
            scale *= 10;
            if (c == '0' && end != name.size()) continue;  // %r07 is not a member
            const auto at = scope->families.find(name.substr(0, end - 1));
            if (at != scope->families.end() && number < at->second.count)
                return at->second.first + static_cast<u32>(number);
        }
    }
    return kNone;
}

void Parser::file() {
    const auto number = static_cast<u32>(constant());
    if (lex_.peek().kind == Tok::string) unit_.files[number] = lex_.take().text;
    while (accept(',')) constant();
}

void Parser::location(u32 from) {
    const auto number = static_cast<u32>(constant());
    const auto line = static_cast<u32>(constant());
    constant();
    unit_.locations.push_back({from, number, line});
}

void Parser::branch_targets(u32 label) {
    auto& list = f_->targets[label];
    do {
        const Token t = ident("name");
        list.push_back(name_id(t.text));
        uses_.emplace_back(list.back(), t.line);
    } while (accept(','));
    expect(';', "after the list of targets");
}

void Parser::call_prototype(u32 label) {
    Function p;
    if (lex_.peek().is('(')) p.returns = parameter_list(p, p.return_registers);
    const Token name = ident("'_'");
    p.name = name.text;
    p.line = name.line;
    if (lex_.peek().is('(')) p.params = parameter_list(p, p.param_registers);
    performance_directives(p);
    expect(';', "after .callprototype");
    f_->prototypes[label] = static_cast<u32>(unit_.prototypes.size());
    unit_.prototypes.push_back(std::move(p));
}

u32 Parser::add_elements(const std::vector<Operand>& elements) {
    const u32 first = static_cast<u32>(unit_.operands.size());
    unit_.operands.insert(unit_.operands.end(), elements.begin(), elements.end());
    return first;
}

void Parser::instruction() {
    Inst inst;
    inst.line = lex_.peek().line;
    if (accept('@')) {
        inst.guard_negated = accept('!');
        const Token p = ident("predicate register");
        inst.guard = find_register(p.text);
        if (inst.guard == kNone) lex_.fail(p.line, "unknown register " + quoted(p.text));
        if (f_->registers[inst.guard].type != Type::pred)
            lex_.fail(p.line, "guard " + quoted(p.text) + " is not a predicate but ." +
                                  std::string(type_name(f_->registers[inst.guard].type)));
    }
    const Token op = ident("instruction");
    if (inst.guard == kNone && lex_.peek().is(':')) {
        lex_.take();
        const u32 id = name_id(op.text);
        const Token next = lex_.peek();
        if (next.is_dot("branchtargets") || next.is_dot("calltargets"))
            return lex_.take(), branch_targets(id);
        if (next.is_dot("callprototype")) return lex_.take(), call_prototype(id);
        if (!f_->labels.emplace(id, static_cast<u32>(f_->insts.size())).second)
            lex_.fail(op.line, "label " + quoted(op.text) + " is already defined");
        return;
    }
    inst.opcode = op.text;
    inst.modifiers = static_cast<u32>(unit_.modifiers.size());
    while (lex_.peek().kind == Tok::dot) unit_.modifiers.push_back(lex_.take().text);
    inst.modifier_count = static_cast<u32>(unit_.modifiers.size()) - inst.modifiers;
    std::vector<Operand> operands;
    if (!lex_.peek().is(';')) {
        do operands.push_back(operand());
        while (accept(','));
    }
    if (!lex_.peek().is(';'))
        lex_.fail("';' expected after " + quoted(op.text) + " and its operands, not " +
                  describe(lex_.peek()));
    lex_.take();
    inst.operands = add_elements(operands);
    inst.operand_count = static_cast<u32>(operands.size());
    f_->insts.push_back(inst);
}

Operand Parser::operand() {
    Operand left = single_operand();
    if (!lex_.peek().is('|')) return left;
    lex_.take();
    Operand pair;
    pair.kind = OperandKind::pair;
    pair.first = add_elements({left, single_operand()});
    pair.count = 2;
    return pair;
}

Operand Parser::group(OperandKind kind, char close) {
    std::vector<Operand> elements;
    while (!lex_.peek().is(close)) {
        elements.push_back(operand());
        if (!accept(',')) break;
    }
    expect(close, "after the operands");
    Operand o;
    o.kind = kind;
    o.first = add_elements(elements);
    o.count = static_cast<u32>(elements.size());
    return o;
}

Operand Parser::address() {
    Operand o = group(OperandKind::address, ']');
    if (o.count == 0) lex_.fail("address without a base");
    // The first element's offset is the address's.
    Operand& base = unit_.operands[o.first];
    if (base.kind == OperandKind::integer) {
        o.offset = static_cast<i64>(base.value);
        base.value = 0;
    } else if (base.kind == OperandKind::reg || base.kind == OperandKind::symbol) {
        o.offset = base.offset;
        base.offset = 0;
    } else {
        lex_.fail("an address is a register, a name or a number, and an offset");
    }
    return o;
}

Operand Parser::single_operand() {
    const Nesting nesting(*this);
    const Token t = lex_.peek();
    Operand o;
    if (t.is('{')) return lex_.take(), group(OperandKind::vector, '}');
    if (t.is('(')) {
        // A call's list, or a constant expression: the latter starts with a number.
        lex_.take();
        if (lex_.peek().kind == Tok::integer || lex_.peek().is('-') || lex_.peek().is('~')) {
            o.kind = OperandKind::integer;
            o.value = static_cast<u64>(constant_expression(0));
            if (lex_.peek().is(',')) {  // (1, ...): constants handed to a function
                std::vector<Operand> elements{o};
                while (accept(',')) elements.push_back(operand());
                o = Operand{};
                o.kind = OperandKind::list;
                o.first = add_elements(elements);
                o.count = static_cast<u32>(elements.size());
            }
            expect(')', "after the operands");
            return o;
        }
        return group(OperandKind::list, ')');
    }
    if (t.is('[')) return lex_.take(), address();
    if (t.is('!')) {
        lex_.take();
        o = single_operand();
        if (o.kind == OperandKind::integer) {
            o.value = o.value == 0;
            return o;
        }
        if (o.kind != OperandKind::reg) lex_.fail(t.line, "'!' needs a predicate register");
        o.negated = !o.negated;
        return o;
    }
    if (t.is('-') || t.is('+') || t.is('~')) {
        if (t.is('~')) {
            o.kind = OperandKind::integer;
            o.value = static_cast<u64>(constant());
            return o;
        }
        lex_.take();
        o = single_operand();
        if (t.is('+')) return o;
        if (o.kind == OperandKind::integer)
            o.value = -o.value;
        else if (o.kind == OperandKind::f32_bits)
            o.value ^= 0x80000000u;
        else if (o.kind == OperandKind::f64_bits)
            o.value ^= u64{1} << 63;
        else
            lex_.fail(t.line, "'-' needs a number");
        return o;
    }
    if (t.kind == Tok::integer || t.kind == Tok::f32_bits || t.kind == Tok::f64_bits) {
        lex_.take();
        o.kind = t.kind == Tok::integer    ? OperandKind::integer
                 : t.kind == Tok::f32_bits ? OperandKind::f32_bits
                                           : OperandKind::f64_bits;
        o.value = t.value;
        return o;
    }
    if (t.kind == Tok::ident) return lex_.take(), name_operand(t);
    lex_.fail("operand expected, not " + describe(t));
}

Operand Parser::name_operand(const Token& name) {
    Operand o;
    if (name.text == "_") return o;
    if (name.text == "WARP_SZ") {
        o.kind = OperandKind::integer;
        o.value = 32;
        return o;
    }
    auto offset = [&] {
        while (lex_.peek().is('+') || lex_.peek().is('-')) o.offset += constant();
    };
    const u32 reg = find_register(name.text);
    if (reg != kNone) {
        o.kind = OperandKind::reg;
        o.id = reg;
        offset();
        return o;
    }
    if (name.text[0] == '%') {
        o.kind = OperandKind::special;
        for (const SpecialRow& row : kSpecials) {
            if (row.name != name.text) continue;
            u32 component = 0;
            if (row.components > 1) {
                const Token c = lex_.peek();
                if (!(c.is_dot("x") || c.is_dot("y") || c.is_dot("z") || c.is_dot("w")))
                    lex_.fail("'.x', '.y' or '.z' expected after " + quoted(name.text));
                lex_.take();
                component = static_cast<u32>(std::string_view("xyzw").find(c.text));
                if (component == 3) {
                    o.kind = OperandKind::integer;  // the unused fourth component reads 0
                    return o;
                }
            }
            o.id = static_cast<u32>(row.first) + component;
            return o;
        }
        if (name.text.starts_with("%envreg")) {
            o.id = static_cast<u32>(Special::envreg);
            for (char c : name.text.substr(7)) o.value = o.value * 10 + static_cast<u64>(c - '0');
            return o;
        }
        lex_.fail(name.line, "unknown register " + quoted(name.text));
    }
    o.kind = OperandKind::symbol;
    o.id = name_id(name.text);
    // Names of the function's variables bind now, so that an inner block's name does not outlive it.
    if (const auto at = f_->local_names.find(o.id); at != f_->local_names.end())
        o.value = u64{at->second} + 1;
    if (o.value == 0) uses_.emplace_back(o.id, name.line);
    offset();
    if (lex_.peek().is('[')) {  // name[4]
        lex_.take();
        o.offset += constant();
        expect(']', "after the index");
    }
    return o;
}

void Parser::resolve_names(const Function& f) {
    for (const auto& [id, line] : uses_) {
        if (f.labels.contains(id) || f.targets.contains(id) || f.prototypes.contains(id)) continue;
        if (unit_.variable_ids.contains(id) || unit_.function_ids.contains(id) || unit_.aliases.contains(id))
            continue;
        const std::string_view name = unit_.names[id];
        if (name == f.name) continue;
        lex_.fail(line, (name[0] == '$' ? "no label " : "unknown name ") + quoted(name) + " in function " +
                            quoted(f.name));
    }
}

}  // namespace heddle::ptx
