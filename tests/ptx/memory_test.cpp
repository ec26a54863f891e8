// Memory: allocation, atomics in every space, vectors, generic addresses, how accesses appear in the stream.

#include <gtest/gtest.h>
#include <random>

#include "ptx/device.h"

using namespace heddle;
using namespace heddle::ptx;
using namespace heddle::ptx::test;

TEST(PtxMemory, AllocationsAreAtTheSamePlacesInEveryRunAndFreedMemoryComesBackZeroed) {
    u64 first[3];
    for (int round = 0; round < 2; ++round) {
        DeviceMemory m;
        const u64 a = m.allocate(MemoryKind::device, 1000), b = m.allocate(MemoryKind::device, 3 << 20),
                  c = m.allocate(MemoryKind::managed, 8);
        EXPECT_EQ(a % 256, 0u);
        EXPECT_EQ(b % (2 << 20), 0u);
        if (round == 1) {
            EXPECT_EQ(first[0], a);
            EXPECT_EQ(first[1], b);
            EXPECT_EQ(first[2], c);
        }
        first[0] = a;
        first[1] = b;
        first[2] = c;
        *reinterpret_cast<int*>(a + 996) = 7;
        EXPECT_TRUE(m.accessible(a + 996, 4));
        EXPECT_FALSE(m.accessible(a + 997, 4));
        EXPECT_FALSE(m.free(MemoryKind::device, a + 4));
        EXPECT_TRUE(m.free(MemoryKind::device, a));
        EXPECT_FALSE(m.free(MemoryKind::device, a));
        EXPECT_EQ(m.find(a), nullptr);
        EXPECT_NE(m.describe(a + 10).find("which was freed"), std::string::npos);
        const u64 again = m.allocate(MemoryKind::device, 1000);
        EXPECT_EQ(again, a);
        EXPECT_EQ(*reinterpret_cast<int*>(a + 996), 0);
    }
}

TEST(PtxMemory, RandomAllocationsNeverOverlapAndAreFound) {
    DeviceMemory m;
    std::mt19937 random(3);
    std::vector<std::pair<u64, u64>> live;
    for (int k = 0; k < 3000; ++k) {
        if (random() % 3 != 0 || live.empty()) {
            const u64 bytes = 1 + random() % 5000;
            const u64 at = m.allocate(MemoryKind::device, bytes);
            ASSERT_NE(at, 0u);
            for (const auto& [o, n] : live) ASSERT_TRUE(at + bytes <= o || o + n <= at);
            live.emplace_back(at, bytes);
        } else {
            const std::size_t at = random() % live.size();
            ASSERT_TRUE(m.free(MemoryKind::device, live[at].first));
            live[at] = live.back();
            live.pop_back();
        }
    }
    for (const auto& [o, n] : live) {
        ASSERT_NE(m.find(o), nullptr);
        EXPECT_EQ(m.find(o + n - 1)->address, o);
    }
}

TEST(PtxMemory, AllocationFailsBeyondTheDevice) {
    DeviceMemory m(1 << 20);
    EXPECT_EQ(m.allocate(MemoryKind::device, (1 << 20) + 1), 0u);
    EXPECT_NE(m.allocate(MemoryKind::device, 1 << 19), 0u);
    EXPECT_EQ(m.allocate(MemoryKind::device, (1 << 19) + 1), 0u);
}

