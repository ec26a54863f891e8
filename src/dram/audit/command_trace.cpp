#include "dram/audit/command_trace.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <span>
#include <vector>

#include "config/manual.h"
#include "dram/audit/rule.h"
#include "sim/error.h"
#include "sim/text.h"
#include "trace/input/line_reader.h"

namespace heddle::dram::audit {

namespace {

constexpr std::string_view kMagic = "heddle-dram-commands";
constexpr std::string_view kVersion = "1";

struct HeadNumber {
    std::string_view name;
    u32 AuditDevice::*value;
};
constexpr HeadNumber kHeadNumbers[] = {{"pseudo-channels", &AuditDevice::pseudos},
                                       {"ranks", &AuditDevice::ranks},
                                       {"groups", &AuditDevice::groups},
                                       {"banks", &AuditDevice::banks},
                                       {"rows", &AuditDevice::rows},
                                       {"columns", &AuditDevice::columns},
                                       {"steps-per-clock", &AuditDevice::steps_per_clock},
                                       {"activate-clocks", &AuditDevice::activate_clocks},
                                       {"max-postponed", &AuditDevice::max_postponed},
                                       {"max-pulled-in", &AuditDevice::max_pulled_in}};

constexpr RefreshMode kModes[] = {RefreshMode::off, RefreshMode::all_bank, RefreshMode::same_bank,
                                  RefreshMode::per_bank};

constexpr CommandBuses kBuses[] = {CommandBuses::standard, CommandBuses::shared, CommandBuses::separate};

constexpr std::size_t kCommandWords = 8;
constexpr std::string_view kCommandForm =
    "expected 'CLOCK KIND pseudo-channel rank group bank row column' or 'end CLOCK'";

}  // namespace

CommandTraceWriter::CommandTraceWriter(const std::string& path, const AuditDevice& device)
    : file_(path, "the commands") {
    if (const std::string wrong = problem(device).text; !wrong.empty()) throw InputError(path + ": " + wrong);
    std::string head = std::string(kMagic) + " " + std::string(kVersion) + "\n";
    if (!device.label.empty()) head += "label " + device.label + "\n";
    head += "standard " + device.standard + "\n";
    for (const HeadNumber& n : kHeadNumbers)
        head += std::string(n.name) + " " + std::to_string(device.*n.value) + "\n";
    head += "command-buses " + std::string(name_of(device.command_buses)) + "\n";
    head += "refresh " + std::string(name_of(device.refresh)) + "\n";
    for (const auto& [name, clocks] : device.timing)
        head += "timing " + name + " " + std::to_string(clocks) + "\n";
    head += "commands\n";
    file_.write(head);
}

void CommandTraceWriter::write(const Command& c) {
    std::array<char, 96> line;
    char* at = line.data();
    const auto number = [&](u64 value) {
        at = std::to_chars(at, line.data() + line.size(), value).ptr;
        *at++ = ' ';
    };
    number(c.at.v);
    const std::string_view kind = name_of(c.kind);
    at = std::ranges::copy(kind, at).out;
    *at++ = ' ';
    for (const u32 value : {u32{c.pseudo}, u32{c.rank}, u32{c.group}, u32{c.bank}, c.row, c.column})
        number(value);
    at[-1] = '\n';
    file_.write({line.data(), static_cast<std::size_t>(at - line.data())});
}

void CommandTraceWriter::finish(Cycle end) {
    file_.write("end " + std::to_string(end.v) + "\n");
    file_.finish();
}

struct CommandTraceReader::Impl {
    explicit Impl(const std::string& path) : reader(path) { read_head(); }

    [[noreturn]] void fail(const std::string& what) const {
        // Words of the file may hold anything, also a NUL, which would end the message.
        reader.fail_at(line_number, printable(what, false));
    }

    /// The words of the next line that has any; false at the end of the file.
    bool next_line() {
        while (reader.line(line, true)) {
            line_number = reader.line_number();
            if (line_number == 1 && line.starts_with(kByteOrderMark))
                line.remove_prefix(kByteOrderMark.size());
            words.clear();
            constexpr std::string_view blank = " \t\r";
            const std::string_view text = line;
            for (std::size_t at = 0; (at = text.find_first_not_of(blank, at)) != text.npos;) {
                const std::size_t stop = std::min(text.find_first_of(blank, at), text.size());
                words.push_back(text.substr(at, stop - at));
                at = stop;
            }
            if (!words.empty() && words[0][0] != '#') return true;
        }
        return false;
    }

    u64 number(std::string_view what, std::string_view word, u64 limit) const {
        u64 value = 0;
        const auto [rest, error] = std::from_chars(word.data(), word.data() + word.size(), value);
        if (error == std::errc::invalid_argument || rest != word.data() + word.size())
            fail(std::string(what) + " '" + std::string(word) + "': expected a decimal number");
        if (error != std::errc() || value >= limit)
            fail(std::string(what) + " " + std::string(word) + "; the largest is " +
                 std::to_string(limit - 1));
        return value;
    }

    void expect_words(std::size_t count, std::string_view form) const {
        if (words.size() != count) fail("expected '" + std::string(form) + "'");
    }

