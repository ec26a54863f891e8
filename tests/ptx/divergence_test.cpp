// Random control flow in a warp against one thread at a time.

#include <functional>
#include <gtest/gtest.h>
#include <random>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

namespace {

constexpr u32 kRegisters = 5;

/// x[d] = x[a] OP (x[b] or a constant).
struct Step {
    u32 op, d, a, b, constant;
};
struct Node {
    std::vector<Step> steps;
    enum { jump, branch, leave } end;
    u32 tested, bits, target, other;  // branch to target if (x[tested] & bits) != 0, else to other
};
struct Graph {
    std::vector<Node> nodes;
    u32 fuel;
};

/// In graphs of mixed widths, whether x[r] has 64 bits.
bool has_64_bits(u32 r) {
    return r % 2 == 1;
}

template <class T>
T apply(u32 op, T a, T b) {
    switch (op) {
        case 0:
            return a + b;
        case 1:
            return a ^ b;
        case 2:
            return a * (b | 1);
        default:
            return a >> (b & 7);
    }
}

/// Random u32s (the standard engine's result type is wider).
struct Random {
    explicit Random(u32 seed) : engine(seed) {}
    u32 operator()() { return static_cast<u32>(engine()); }
    std::mt19937 engine;
};

Graph random_graph(Random& random, u32 nodes, bool structured) {
    Graph g;
    g.fuel = 20 + random() % 40;
    for (u32 k = 0; k < nodes; ++k) {
        Node n;
        for (u32 s = random() % 3; s < 3; ++s)
            n.steps.push_back({static_cast<u32>(random() % 4), static_cast<u32>(random() % kRegisters),
                               static_cast<u32>(random() % kRegisters),
                               static_cast<u32>(random() % (kRegisters + 1)),
                               static_cast<u32>(random() % 1000)});
        n.tested = random() % kRegisters;
        n.bits = 1u << random() % 6;
        if (structured) {
            // Forward diamonds and loops: back by at most three, or ahead by at most three.
            const u32 ahead = std::min(nodes - 1, k + 1 + static_cast<u32>(random() % 3)),
                      back = k - std::min<u32>(k, random() % 4);
            n.end = k + 1 == nodes ? Node::leave : random() % 5 == 0 ? Node::jump : Node::branch;
            n.target = random() % 3 == 0 && n.end == Node::branch ? back : ahead;
            n.other = std::min(nodes - 1, k + 1);
        } else {
            n.end = random() % 8 == 0 ? Node::leave : random() % 4 == 0 ? Node::jump : Node::branch;
            n.target = random() % nodes;
            n.other = random() % nodes;
        }
        g.nodes.push_back(std::move(n));
    }
    return g;
}

/// Wide: steps compute in 64 bits, and only half of the registers keep all of them.
template <class T>
u32 evaluate(const Graph& g, u32 thread) {
    T x[kRegisters];
    for (u32 r = 0; r < kRegisters; ++r) x[r] = (thread + 1) * 2654435761u >> (r + 3);
    u32 fuel = g.fuel, at = 0;
    for (;;) {
        const Node& n = g.nodes[at];
        for (const Step& s : n.steps) {
            x[s.d] = apply<T>(s.op, x[s.a], s.b == kRegisters ? s.constant : x[s.b]);
            if (!has_64_bits(s.d)) x[s.d] = static_cast<u32>(x[s.d]);
        }
        if (fuel-- == 0 || n.end == Node::leave) break;
        at = n.end == Node::jump || (x[n.tested] & n.bits) != 0 ? n.target : n.other;
    }
    u32 sum = 0;
    for (u32 r = 0; r < kRegisters; ++r)
        sum = sum * 31 + (sizeof(T) == 8 ? static_cast<u32>(x[r] ^ u64{x[r]} >> 32) : static_cast<u32>(x[r]));
    return sum;
}

std::string ptx_of(const Graph& g, bool in_function) {
    auto x = [](u32 r) { return "%x" + std::to_string(r); };
    std::string s;
    auto line = [&](const std::string& t) { s += "\t" + t + ";\n"; };
    const std::string head =
        "\t.reg .pred %p;\n\t.reg .b32 %x<5>, %t, %fuel, %sum, %thread;\n\t.reg .b64 %rd<3>;\n";
    if (in_function)
        s += ".func (.param .b32 result) walk(.param .b32 number) {\n" + head +
             "\tld.param.u32 %thread, [number];\n";
    else
        s += ".visible .entry k(.param .u64 out) {\n" + head + "\tmov.u32 %thread, %tid.x;\n";
    line("add.u32 %t, %thread, 1");
    line("mul.lo.u32 %t, %t, 2654435761");
    for (u32 r = 0; r < kRegisters; ++r) line("shr.u32 " + x(r) + ", %t, " + std::to_string(r + 3));
    line("mov.u32 %fuel, " + std::to_string(g.fuel));
    for (u32 k = 0; k < g.nodes.size(); ++k) {
        const Node& n = g.nodes[k];
        s += "N" + std::to_string(k) + ":\n";
        for (const Step& p : n.steps) {
            const std::string b = p.b == kRegisters ? std::to_string(p.constant) : x(p.b);
            switch (p.op) {
                case 0:
                    line("add.u32 " + x(p.d) + ", " + x(p.a) + ", " + b);
                    break;
                case 1:
                    line("xor.b32 " + x(p.d) + ", " + x(p.a) + ", " + b);
                    break;
                case 2:
                    line("or.b32 %t, " + b + ", 1");
                    line("mul.lo.u32 " + x(p.d) + ", " + x(p.a) + ", %t");
                    break;
                default:
                    line("and.b32 %t, " + b + ", 7");
                    line("shr.u32 " + x(p.d) + ", " + x(p.a) + ", %t");
            }
        }
        line("setp.eq.u32 %p, %fuel, 0");
        line("@%p bra END");
        line("sub.u32 %fuel, %fuel, 1");
        if (n.end == Node::leave) {
            line("bra END");
        } else if (n.end == Node::jump) {
            line("bra N" + std::to_string(n.target));
        } else {
            line("and.b32 %t, " + x(n.tested) + ", " + std::to_string(n.bits));
            line("setp.ne.u32 %p, %t, 0");
            line("@%p bra N" + std::to_string(n.target));
            line("bra N" + std::to_string(n.other));
        }
    }
    s += "END:\n";
    line("mov.u32 %sum, 0");
    for (u32 r = 0; r < kRegisters; ++r) line("mad.lo.u32 %sum, %sum, 31, " + x(r));
    if (in_function) {
        line("st.param.b32 [result], %sum");
        line("ret");
        s += "}\n.visible .entry k(.param .u64 out) {\n\t.reg .b32 %r<3>;\n\t.reg .b64 %rd<3>;\n\tmov.u32 "
             "%r1, %tid.x;\n"
             "\t{\n\t.param .b32 a;\n\tst.param.b32 [a], %r1;\n\t.param .b32 b;\n\tcall.uni (b), walk, "
             "(a);\n\tld.param.b32 %r2, [b];\n\t}\n"
             "\tld.param.u64 %rd0, [out];\n\tmul.wide.u32 %rd1, %r1, 4;\n\tadd.s64 %rd0, %rd0, "
             "%rd1;\n\tst.global.u32 [%rd0], %r2;\n\tret;\n}\n";
    } else {
        s += "\tld.param.u64 %rd0, [out];\n\tmul.wide.u32 %rd1, %thread, 4;\n\tadd.s64 %rd0, %rd0, "
             "%rd1;\n\tst.global.u32 [%rd0], %sum;\n\tret;\n}\n";
    }
    return module_text(s);
}

/// The same with 64-bit steps, as a kernel.
std::string ptx_of_wide(const Graph& g) {
    std::string s =
        ".visible .entry k(.param .u64 out) {\n\t.reg .pred %p;\n\t.reg .b32 %x<5>, %t, %fuel, %sum, "
        "%thread;\n"
        "\t.reg .b64 %w<5>, %a, %b, %rd<3>;\n";
    auto line = [&](const std::string& t) { s += "\t" + t + ";\n"; };
    auto name = [](u32 r) { return (has_64_bits(r) ? "%w" : "%x") + std::to_string(r); };
    auto read = [&](const std::string& to, u32 r) {
        line((has_64_bits(r) ? "mov.b64 " : "cvt.u64.u32 ") + to + ", " + name(r));
    };
    line("mov.u32 %thread, %tid.x");
    line("add.u32 %t, %thread, 1");
    line("mul.lo.u32 %t, %t, 2654435761");
    for (u32 r = 0; r < kRegisters; ++r) {
        line("shr.u32 %sum, %t, " + std::to_string(r + 3));
        line((has_64_bits(r) ? "cvt.u64.u32 " : "mov.u32 ") + name(r) + ", %sum");
    }
    line("mov.u32 %fuel, " + std::to_string(g.fuel));
    for (u32 k = 0; k < g.nodes.size(); ++k) {
        const Node& n = g.nodes[k];
        s += "N" + std::to_string(k) + ":\n";
        for (const Step& p : n.steps) {
            read("%a", p.a);
            if (p.b == kRegisters)
                line("mov.b64 %b, " + std::to_string(p.constant));
            else
                read("%b", p.b);
            if (p.op == 2) line("or.b64 %b, %b, 1");
            if (p.op == 3) line("cvt.u32.u64 %t, %b");
            if (p.op == 3) line("and.b32 %t, %t, 7");
            static const char* const kOps[]{"add.u64 %a, %a, %b", "xor.b64 %a, %a, %b",
                                            "mul.lo.u64 %a, %a, %b", "shr.u64 %a, %a, %t"};
            line(kOps[p.op]);
            line((has_64_bits(p.d) ? "mov.b64 " : "cvt.u32.u64 ") + name(p.d) + ", %a");
        }
        line("setp.eq.u32 %p, %fuel, 0");
        line("@%p bra END");
        line("sub.u32 %fuel, %fuel, 1");
        if (n.end != Node::branch) {
            line(n.end == Node::leave ? "bra END" : "bra N" + std::to_string(n.target));
            continue;
        }
        read("%a", n.tested);
        line("and.b64 %a, %a, " + std::to_string(n.bits));
        line("setp.ne.u64 %p, %a, 0");
        line("@%p bra N" + std::to_string(n.target));
        line("bra N" + std::to_string(n.other));
    }
    s += "END:\n";
    line("mov.u32 %sum, 0");
    for (u32 r = 0; r < kRegisters; ++r) {
        read("%a", r);
        line("shr.u64 %b, %a, 32");
        line("xor.b64 %a, %a, %b");
        line("cvt.u32.u64 %t, %a");
        line("mad.lo.u32 %sum, %sum, 31, %t");
    }
    return module_text(s +
                       "\tld.param.u64 %rd0, [out];\n\tmul.wide.u32 %rd1, %thread, 4;\n\tadd.s64 %rd0, %rd0, "
                       "%rd1;\n\tst.global.u32 [%rd0], %sum;\n\tret;\n}\n");
}

void run_and_compare(const std::string& text, const std::function<u32(u32)>& expected) {
    Device d(text);
    const u32 threads = 70;
    const u64 out = d.upload(std::vector<u32>(threads));
    d.run("k", {1, 1, 1}, {threads, 1, 1}, out);
    const auto got = d.download<u32>(out, threads);
    for (u32 t = 0; t < threads; ++t) ASSERT_EQ(got[t], expected(t)) << "thread " << t << "\n" << text;
}

void compare(bool structured, bool in_function, u32 seed) {
    Random random(seed);
    for (int round = 0; round < 25; ++round) {
        const Graph g = random_graph(random, 4 + random() % 14, structured);
        run_and_compare(ptx_of(g, in_function), [&](u32 t) { return evaluate<u32>(g, t); });
    }
}

}  // namespace