namespace {

/// Each lane applies the operation to one of four words of SPACE; old values and final words come out.
std::string atomic_kernel(const std::string& space, const std::string& op, const std::string& type, bool wide,
                          bool cas) {
    const std::string bits = wide ? "b64" : "b32", r = wide ? "%v" : "%w", bytes = wide ? "8" : "4";
    std::string s =
        ".visible .entry k(.param .u64 words, .param .u64 operands, .param .u64 old) {\n"
        "\t.shared .align 8 .b8 tile[32];\n\t.reg .pred %p;\n\t.reg .b32 %i<6>, %w<4>;\n\t.reg .b64 %x<10>, "
        "%v<4>;\n"
        "\tmov.u32 %i0, %tid.x;\n\tand.b32 %i1, %i0, 3;\n\tmul.lo.u32 %i2, %i1, " +
        bytes + ";\n\tmul.lo.u32 %i3, %i0, " + bytes +
        ";\n"
        "\tcvt.u64.u32 %x0, %i2;\n\tcvt.u64.u32 %x1, %i3;\n\tld.param.u64 %x2, [words];\n\tadd.s64 %x2, %x2, "
        "%x0;\n"
        "\tld.param.u64 %x3, [operands];\n\tadd.s64 %x3, %x3, %x1;\n\tld.global." +
        bits + " " + r +
        "1, [%x3];\n"
        "\tld.param.u64 %x4, [old];\n\tadd.s64 %x4, %x4, %x1;\n"
        "\tmov.u64 %x5, tile;\n\tadd.s64 %x5, %x5, %x0;\n\tcvta.shared.u64 %x6, %x5;\n";
    const bool shared = space == "shared" || space == "generic_shared";
    if (shared)
        s += "\tld.global." + bits + " " + r + "2, [%x2];\n\tst.shared." + bits + " [%x5], " + r +
             "2;\n\tbar.sync 0;\n";
    const std::string address = space == "shared" ? "%x5" : space == "generic_shared" ? "%x6" : "%x2";
    const std::string name = space == "shared" ? ".shared" : space == "global" ? ".global" : "";
    s += "\tatom" + name + "." + op + "." + type + " " + r + "3, [" + address + "], " + r + "1" +
         (cas ? ", 99" : "") + ";\n";
    s += "\tst.global." + bits + " [%x4], " + r + "3;\n";
    if (shared)
        s += "\tbar.sync 0;\n\tld.shared." + bits + " " + r + "2, [%x5];\n\tst.global." + bits + " [%x2], " +
             r + "2;\n";
    return module_text(s + "\tret;\n}\n");
}

template <class T>
void check_atomic(const std::string& op, const std::string& type, T (*f)(T old, T operand)) {
    for (const char* space : {"global", "shared", "generic", "generic_shared"}) {
        Device d(atomic_kernel(space, op, type, sizeof(T) == 8, op == "cas"));
        std::mt19937_64 random(9);
        std::vector<T> words(4), operands(32);
        for (T& w : words) w = static_cast<T>(random() % 100);
        for (T& o : operands) o = static_cast<T>(random() % 100);
        const u64 w = d.upload(words), o = d.upload(operands), old = d.upload(std::vector<T>(32));
        d.run("k", {1, 1, 1}, {32, 1, 1}, w, o, old);
        const auto got = d.download<T>(old, 32);
        for (std::size_t lane = 0; lane < 32; ++lane) {
            EXPECT_EQ(got[lane], words[lane % 4])
                << op << "." << type << " in " << space << ", lane " << lane;
            words[lane % 4] = f(words[lane % 4], operands[lane]);
        }
        EXPECT_EQ(d.download<T>(w, 4), words) << op << "." << type << " in " << space;
        if (std::string(space) == "generic_shared") {
            u64 shared = 0;
            d.stream.each(0, 0, [&](const StaticInst& s, const DynInst&) {
                shared += s.mem == MemOp::atomic && s.space == MemSpace::shared;
            });
            EXPECT_EQ(shared, 1u);
        }
    }
}

}  // namespace

TEST(PtxMemory, AtomicsActLaneAfterLaneInEverySpace) {
    check_atomic<u32>("add", "u32", [](u32 a, u32 b) { return a + b; });
    check_atomic<u64>("add", "u64", [](u64 a, u64 b) { return a + b; });
    check_atomic<float>("add", "f32", [](float a, float b) { return a + b; });
    check_atomic<double>("add", "f64", [](double a, double b) { return a + b; });
    check_atomic<i32>("min", "s32", [](i32 a, i32 b) { return b < a ? b : a; });
    check_atomic<u64>("max", "u64", [](u64 a, u64 b) { return b > a ? b : a; });
    check_atomic<u32>("and", "b32", [](u32 a, u32 b) { return a & b; });
    check_atomic<u64>("or", "b64", [](u64 a, u64 b) { return a | b; });
    check_atomic<u32>("xor", "b32", [](u32 a, u32 b) { return a ^ b; });
    check_atomic<u32>("exch", "b32", [](u32, u32 b) { return b; });
    check_atomic<u32>("cas", "b32", [](u32 a, u32 b) { return a == b ? 99 : a; });
    check_atomic<u32>("inc", "u32", [](u32 a, u32 b) { return a >= b ? 0 : a + 1; });
    check_atomic<u32>("dec", "u32", [](u32 a, u32 b) { return a == 0 || a > b ? b : a - 1; });
}

