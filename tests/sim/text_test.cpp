#include "sim/text.h"

#include <gtest/gtest.h>

#include "sim/random.h"

namespace heddle {
namespace {

TEST(Text, BytesThatAreNoCharacterBecomeReplacementCharacters) {
    EXPECT_EQ(valid_utf8("a\xff\xfe"
                         "b"),
              "a\xef\xbf\xbd\xef\xbf\xbd"
              "b");
    EXPECT_EQ(valid_utf8("gr\xc3\xbc\xc3\x9f"
                         "e \xe2\x82\xac \xf0\x9f\x98\x80"),
              "gr\xc3\xbc\xc3\x9f"
              "e \xe2\x82\xac \xf0\x9f\x98\x80");
    // Overlong, a surrogate, above U+10FFFF, cut off (Unicode 15, table 3-7).
    for (const char* bad : {"\xc0\xaf", "\xe0\x80\xaf", "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xe2\x82"}) {
        std::string expected;
        for (const char* at = bad; *at != '\0'; ++at) expected += "\xef\xbf\xbd";
        EXPECT_EQ(valid_utf8(bad), expected);
    }
}

TEST(Text, ControlCharactersAreShownAndDoNotAct) {
    EXPECT_EQ(printable("a\x1b[31mb\x07\x7f", false), "a\\x1b[31mb\\x07\\x7f");
    EXPECT_EQ(printable("a\nb\tc", true), "a\nb\tc");
    EXPECT_EQ(printable("a\nb", false), "a\\x0ab");
    EXPECT_EQ(printable("\xc2\x9b"
                        "31m",
                        false),
              "\\xc2\\x9b31m");  // CSI as one C1 character
    EXPECT_EQ(printable("\xff", false), "\\xff");
    EXPECT_EQ(printable("gr\xc3\xbc\xc3\x9f"
                        "e",
                        false),
              "gr\xc3\xbc\xc3\x9f"
              "e");
}

TEST(Text, ALongOneKeepsItsBeginningAndEnd) {
    EXPECT_EQ(shortened("short", 10), "short");
    const std::string text = shortened("begin" + std::string(20'000, '(') + "end", 100);
    EXPECT_LT(text.size(), 130u);
    EXPECT_TRUE(text.starts_with("begin(((")) << text;
    EXPECT_TRUE(text.ends_with("((end")) << text;
    EXPECT_NE(text.find("19925 more bytes"), std::string::npos) << text;
}

TEST(Text, WidthIsThatOnATerminal) {
    EXPECT_EQ(width_of("abc"), 3u);
    EXPECT_EQ(width_of("\xc3\xbc"), 1u);
    EXPECT_EQ(width_of("u\xcc\x88"), 1u);                 // u and a combining diaeresis
    EXPECT_EQ(width_of("\xe6\xbc\xa2\xe5\xad\x97"), 4u);  // two ideographs
    EXPECT_EQ(prefix_of("\xe6\xbc\xa2\xe5\xad\x97", 3), 3u);
}

TEST(Text, LinesGoOnUnderTheirLastColumn) {
    EXPECT_EQ(fitted("name  a b c d e f\n", 12), "name  a b c\n      d e f\n");
    EXPECT_EQ(fitted("some words to break\nshort\n", 12), "some words\n  to break\nshort\n");
    EXPECT_EQ(fitted("  0123456789\n", 8), "  012345\n  6789\n");
    EXPECT_EQ(fitted(std::string(300, 'x'), 0), std::string(300, 'x'));
}

TEST(Text, FittedLinesLoseNoWordAndAreNeverWider) {
    Random random(1);
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (int k = 0; k < 60; ++k) {
            const u64 kind = random.below(20);
            text += kind == 0 ? "\n" : kind < 3 ? "   " : kind < 7 ? " " : "\xc3\xbcx";
        }
        const std::size_t width = 3 + random.below(40);
        auto words = [](const std::string& of) {
            std::string out;
            for (const char c : of)
                if (c != ' ' && c != '\n') out += c;
            return out;
        };
        const std::string shown = fitted(text, width);
        EXPECT_EQ(words(shown), words(text));
        for (std::size_t at = 0; at < shown.size();) {
            const std::size_t end = std::min(shown.find('\n', at), shown.size());
            EXPECT_LE(width_of(shown.substr(at, end - at)), width) << text;
            at = end + 1;
        }
    }
}

}  // namespace
}  // namespace heddle
