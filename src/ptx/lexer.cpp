#include "ptx/lexer.h"

#include <bit>
#include <charconv>

#include "sim/error.h"

namespace heddle::ptx {

namespace {

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
bool is_word(char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '$';
}

int hex_value(char c) {
    if (is_digit(c)) return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
}

}  // namespace

std::string describe(const Token& token) {
    switch (token.kind) {
        case Tok::end:
            return "the end of the file";
        case Tok::dot:
            return "'." + std::string(token.text) + "'";
        case Tok::punct:
            return std::string("'") + token.punct + "'";
        case Tok::string:
            return "a string";
        default:
            return "'" + std::string(token.text) + "'";
    }
}

Lexer::Lexer(std::string_view text, std::string_view file) : text_(text), file_(file) {
    advance();
}

void Lexer::fail(u32 line, const std::string& message) const {
    throw InputError(std::string(file_) + ":" + std::to_string(line) + ": " + message);
}

Token Lexer::take() {
    const Token token = token_;
    advance();
    return token;
}

void Lexer::skip_blank() {
    while (at(at_)) {
        const char c = text_[at_];
        if (c == '\n') {
            ++line_;
            ++at_;
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' || c == '\0') {
            ++at_;  // a fat binary's text ends in NULs
        } else if (c == '/' && at(at_ + 1) && text_[at_ + 1] == '/') {
            while (at(at_) && text_[at_] != '\n') ++at_;
        } else if (c == '/' && at(at_ + 1) && text_[at_ + 1] == '*') {
            const u32 start = line_;
            at_ += 2;
            while (at(at_) && !(text_[at_] == '*' && at(at_ + 1) && text_[at_ + 1] == '/'))
                if (text_[at_++] == '\n') ++line_;
            if (!at(at_)) fail(start, "unterminated comment");
            at_ += 2;
        } else {
            return;
        }
    }
}

void Lexer::number() {
    const std::size_t start = at_;
    auto radix = [&](u32 base, std::size_t prefix) {
        at_ += prefix;
        u64 v = 0;
        const std::size_t first = at_;
        while (at(at_)) {
            const int d = hex_value(text_[at_]);
            if (d < 0 || static_cast<u32>(d) >= base) break;
            if (v > (~u64{0} - static_cast<u64>(d)) / base) fail(line_, "number does not fit in 64 bits");
            v = v * base + static_cast<u64>(d);
            ++at_;
        }
        if (at_ == first) fail(line_, "number has no digits");
        if (at(at_) && text_[at_] == 'U') ++at_;
        token_.kind = Tok::integer;
        token_.value = v;
    };
    auto exact_bits = [&](Tok kind, int digits) {
        at_ += 2;
        u64 v = 0;
        for (int k = 0; k < digits; ++k, ++at_) {
            const int d = at(at_) ? hex_value(text_[at_]) : -1;
            if (d < 0)
                fail(line_, "floating constant needs " + std::to_string(digits) + " hexadecimal digits");
            v = v << 4 | static_cast<u64>(d);
        }
        token_.kind = kind;
        token_.value = v;
    };
    const char second = at(at_ + 1) ? text_[at_ + 1] : '\0';
    if (text_[at_] == '0' && (second == 'x' || second == 'X')) {
        radix(16, 2);
    } else if (text_[at_] == '0' && (second == 'b' || second == 'B')) {
        radix(2, 2);
    } else if (text_[at_] == '0' && (second == 'f' || second == 'F')) {
        exact_bits(Tok::f32_bits, 8);
    } else if (text_[at_] == '0' && (second == 'd' || second == 'D')) {
        exact_bits(Tok::f64_bits, 16);
    } else {
        std::size_t end = at_;
        while (at(end) && is_digit(text_[end])) ++end;
        const bool fraction = at(end) && text_[end] == '.' && !(at(end + 1) && is_letter(text_[end + 1]));
        const bool exponent = at(end) && (text_[end] == 'e' || text_[end] == 'E');
        if (fraction || exponent) {
            double v = 0;
            const auto r = std::from_chars(text_.data() + at_, text_.data() + text_.size(), v);
            if (r.ec != std::errc{}) fail(line_, "floating constant out of range");
            at_ = static_cast<std::size_t>(r.ptr - text_.data());
            token_.kind = Tok::f64_bits;
            token_.value = std::bit_cast<u64>(v);
        } else {
            radix(text_[at_] == '0' && is_digit(second) ? 8 : 10, 0);
        }
    }
    token_.text = text_.substr(start, at_ - start);
    if (at(at_) && is_word(text_[at_]))
        fail(line_, "number '" + std::string(token_.text) + "' runs into '" + text_[at_] + "'");
}

void Lexer::advance() {
    skip_blank();
    token_ = Token{};
    token_.line = line_;
    if (!at(at_)) return;
    const char c = text_[at_];
    const std::size_t start = at_;
    if (is_letter(c) || c == '_' || c == '$' || c == '%') {
        ++at_;
        while (at(at_) && is_word(text_[at_])) ++at_;
        token_.kind = Tok::ident;
        token_.text = text_.substr(start, at_ - start);
    } else if (c == '.' && at(at_ + 1) && is_word(text_[at_ + 1])) {
        ++at_;
        while (at(at_) &&
               (is_word(text_[at_]) || (text_[at_] == ':' && at(at_ + 1) && text_[at_ + 1] == ':'))) {
            at_ += text_[at_] == ':' ? 2u : 1u;
        }
        token_.kind = Tok::dot;
        token_.text = text_.substr(start + 1, at_ - start - 1);
    } else if (is_digit(c)) {
        number();
    } else if (c == '"') {
        const u32 first = line_;
        ++at_;
        while (at(at_) && text_[at_] != '"') {
            if (text_[at_] == '\\' && at(at_ + 1)) ++at_;
            if (text_[at_] == '\n') ++line_;
            ++at_;
        }
        if (!at(at_)) fail(first, "unterminated string");
        ++at_;
        token_.kind = Tok::string;
        token_.text = text_.substr(start + 1, at_ - start - 2);
    } else {
        token_.kind = Tok::punct;
        token_.punct = c;
        token_.text = text_.substr(at_, 1);
        ++at_;
    }
}

void Lexer::skip_braces() {
    const u32 first = token_.line;
    for (int depth = 1; depth > 0;) {
        const Token t = take();
        if (t.kind == Tok::end) fail(first, "'{' without '}'");
        if (t.is('{')) ++depth;
        if (t.is('}')) --depth;
    }
}

}  // namespace heddle::ptx
