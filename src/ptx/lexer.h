#pragma once
// PTX tokens. The text is held by the caller and must outlive them.

#include <string>
#include <string_view>

#include "sim/types.h"

namespace heddle::ptx {

enum class Tok : u8 {
    end,
    ident,     // opcode, %register, $label, name
    dot,       // .word, text without the dot; may hold "::" and start with a digit (.2d)
    integer,   // value
    f32_bits,  // value
    f64_bits,  // value: also decimal floating constants
    string,    // text without quotes
    punct,     // one character
};

struct Token {
    Tok kind = Tok::end;
    char punct = 0;
    u32 line = 1;
    std::string_view text;
    u64 value = 0;

    bool is(char c) const { return kind == Tok::punct && punct == c; }
    bool is_dot(std::string_view word) const { return kind == Tok::dot && text == word; }
};

class Lexer {
  public:
    Lexer(std::string_view text, std::string_view file);

    const Token& peek() const { return token_; }
    Token take();
    /// Throws InputError "FILE:LINE: message".
    [[noreturn]] void fail(u32 line, const std::string& message) const;
    [[noreturn]] void fail(const std::string& message) const { fail(token_.line, message); }
    /// Moves past everything up to the brace that closes the one just taken.
    void skip_braces();

  private:
    void advance();
    void skip_blank();
    void number();
    bool at(std::size_t k) const { return k < text_.size(); }

    std::string_view text_, file_;
    std::size_t at_ = 0;
    u32 line_ = 1;
    Token token_;
};

/// What a token looks like in a message.
std::string describe(const Token& token);

}  // namespace heddle::ptx