TEST(PtxMemory, VectorsMoveElementsOfEveryWidth) {
    Device d(module_text(R"(
.visible .entry k(.param .u64 in, .param .u64 out) {
	.reg .b16 %h<5>;
	.reg .b32 %r<9>;
	.reg .b64 %rd<9>;
	ld.param.u64 %rd0, [in];
	ld.param.u64 %rd1, [out];
	mov.u32 %r0, %tid.x;
	mul.wide.u32 %rd2, %r0, 48;
	add.s64 %rd0, %rd0, %rd2;
	add.s64 %rd1, %rd1, %rd2;
	ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd0];
	st.global.v4.u32 [%rd1], {%r4, %r3, %r2, %r1};
	ld.global.v2.u64 {%rd3, %rd4}, [%rd0+16];
	st.global.v2.u64 [%rd1+16], {%rd4, %rd3};
	ld.global.v4.u8 {%h1, %h2, %h3, %h4}, [%rd0+32];
	st.global.v4.u8 [%rd1+32], {%h4, %h3, %h2, %h1};
	ld.global.s8 %r5, [%rd0+36];
	st.global.u32 [%rd1+40], %r5;
	ld.global.s16 %rd5, [%rd0+38];
	st.global.u32 [%rd1+44], %rd5;
	ret;
}
)"));
    std::vector<u8> in(32 * 48);
    std::mt19937 random(1);
    for (u8& b : in) b = static_cast<u8>(random());
    const u64 a = d.upload(in), o = d.upload(std::vector<u8>(in.size()));
    d.run("k", {1, 1, 1}, {32, 1, 1}, a, o);
    const auto out = d.download<u8>(o, in.size());
    for (std::size_t t = 0; t < 32; ++t) {
        const u8* x = in.data() + t * 48;
        const u8* y = out.data() + t * 48;
        for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(y[k], x[(3 - k / 4) * 4 + k % 4]);
        for (std::size_t k = 0; k < 16; ++k) EXPECT_EQ(y[16 + k], x[16 + (1 - k / 8) * 8 + k % 8]);
        for (std::size_t k = 0; k < 4; ++k) EXPECT_EQ(y[32 + k], x[35 - k]);
        i32 s8 = 0, s16 = 0;
        std::memcpy(&s8, y + 40, 4);
        std::memcpy(&s16, y + 44, 4);
        EXPECT_EQ(s8, static_cast<i8>(x[36]));
        EXPECT_EQ(s16, static_cast<i16>(static_cast<u16>(x[38] | x[39] << 8)));
    }
    // 16-byte accesses 48 bytes apart.
    bool seen = false;
    d.stream.each(0, 0, [&](const StaticInst& s, const DynInst& i) {
        if (s.mem != MemOp::load || s.access_bytes != 16 || seen) return;
        seen = true;
        EXPECT_EQ(i.form, AddressForm::strided);
        EXPECT_EQ(s.dst_width, 4);
    });
    EXPECT_TRUE(seen);
}

