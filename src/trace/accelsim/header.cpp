#include "trace/accelsim/header.h"

#include <array>
#include <charconv>
#include <optional>

namespace heddle::accelsim {
namespace {

constexpr u32 kNewestTracer = 5;
constexpr u64 kMaxBlock = 1024;

/// Header values as they stand; which were given, and where, is kept for messages.
class Fields {
  public:
    explicit Fields(LineReader& in) : in_(in) {}

    u64 number(std::string_view text, u64 limit, int base = 10) {
        if (base == 16 && (text.starts_with("0x") || text.starts_with("0X"))) text.remove_prefix(2);
        u64 value = 0;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
        if (error != std::errc() || end != text.data() + text.size())
            bad(text, base == 16 ? "a hexadecimal number" : "a number");
        if (value > limit) bad(text, "at most " + std::to_string(limit));
        return value;
    }

    /// "(X,Y,Z)", each at least 1.
    Dim3 dim(std::string_view text, std::array<u64, 3> limits) {
        const std::string_view whole = text;
        std::array<u64, 3> xyz{};
        if (!text.starts_with('(') || !text.ends_with(')')) bad(whole, "(X,Y,Z)");
        text = text.substr(1, text.size() - 2);
        for (std::size_t k = 0; k < 3; ++k) {
            const auto comma = text.find(',');
            if ((comma == std::string_view::npos) != (k == 2)) bad(whole, "(X,Y,Z)");
            xyz[k] = number(trimmed(text.substr(0, comma)), limits[k]);
            if (xyz[k] == 0) bad(whole, "at least 1 in each direction");
            text.remove_prefix(k == 2 ? 0 : comma + 1);
        }
        return {static_cast<u32>(xyz[0]), static_cast<u32>(xyz[1]), static_cast<u32>(xyz[2])};
    }

    std::string_view key;

  private:
    [[noreturn]] void bad(std::string_view value, const std::string& expected) {
        in_.fail("'" + std::string(value) + "' is not a valid value for '-" + std::string(key) +
                 "': expected " + expected);
    }

