#pragma once
// Writes valid Accel-Sim kernel traces of any tracer version, address mode and compression, from a
// description of what the warps do. Independent of the reader: written from the format's grammar alone.

#include <bzlib.h>
#include <cinttypes>
#include <cstdio>
#include <lz4frame.h>
#include <lzma.h>
#include <string>
#include <vector>
#include <zlib.h>
#include <zstd.h>

#include "sim/types.h"
#include "trace/stream.h"

namespace heddle::test {

struct TextInst {
    u64 pc = 0;
    u32 mask = 0xffffffff;
    std::string dst;  // "R4", or empty
    std::string opcode;
    std::vector<std::string> src;
    u32 mem_width = 0;
    std::vector<u64> addresses;  // of the active lanes, ascending
    i64 immediate = 0;
};

using TextWarp = std::vector<TextInst>;

struct TextCta {
    Dim3 index;
    std::vector<TextWarp> warps;
};

struct TextKernel {
    std::string name = "_Z6kernelPf";
    u64 id = 1;
    Dim3 grid, block{32, 1, 1};
    u32 binary_version = 70;
    u64 stream = 0;
    u64 shared_base = 0x7e0000000000, local_base = 0x7e0002000000;
    std::vector<TextCta> ctas;
};

/// How addresses are written: always as a list; as base and stride where possible, else as a list; as base
/// and deltas; or as the tracer does, stride where possible, else deltas.
enum class TextMode { list, stride, deltas, tracer };

struct TextStyle {
    u32 version = 5;
    bool line_info = false;
    TextMode mode = TextMode::tracer;
    bool crlf = false;
    bool hex_after_list = false;  // the immediate after a list in hexadecimal, as some tracers leave it
};

inline std::string hex_text(const char* format, u64 value) {
    char text[40];
    std::snprintf(text, sizeof text, format, value);
    return text;
}

inline std::string address_text(const TextInst& inst, const TextStyle& style) {
    const auto& a = inst.addresses;
    std::string text = std::to_string(inst.mem_width) + " ";
    const u64 run = inst.mask == 0 ? 0 : u64{inst.mask} >> __builtin_ctz(inst.mask);
    bool strided = a.size() > 1 && (run & (run + 1)) == 0;
    for (std::size_t k = 2; k < a.size(); ++k) strided = strided && a[k] - a[k - 1] == a[1] - a[0];
    const std::string base = a.empty() ? "0x0" : hex_text("0x%" PRIx64, a[0]);
    if (a.empty()) return text + "1 0x0 0 ";
    if (strided && (style.mode == TextMode::stride || style.mode == TextMode::tracer))
        return text + "1 " + base + " " + std::to_string(static_cast<i64>(a[1] - a[0])) + " ";
    if (style.mode == TextMode::list || style.mode == TextMode::stride) {
        text += "0 ";
        for (u64 address : a) text += hex_text("0x%016" PRIx64 " ", address);
        return text;
    }
    text += "2 " + base + " ";
    for (std::size_t k = 1; k < a.size(); ++k)
        text += std::to_string(static_cast<i64>(a[k] - a[k - 1])) + " ";
    return text;
}

inline std::string to_text(const TextKernel& kernel, const TextStyle& style) {
    const std::string end = style.crlf ? "\r\n" : "\n";
    auto dim = [](Dim3 d) {
        return "(" + std::to_string(d.x) + "," + std::to_string(d.y) + "," + std::to_string(d.z) + ")";
    };
    std::string t;
    t += "-kernel name = " + kernel.name + end + "-kernel id = " + std::to_string(kernel.id) + end;
    t += "-grid dim = " + dim(kernel.grid) + end + "-block dim = " + dim(kernel.block) + end;
    t += "-shmem = 1024" + end + "-nregs = 24" + end;
    t += "-binary version = " + std::to_string(kernel.binary_version) + end;
    t += "-cuda stream id = " + std::to_string(kernel.stream) + end;
    t += "-shmem base_addr = " + hex_text("0x%016" PRIx64, kernel.shared_base) + end;
    t += "-local mem base_addr = " + hex_text("0x%016" PRIx64, kernel.local_base) + end;
    t += "-nvbit version = 1.5.5" + end;
    if (style.version > 0) t += "-accelsim tracer version = " + std::to_string(style.version) + end;
    if (style.line_info) t += "-enable lineinfo = 1" + end;
    t += end + "#traces format = [line_num] PC mask ..." + end + end;
    for (const TextCta& cta : kernel.ctas) {
        const std::string place = std::to_string(cta.index.x) + "," + std::to_string(cta.index.y) + "," +
                                  std::to_string(cta.index.z);
        t += end + "#BEGIN_TB" + end + end + "thread block = " + place + end;
        for (std::size_t w = 0; w < cta.warps.size(); ++w) {
            t += end + "warp = " + std::to_string(w) + end +
                 "insts = " + std::to_string(cta.warps[w].size()) + end;
            for (const TextInst& inst : cta.warps[w]) {
                if (style.version < 3)
                    t += std::to_string(cta.index.x) + " " + std::to_string(cta.index.y) + " " +
                         std::to_string(cta.index.z) + " " + std::to_string(w) + " ";
                if (style.line_info) t += std::to_string(100 + inst.pc / 16) + " ";
                t += hex_text("%04" PRIx64, inst.pc) + hex_text(" %08" PRIx64 " ", inst.mask);
                t += inst.dst.empty() ? "0 " : "1 " + inst.dst + " ";
                t += inst.opcode + " " + std::to_string(inst.src.size()) + " ";
                for (const std::string& s : inst.src) t += s + " ";
                const std::string addresses = inst.mem_width == 0 ? "0 " : address_text(inst, style);
                t += addresses;
                const bool listed = inst.mem_width != 0 && addresses.find(" 0 ") != std::string::npos;
                if (style.version >= 5)
                    t += listed && style.hex_after_list
                             ? hex_text("0x%" PRIx64, static_cast<u64>(inst.immediate))
                             : std::to_string(inst.immediate);
                t += end;
            }
        }
        t += end + "#END_TB" + end;
    }
    return t;
}

enum class Packing { plain, xz, gzip, zstd, bzip2, lz4 };
constexpr Packing kPackings[] = {Packing::xz, Packing::gzip, Packing::zstd, Packing::bzip2, Packing::lz4};

inline std::string packed(const std::string& text, Packing packing) {
    if (packing == Packing::plain) return text;
    std::string out(text.size() + 4096, '\0');
    auto* to = reinterpret_cast<u8*>(out.data());
    const auto* from = reinterpret_cast<const u8*>(text.data());
    std::size_t size = 0;
    if (packing == Packing::xz) {
        if (lzma_easy_buffer_encode(1, LZMA_CHECK_CRC64, nullptr, from, text.size(), to, &size, out.size()) !=
            LZMA_OK)
            return {};
    } else if (packing == Packing::gzip) {
        z_stream stream{};
        deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
        stream.next_in = const_cast<u8*>(from);
        stream.avail_in = static_cast<uInt>(text.size());
        stream.next_out = to;
        stream.avail_out = static_cast<uInt>(out.size());
        deflate(&stream, Z_FINISH);
        size = stream.total_out;
        deflateEnd(&stream);
    } else if (packing == Packing::bzip2) {
        auto room = static_cast<unsigned>(out.size());
        if (BZ2_bzBuffToBuffCompress(out.data(), &room, const_cast<char*>(text.data()),
                                     static_cast<unsigned>(text.size()), 9, 0, 0) != BZ_OK)
            return {};
        size = room;
    } else if (packing == Packing::lz4) {
        LZ4F_preferences_t with_checksum{};
        with_checksum.frameInfo.contentChecksumFlag = LZ4F_contentChecksumEnabled;
        size = LZ4F_compressFrame(to, out.size(), from, text.size(), &with_checksum);
    } else {
        // With a checksum, as the zstd and lz4 commands write it.
        ZSTD_CCtx* context = ZSTD_createCCtx();
        ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, 1);
        size = ZSTD_compress2(context, to, out.size(), from, text.size());
        ZSTD_freeCCtx(context);
    }
    out.resize(size);
    return out;
}

}  // namespace heddle::test