TEST(PtxMemory, LocalMemoryOfNeighbouringLanesIsNeighbouringInTheStream) {
    Device d(module_text(R"(
.visible .entry k(.param .u64 out) {
	.local .align 4 .b8 array[64];
	.reg .b32 %r<4>;
	.reg .b64 %rd<4>;
	mov.u32 %r0, %tid.x;
	mov.u64 %rd0, array;
	st.local.u32 [%rd0+8], %r0;
	cvta.local.u64 %rd1, %rd0;
	ld.u32 %r1, [%rd1+8];
	ld.param.u64 %rd2, [out];
	mul.wide.u32 %rd3, %r0, 4;
	add.s64 %rd2, %rd2, %rd3;
	st.global.u32 [%rd2], %r1;
	ret;
}
)"));
    const u64 out = d.upload(std::vector<u32>(64));
    d.run("k", {1, 1, 1}, {64, 1, 1}, out);
    const auto got = d.download<u32>(out, 64);
    for (u32 t = 0; t < 64; ++t) EXPECT_EQ(got[t], t);
    for (u32 warp = 0; warp < 2; ++warp) {
        std::vector<u64> store, load;
        d.stream.each(0, warp, [&](const StaticInst& s, const DynInst& i) {
            if (s.space != MemSpace::local) return;
            for_each_address(i, [&](int, u64 a) { (s.mem == MemOp::store ? store : load).push_back(a); });
        });
        ASSERT_EQ(store.size(), 32u);
        for (u32 k = 1; k < 32; ++k) EXPECT_EQ(store[k], store[0] + 4 * k);
        EXPECT_EQ(store, load);
        EXPECT_EQ(store[0] % 128, 0u);
    }
}

TEST(PtxMemory, ABlockHasTheSharedVariablesOfItsOwnKernelAlone) {
    // clang writes every kernel's shared variables at the level of the module.
    const auto module = Module::parse(
        ".version 6.4\n.target sm_70\n.address_size 64\n"
        ".shared .align 4 .b8 own_a[1000];\n"
        ".shared .align 16 .b8 both[512];\n"
        ".shared .align 8 .b8 own_b[2000];\n"
        ".visible .func helper()\n{\n .reg .b64 %rd<2>;\n mov.u64 %rd1, both;\n"
        " st.shared.u32 [%rd1], 1;\n ret;\n}\n"
        ".visible .entry a()\n{\n .reg .b64 %rd<2>;\n mov.u64 %rd1, own_a;\n st.shared.u32 [%rd1+996], 1;\n"
        " call helper, ();\n ret;\n}\n"
        ".visible .entry b()\n{\n .reg .b64 %rd<3>;\n mov.u64 %rd1, own_b;\n mov.u64 %rd2, both;\n"
        " st.shared.u32 [%rd1], 1;\n st.shared.u32 [%rd2], 1;\n ret;\n}\n"
        // Two more have a variable in common that the first two do not use.
        ".shared .align 4 .b8 others[4096];\n"
        ".visible .entry c()\n{\n .reg .b64 %rd<2>;\n mov.u64 %rd1, others;\n st.shared.u32 [%rd1], 1;\n"
        " ret;\n}\n"
        ".visible .entry d()\n{\n .reg .b64 %rd<2>;\n mov.u64 %rd1, others;\n st.shared.u32 [%rd1+4092], 1;\n"
        " call helper, ();\n ret;\n}\n"
        ".visible .entry none()\n{\n ret;\n}\n",
        "shared.ptx");
    Context context;
    const auto program = context.load({module});
    EXPECT_EQ(program->kernel("a")->static_shared_bytes, 512u + 1000u);
    EXPECT_EQ(program->kernel("b")->static_shared_bytes, 512u + 2000u);
    EXPECT_EQ(program->kernel("c")->static_shared_bytes,
              512u + 4096u);  // behind `both`, which d uses beside it
    EXPECT_EQ(program->kernel("d")->static_shared_bytes, 512u + 4096u);
    EXPECT_EQ(program->kernel("none")->static_shared_bytes, 0u);
    // Each writes to the end of what it has and no further.
    for (const char* name : {"a", "b", "c", "d"}) {
        Launch launch;
        launch.kernel = program->kernel(name);
        launch.grid = {1, 1, 1};
        launch.block = {1, 1, 1};
        EXPECT_NO_THROW(Execution(context, launch, nullptr).run()) << name;
    }
}