    LineReader& in_;
};

enum class Key : u8 {
    kernel_name,
    kernel_id,
    grid,
    block,
    shmem,
    nregs,
    binary,
    stream,
    shared_base,
    local_base,
    nvbit,
    tracer,
    line_info,
    count_
};

struct KeyRow {
    std::string_view text;
    Key key;
};
constexpr std::array kKeys = {
    KeyRow{"kernel name", Key::kernel_name},
    KeyRow{"kernel id", Key::kernel_id},
    KeyRow{"grid dim", Key::grid},
    KeyRow{"block dim", Key::block},
    KeyRow{"shmem", Key::shmem},
    KeyRow{"nregs", Key::nregs},
    KeyRow{"binary version", Key::binary},
    KeyRow{"cuda stream id", Key::stream},
    KeyRow{"shmem base_addr", Key::shared_base},
    KeyRow{"local mem base_addr", Key::local_base},
    KeyRow{"nvbit version", Key::nvbit},
    KeyRow{"accelsim tracer version", Key::tracer},
    KeyRow{"enable lineinfo", Key::line_info},
};

void set(Header& header, Fields& fields, Key key, std::string_view value) {
    constexpr u64 kAny = ~u64{0};
    constexpr u64 kAny32 = 0xffffffff;
    KernelInfo& kernel = header.kernel;
    Dialect& dialect = header.dialect;
    switch (key) {
        case Key::kernel_name:
            kernel.name = value;
            break;
        case Key::kernel_id:
            kernel.id = fields.number(value, kAny);
            break;
        case Key::grid:
            kernel.grid = fields.dim(value, {0x7fffffff, 65535, 65535});
            break;
        case Key::block:
            kernel.block = fields.dim(value, {kMaxBlock, kMaxBlock, kMaxBlock});
            break;
        case Key::shmem:
            kernel.shared_bytes = static_cast<u32>(fields.number(value, kWindowBytes));
            break;
        case Key::nregs:
            kernel.registers = static_cast<u32>(fields.number(value, 256));
            break;
        case Key::binary:
            dialect.binary_version = static_cast<u32>(fields.number(value, 999));
            break;
        case Key::stream:
            kernel.stream = fields.number(value, kAny);
            break;
        case Key::shared_base:
            dialect.shared_base = fields.number(value, kAny, 16);
            break;
        case Key::local_base:
            dialect.local_base = fields.number(value, kAny, 16);
            break;
        case Key::nvbit:
            break;
        case Key::tracer:
            dialect.tracer_version = static_cast<u32>(fields.number(value, kAny32));
            break;
        case Key::line_info:
            dialect.line_info = fields.number(value, 1) != 0;
            break;
        case Key::count_:
            break;
    }
}

}  // namespace

Header read_header(LineReader& in) {
    Header header;
    Fields fields(in);
    std::array<u64, static_cast<std::size_t>(Key::count_)> line_of{};
    std::string_view line;
    bool ended = false;
    while (in.text_line(line)) {
        line = trimmed(line);
        if (line.starts_with('#')) {
            ended = true;
            break;
        }
        const auto equals = line.find('=');
        if (!line.starts_with('-') || equals == std::string_view::npos)
            in.fail(
                "not a kernel trace of Accel-Sim: expected a header line such as '-kernel name = S' or, "
                "after "
                "the header, '#traces format = ...'");
        fields.key = trimmed(line.substr(1, equals - 1));
        const std::string_view value = trimmed(line.substr(equals + 1));
        const KeyRow* row = nullptr;
        for (const KeyRow& known : kKeys)
            if (known.text == fields.key) row = &known;
        if (row == nullptr) {
            header.warnings.push_back(in.path() + ":" + std::to_string(in.line_number()) +
                                      ": header line '-" + std::string(fields.key) +
                                      "' is unknown and was ignored");
            continue;
        }
        u64& seen = line_of[static_cast<std::size_t>(row->key)];
        if (seen != 0)
            in.fail("'-" + std::string(fields.key) + "' is given twice; first on line " +
                    std::to_string(seen));
        seen = in.line_number();
        set(header, fields, row->key, value);
    }
    auto need = [&](Key key, std::string_view text) {
        if (line_of[static_cast<std::size_t>(key)] == 0)
            in.fail("the header ends without '-" + std::string(text) + " = ...'");
    };
    if (!ended) in.fail("the file ends within the header: expected '#traces format = ...'");
    need(Key::grid, "grid dim");
    need(Key::block, "block dim");
    need(Key::binary, "binary version");

    auto line_at = [&](Key key) { return line_of[static_cast<std::size_t>(key)]; };
    KernelInfo& kernel = header.kernel;
    Dialect& dialect = header.dialect;
    if (dialect.tracer_version > kNewestTracer)
        in.fail_at(line_at(Key::tracer), "tracer version " + std::to_string(dialect.tracer_version) +
                                             " is not supported: versions 0 to 5 are");
    if (kernel.block.count() > kMaxBlock)
        in.fail_at(line_at(Key::block), "a block of " + std::to_string(kernel.block.count()) +
                                            " threads: no GPU has more than 1024");
    if (dialect.binary_version < 20)
        in.fail_at(line_at(Key::binary),
                   "binary version " + std::to_string(dialect.binary_version) +
                       " is invalid: expected 35, 60, 61, 70, 75, 80, 86, 89, 90 or newer");
    const BinaryVersion version = generation_of(dialect.binary_version);
    dialect.generation = version.generation;
    if (!version.exact)
        header.warnings.push_back(in.path() + ":" + std::to_string(line_at(Key::binary)) +
                                  ": binary version " + std::to_string(dialect.binary_version) +
                                  " has no opcode table; the nearest older one is used");
    kernel.register_names = u32{kUniformBase} + uniform_registers(dialect);
    kernel.place = in.path() + ":1";
    if (kernel.name.empty()) kernel.name = "kernel-" + std::to_string(kernel.id);
    return header;
}

}  // namespace heddle::accelsim
