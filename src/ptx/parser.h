#pragma once
// PTX text -> ast::Unit. Recursive descent; every name is resolved, no opcode is interpreted.

#include <string_view>
#include <vector>

#include "ptx/ast.h"
#include "ptx/lexer.h"

namespace heddle::ptx {

class Parser {
  public:
    /// Fills `unit`, whose text and name are set. Throws InputError "FILE:LINE: ...".
    explicit Parser(ast::Unit& unit);
    void parse();

  private:
    struct Family {  // registers declared %name<count>
        u32 first, count;
    };
    struct Scope {
        std::unordered_map<std::string_view, u32> registers;
        std::unordered_map<std::string_view, Family> families;
        std::vector<std::pair<u32, u32>> shadowed;  // names to restore in Function::local_names
        u32 id = 0;                                 // in Function::scope_parents
    };
    /// Bounds recursion: text may nest without limit, the stack may not.
    class Nesting {
      public:
        explicit Nesting(Parser& parser) : parser_(parser) {
            if (++parser.depth_ > 200) parser.lex_.fail("nested too deeply");
        }
        ~Nesting() { --parser_.depth_; }
        Nesting(const Nesting&) = delete;
        Nesting& operator=(const Nesting&) = delete;

      private:
        Parser& parser_;
    };
    struct Linkage {
        bool is_extern = false, visible = false, weak = false;
    };

    // Module scope (parser.cpp)
    void module_directive();
    void version();
    void target();
    void alias();
    void function(bool is_entry, const Linkage& linkage);
    void performance_directives(ast::Function& f);
    std::vector<ast::Variable> parameter_list(ast::Function& f, std::vector<u32>& registers);
    void declare_module_variable(ast::Variable&& v);
    void check_names();

    // Variables (parse_variable.cpp)
    void variables(Space space, const Linkage& linkage, std::vector<ast::Variable>& out);
    void initial_values(ast::Variable& v, std::vector<u64>& shape, u64 at, std::size_t level);
    void initial_value(ast::Variable& v, u64 at);
    bool symbol_value(ast::Relocation& r);
    i64 constant();
    i64 constant_expression(int level);

    // Function scope (parse_body.cpp)
    void body(ast::Function& f);
    void block();
    void body_directive();
    void registers();
    void declare_register(std::string_view name, Type type, u32 vec, u32 line);
    void local_variables(Space space);
    void file();
    void location(u32 from);
    void branch_targets(u32 label);
    void call_prototype(u32 label);
    void instruction();
    ast::Operand operand();
    ast::Operand single_operand();
    ast::Operand address();
    ast::Operand group(ast::OperandKind kind, char close);
    ast::Operand name_operand(const Token& name);
    u32 add_elements(const std::vector<ast::Operand>& elements);
    u32 find_register(std::string_view name) const;
    void resolve_names(const ast::Function& f);

    // Both
    u32 name_id(std::string_view name);
    Type type_token();
    void expect(char c, const char* where);
    bool accept(char c);
    Token ident(const char* what);

    ast::Unit& unit_;
    Lexer lex_;
    ast::Function* f_ = nullptr;
    std::vector<Scope> scopes_;
    std::vector<std::pair<u32, u32>> uses_;  // (name, line) of symbols in the current body
    int depth_ = 0;
};

}  // namespace heddle::ptx