    void once(std::string_view key) {
        if (!line_of.try_emplace(std::string(key), line_number).second)
            fail(std::string(key) + " is given twice");
    }

    void read_head() {
        if (!next_line() || words.size() != 2 || words[0] != kMagic)
            fail("not a DRAM command trace: the first line must be '" + std::string(kMagic) + " " +
                 std::string(kVersion) + "'");
        if (words[1] != kVersion)
            fail("version " + std::string(words[1]) + " of the format, expected " + std::string(kVersion));
        while (next_line()) {
            if (words[0] == "commands") {
                expect_words(1, "commands");
                if (const Problem wrong = problem(device); !wrong.text.empty()) {
                    if (const auto line = line_of.find(wrong.key); line != line_of.end())
                        line_number = line->second;
                    fail(wrong.text);
                }
                return;
            }
            head_line();
        }
        fail("the file ends in its header, before 'commands'");
    }

    void head_line() {
        const std::string_view key = words[0];
        if (key == "timing") {
            expect_words(3, "timing NAME CLOCKS");
            line_of["timing " + std::string(words[1])] = line_number;
            device.timing.emplace_back(words[1], static_cast<u32>(number(words[1], words[2], 1u << 31)));
            return;
        }
        once(key);
        if (key == "label") {
            const std::string_view text = line;
            const auto start = static_cast<std::size_t>(words[0].data() + words[0].size() - text.data());
            device.label = text.substr(std::min(start + 1, text.size()));
            while (!device.label.empty() && device.label.back() == '\r') device.label.pop_back();
            return;
        }
        expect_words(2, std::string(key) + " VALUE");
        if (key == "standard") {
            device.standard = words[1];
            return;
        }
        if (key == "refresh") {
            const auto mode = std::ranges::find(kModes, words[1], [](RefreshMode m) { return name_of(m); });
            if (mode == std::end(kModes))
                fail("refresh '" + std::string(words[1]) + "', possible: off, all-bank, same-bank, per-bank");
            device.refresh = *mode;
            return;
        }
        if (key == "command-buses") {
            const auto buses = std::ranges::find(kBuses, words[1], [](CommandBuses b) { return name_of(b); });
            if (buses == std::end(kBuses))
                fail("command-buses '" + std::string(words[1]) + "', possible: standard, shared, separate");
            device.command_buses = *buses;
            return;
        }
        for (const HeadNumber& n : kHeadNumbers) {
            if (n.name != key) continue;
            device.*n.value = static_cast<u32>(number(key, words[1], u64{1} << 31));
            return;
        }
        std::vector<std::string_view> keys = {"label",   "standard", "command-buses",
                                              "refresh", "timing",   "commands"};
        for (const HeadNumber& n : kHeadNumbers) keys.push_back(n.name);
        fail("unknown key '" + std::string(key) + "'" + config::suggestion(key, keys));
    }

    bool next(Command& c) {
        if (!next_line()) fail("the file is cut short: its last line must be 'end CLOCK'");
        if (words[0] == "end") {
            expect_words(2, "end CLOCK");
            end = Cycle(number("clock", words[1], kNever.v));
            if (end < now)
                fail("end " + std::string(words[1]) + " is before the last command at " +
                     std::to_string(now.v));
            if (next_line()) fail("text after the line 'end'");
            return false;
        }
        if (words.size() != kCommandWords) fail(std::string(kCommandForm));
        c.at = Cycle(number("clock", words[0], kNever.v));
        if (c.at < now) fail("clock " + std::string(words[0]) + " after clock " + std::to_string(now.v));
        now = c.at;
        c.kind = find_kind(words[1]);
        if (c.kind == CommandKind::count_)
            fail("unknown command '" + std::string(words[1]) +
                 "', possible: ACT PREpb PREab RD RDA WR WRA REFab REFsb REFpb");
        c.pseudo = static_cast<u8>(number("pseudo-channel", words[2], device.pseudos));
        c.rank = static_cast<u8>(number("rank", words[3], device.ranks));
        c.group = static_cast<u8>(number("group", words[4], device.groups));
        c.bank = static_cast<u8>(number("bank", words[5], device.banks));
        c.row = static_cast<u32>(number("row", words[6], device.rows));
        c.column = static_cast<u32>(number("column", words[7], device.columns));
        return true;
    }

    LineReader reader;
    std::string_view line;
    u64 line_number = 0;  // of the key that is at fault, where it is not the last one read
    std::vector<std::string_view> words;
    std::map<std::string, u64> line_of;  // of the keys in the head
    AuditDevice device;
    Cycle now{0};
    Cycle end{0};
};

CommandTraceReader::CommandTraceReader(const std::string& path) : impl_(std::make_unique<Impl>(path)) {}
CommandTraceReader::~CommandTraceReader() = default;
const AuditDevice& CommandTraceReader::device() const {
    return impl_->device;
}
bool CommandTraceReader::next(Command& command) {
    return impl_->next(command);
}
Cycle CommandTraceReader::end() const {
    return impl_->end;
}

}  // namespace heddle::dram::audit