TEST(PtxDivergence, StructuredFlowGivesWhatEachThreadAloneGives) {
    compare(true, false, 1);
}
TEST(PtxDivergence, UnstructuredFlowGivesWhatEachThreadAloneGives) {
    compare(false, false, 2);
}
TEST(PtxDivergence, FlowInsideAFunctionGivesWhatEachThreadAloneGives) {
    compare(false, true, 3);
}

TEST(PtxDivergence, NarrowAndWideRegistersKeepWhatOtherLanesWaitWith) {
    Random random(4);
    for (int round = 0; round < 50; ++round) {
        const Graph g = random_graph(random, 4 + random() % 14, round % 2 == 0);
        run_and_compare(ptx_of_wide(g), [&](u32 t) { return evaluate<u64>(g, t); });
    }
}

TEST(PtxDivergence, LanesMeetAgainAfterADiamondAndAfterAnEarlyExit) {
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.reg .pred %p<3>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<3>;
	mov.u32 %r0, %tid.x;
	setp.lt.u32 %p0, %r0, 4;
	@%p0 bra GONE;
	and.b32 %r1, %r0, 1;
	setp.eq.u32 %p1, %r1, 0;
	mov.u32 %r2, 7;
	@%p1 bra EVEN;
	mul.lo.u32 %r2, %r0, 3;
	bra JOIN;
EVEN:
	mul.lo.u32 %r2, %r0, 5;
JOIN:
	ld.param.u64 %rd0, [out];
	mul.wide.u32 %rd1, %r0, 4;
	add.s64 %rd0, %rd0, %rd1;
	st.global.u32 [%rd0], %r2;
GONE:
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(32));
    d.run("k", {1, 1, 1}, {32, 1, 1}, out);
    std::vector<u64> multiply_masks, store_masks;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst& i) {
        if (s.op == OpClass::int_mul) multiply_masks.push_back(i.mask);
        if (s.mem == MemOp::store) store_masks.push_back(i.mask);
    });
    EXPECT_EQ(multiply_masks, (std::vector<u64>{0xaaaaaaa0, 0x55555550}));
    EXPECT_EQ(store_masks, (std::vector<u64>{0xfffffff0}));
}

