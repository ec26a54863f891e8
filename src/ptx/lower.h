#pragma once
// PTX instructions -> internal operations on virtual registers: decodes modifiers, checks operands, chooses
// handlers.
//
// Errors: wrong operands are InputError "FILE:LINE: ...". What is PTX but not executed becomes an operation
// that faults when reached, and an entry of `unsupported`.

#include <array>
#include <map>
#include <string_view>
#include <vector>

#include "ptx/ast.h"
#include "ptx/ir.h"
#include "ptx/matrix.h"
#include "ptx/module.h"

namespace heddle::ptx {

class Lowering {
  public:
    Lowering(const ast::Unit& unit, const ast::Function& function, std::vector<Unsupported>& unsupported);
    IrFunction run();

    /// Thrown by the members below, caught by run(): this instruction can't be executed.
    struct NotExecuted {
        std::string why;
    };
    using Member = void (Lowering::*)();

    // One for each group of opcodes; the tables are in lower_tables.cpp.
    void integer_binary();
    void add_sub();
    void mul();
    void mad();
    void fma();
    void div_rem();
    void min_max();
    void abs_neg();
    void unary();
    void bits_binary();
    void shift();
    void funnel_shift();
    void count_bits();
    void bit_field();
    void lop3();
    void prmt();
    void extended();
    void dot_product();
    void video();
    void special_function();
    void copysign();
    void testp();
    void setp();
    void set();
    void selp();
    void slct();
    void mov();
    void cvt();
    void cvta();
    void isspacep();
    void load();
    void store();
    void atomic();
    void fence();
    void copy_async();
    void prefetch();
    void branch();
    void branch_index();
    void call();
    void ret();
    void exit();
    void trap();
    void barrier();
    void cluster_barrier();
    void warp_vote();
    void activemask();
    void match();
    void redux();
    void shuffle();
    void elect();
    void nanosleep();
    void mbarrier();
    void texture();
    void texture_query();
    void surface_access();
    void surface_reduction();
    void wmma();
    void matrix_multiply();
    void ldmatrix();
    void movmatrix();
    void cluster_address();
    void cluster_rank();
    void create_policy();
    void nothing();
    void not_executed();

  private:
    void instruction(const ast::Inst& inst);
    void declare_variables();

    // Modifiers.
    bool has(std::string_view word) const;
    Type type(std::size_t k = 0) const;
    std::size_t type_count() const { return types_.size(); }
    void check_modifiers(std::string_view allowed);
    Round rounding() const;
    std::string spelled() const;

    // Operands.
    std::size_t operand_count() const { return inst_->operand_count; }
    const ast::Operand& operand(std::size_t k) const;
    const ast::Operand& element(const ast::Operand& o, std::size_t k) const;
    void need_operands(std::size_t least, std::size_t most);
    Ref value(const ast::Operand& o, Type t, bool relaxed = false);
    Ref value(std::size_t k, Type t) { return value(operand(k), t); }
    Ref destination(const ast::Operand& o, Type t, bool relaxed = false);
    Ref destination(std::size_t k, Type t) { return destination(operand(k), t); }
    Ref predicate(const ast::Operand& o, bool& negated);
    Ref positive_predicate(const ast::Operand& o);
    struct Address {
        Ref base = kNoRef;
        i64 offset = 0;
        bool wide = true;
        u32 param_offset = ast::kNone;  // a kernel parameter at a known place
    };
    Address address(const ast::Operand& o, Space& space);
    std::vector<Ref> vector_values(const ast::Operand& o, Type t, bool store, u32 count);
    Ref symbol(const ast::Operand& o, Width width);
    Ref special(const ast::Operand& o, Width width);

    // Making things.
    Ref new_register(Width width, bool half = false);
    Ref constant(u64 value, Width width);
    Ref add_constant(const Constant& c);
    Ref launch_value(const LaunchValue& v);
    Ref local_address(u32 offset, Width width);
    Width width_of(Ref r) const;
    static Width width_of(Type t);
    IrInst& emit(Operation op, Type t, std::initializer_list<Ref> dst, std::initializer_list<Ref> src);
    IrInst& emit_control(Control control);
    /// Finds the handler now, so that what is missing is known at parse time.
    void require(const HandlerKey& key);
    Ref resized(Ref r, Type t);
    Ref surface_address(const ast::Operand& at, u32 bytes, bool write);
    Ref computed(Operation op, Ref a, Ref b);
    Ref lane_number();
    Ref matrix_row(Ref row_address, Ref source_lane);
    Ref shared_offset(const Address& a);
    void split_halves(Ref whole, const std::array<Ref, 2>& halves);
    IrInst& plain_access(MemOp mem, Type t, Ref base, bool wide, i64 offset, MemSpace space,
                         const Ref* registers, u32 count);
    MatrixShape matrix_shape(std::vector<Element>& elements) const;
    void matrix_access(MemOp mem);
    void set_memory(IrInst& inst, MemSpace space, MemOp mem, u32 bytes);
    bool strong_access(bool& bypass) const;
    void finish_ordering(IrInst& inst);
    void change_memory(Atomic op, Type t, MemSpace space, const Address& at, Ref b, Ref c, Ref old);
    bool intrinsic(std::string_view callee, const ast::Operand* returns, const ast::Operand* args);
    bool device_call(std::string_view callee, const ast::Operand* returns, const ast::Operand* args);
    Ref argument(const ast::Operand& list, std::size_t k, Type t);
    void give_result(const ast::Operand* list, Type t, Ref r);
    IrCall::Value call_value(const ast::Operand& o);
    IrInst& warp_wide(Operation op, Type t, std::initializer_list<Ref> src, Ref members);
    Ref wide_value(const ast::Operand& o);
    void change_mbarrier(Atomic op, std::size_t at, const ast::Operand* state, Ref count, Ref bytes);
    void wait_mbarrier();
    void arrive_after_copies();
    Ref member_mask(const ast::Operand& o) { return value(o, Type::b32); }
    std::array<Ref, 2> packed_compare(Compare how, Type t, Ref a, Ref b, Ref c, bool negated);
    void combine_into(Ref to, Ref p, bool inverse, Ref c, bool negated);
    void compare_into(Ref dst, Compare c, Type t, Ref a, Ref b);

    [[noreturn]] void fail(const std::string& message) const;
    [[noreturn]] void not_supported(const std::string& why) const { throw NotExecuted{why}; }
    std::string_view name(u32 id) const { return unit_.names[id]; }

    const ast::Unit& unit_;
    const ast::Function& f_;
    std::vector<Unsupported>& unsupported_;
    IrFunction out_;
    const ast::Inst* inst_ = nullptr;
    std::vector<Type> types_;
    std::vector<std::string_view> words_;
    u32 vec_ = 1;
    std::map<Constant, Ref> constants_;
    std::vector<u32> variable_offset_;  // of f_.variables in their space
    Ref carry_ = kNoRef;
    bool kernel_ = false;
};

/// The space that an access's handler is for; none: generic.
MemSpace memory_space(Space s);

/// A row for each opcode: how it is lowered, and the words that may follow it besides types, spaces and
/// vectors.
struct OpcodeRow {
    std::string_view name;
    Lowering::Member lower;
    std::string_view modifiers;
};
const OpcodeRow* find_opcode(std::string_view name);

}  // namespace heddle::ptx