TEST(PtxDivergence, LanesMeetInALoopThatOnlyExitsLeave) {
    // Lane n goes on when lane n - 1 has set its flag; the counter makes every round look like progress.
    Device d(module_text(R"(
.visible .entry k(.param .u64 flags, .param .u64 out) {
	.reg .pred %p<3>;
	.reg .b32 %r<4>;
	.reg .b64 %rd<5>;
	mov.u32 %r0, %tid.x;
	ld.param.u64 %rd0, [flags];
	mul.wide.u32 %rd1, %r0, 4;
	add.s64 %rd2, %rd0, %rd1;
	ld.param.u64 %rd3, [out];
	add.s64 %rd4, %rd3, %rd1;
	mov.u32 %r1, 0;
	bra LOOP;
GONE:
	ret;
LOOP:
	add.u32 %r1, %r1, 1;
	mov.u32 %r3, 0;
	ld.volatile.global.u32 %r2, [%rd2];
	setp.eq.u32 %p0, %r2, 0;
	@%p0 bra LATCH;
	st.volatile.global.u32 [%rd2 + 4], 1;
	st.global.u32 [%rd4], %r1;
	mov.u32 %r3, 1;
LATCH:
	setp.ne.u32 %p1, %r3, 0;
	@%p1 bra GONE;
	bra LOOP;
}
)"));
    std::vector<u32> flags(33);
    flags[0] = 1;
    const u64 in = d.upload(flags), out = d.upload(std::vector<u32>(32));
    d.run("k", {1, 1, 1}, {32, 1, 1}, in, out);
    std::vector<u32> rounds;
    for (u32 lane = 0; lane < 32; ++lane) rounds.push_back(lane + 1);
    EXPECT_EQ(d.download<u32>(out, 32), rounds);
}

TEST(PtxDivergence, ABarrierInBothSidesOfABranchIsOneBarrier) {
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.shared .b32 s[64];
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<3>;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, s;
	shl.b32 %r2, %r0, 2;
	add.u32 %r3, %r1, %r2;
	st.shared.u32 [%r3], %r0;
	and.b32 %r4, %r0, 1;
	setp.eq.u32 %p0, %r4, 0;
	@%p0 bra EVEN;
	bar.sync 0;
	bra JOIN;
EVEN:
	bar.sync 0;
JOIN:
	xor.b32 %r5, %r2, 252;
	add.u32 %r5, %r1, %r5;
	ld.shared.u32 %r6, [%r5];
	ld.param.u64 %rd0, [out];
	cvt.u64.u32 %rd1, %r2;
	add.s64 %rd0, %rd0, %rd1;
	st.global.u32 [%rd0], %r6;
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(64));
    d.run("k", {1, 1, 1}, {64, 1, 1}, out);
    const auto got = d.download<u32>(out, 64);
    for (u32 t = 0; t < 64; ++t) EXPECT_EQ(got[t], t ^ 63);
}

TEST(PtxDivergence, AWarpBarrierInBothSidesOfABranchIsOneBarrier) {
    // In round r lane r tells r + 1; everyone else adds it up; then all wipe it out.
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.shared .b32 said;
	.reg .pred %p<3>;
	.reg .b32 %r<8>;
	.reg .b64 %rd<3>;
	mov.u32 %r0, %tid.x;
	mov.u32 %r1, 0;
	mov.u32 %r2, 0;
ROUND:
	add.u32 %r3, %r1, 1;
	setp.ne.u32 %p0, %r0, %r1;
	@%p0 bra LISTEN;
	st.volatile.shared.u32 [said], %r3;
	bar.warp.sync -1;
	bra JOIN;
LISTEN:
	bar.warp.sync 0xffffffff;
	ld.volatile.shared.u32 %r4, [said];
	add.u32 %r2, %r2, %r4;
JOIN:
	bar.warp.sync -1;
	st.volatile.shared.u32 [said], 0;
	bar.warp.sync -1;
	mov.u32 %r1, %r3;
	setp.lt.u32 %p1, %r1, 32;
	@%p1 bra ROUND;
	ld.param.u64 %rd0, [out];
	mul.wide.u32 %rd1, %r0, 4;
	add.s64 %rd0, %rd0, %rd1;
	st.global.u32 [%rd0], %r2;
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(32));
    d.run("k", {1, 1, 1}, {32, 1, 1}, out);
    const auto got = d.download<u32>(out, 32);
    for (u32 t = 0; t < 32; ++t) EXPECT_EQ(got[t], 33 * 16 - (t + 1)) << t;
    // Every lane passes each of the three barriers of a round once.
    u64 passed = 0;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst& i) {
        if (s.op == OpClass::other) passed += static_cast<u64>(__builtin_popcountll(i.mask));
    });
    EXPECT_EQ(passed, 32u * 32 * 3);
}
