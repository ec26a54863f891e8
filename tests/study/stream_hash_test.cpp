// What a stream's hash depends on, and on what it does not.

#include "study/stream_hash.h"

#include <gtest/gtest.h>

#include "cli/program.h"
#include "study/sha256.h"
#include "trace/cta_writer.h"
#include "trace/open.h"
#include "trace/recording.h"

namespace heddle::study {
namespace {

std::string hash_of(const std::string& word) {
    return stream_hash(*open_source(word));
}

/// One kernel: one CTA of one warp, which loads once, a lane for each address.
class OneLoad final : public KernelStream {
  public:
    enum class Form : u8 { shortest, strided };
    OneLoad(std::vector<u64> lanes, Form form) : lanes_(std::move(lanes)), form_(form) {
        info_.name = "some name";
        info_.place = "/some/where.ptx:3";
        info_.block = {static_cast<u32>(lanes_.size()), 1, 1};
        info_.registers = 16;
        StaticInst load;
        load.pc = 8;
        load.dst[0] = 3;
        load.src[0] = 2;
        load.op = OpClass::memory;
        load.mem = MemOp::load;
        load.space = MemSpace::global;
        load.access_bytes = 4;
        // The first is never executed: it has no number.
        insts_ = {StaticInst{}, load};
    }
    const KernelInfo& info() const override { return info_; }
    const std::vector<StaticInst>& static_insts() const override { return insts_; }
    bool next_cta(CtaStream& out) override {
        if (done_) return false;
        done_ = true;
        CtaWriter writer(out, info_);
        writer.begin({0, 0, 0});
        writer.begin_warp();
        const u64 mask = (u64{1} << lanes_.size()) - 1;
        if (form_ == Form::strided)
            writer.add_strided(1, mask, lanes_[0], static_cast<i32>(lanes_[1] - lanes_[0]));
        else
            writer.add(1, mask, lanes_);
        writer.end_warp();
        return true;
    }

  private:
    KernelInfo info_;
    std::vector<StaticInst> insts_;
    std::vector<u64> lanes_;
    Form form_;
    bool done_ = false;
};

/// A host allocation, a copy from it, the load, a wait, and the allocation's end.
class OneProgram final : public StreamSource {
  public:
    OneProgram(u64 host, std::vector<u64> lanes, OneLoad::Form form = OneLoad::Form::shortest)
        : host_(host), lanes_(std::move(lanes)), form_(form) {}
    const std::string& name() const override { return name_; }
    bool next(ProgramEvent& out) override {
        switch (at_++) {
            case 0:
                out = AllocEvent{host_, 4096, AllocEvent::Kind::host};
                return true;
            case 1:
                out = CopyEvent{CopyKind::host_to_device, 0x7000, host_ + 16, 64, 0};
                return true;
            case 2:
                out = LaunchEvent{std::make_unique<OneLoad>(lanes_, form_)};
                return true;
            case 3:
                out = SyncEvent{SyncEvent::Kind::wait, 5, 6};
                return true;
            case 4:
                out = FreeEvent{host_};
                return true;
            default:
                return false;
        }
    }

  private:
    u64 host_;
    std::vector<u64> lanes_;
    OneLoad::Form form_;
    std::string name_ = "a program";
    int at_ = 0;
};

std::string hash_of(u64 host, std::vector<u64> lanes, OneLoad::Form form = OneLoad::Form::shortest) {
    OneProgram program(host, std::move(lanes), form);
    return stream_hash(program);
}

/// `bytes` of a number, low first.
std::string number(u64 value, int bytes) {
    std::string out;
    for (int k = 0; k < bytes; ++k) out += static_cast<char>(k < 8 ? value >> (8 * k) : 0);
    return out;
}

/// What is hashed of OneProgram, given what is hashed of the addresses.
std::string described(unsigned lanes, const std::string& addresses) {
    std::string bytes = "heddle stream 1\n";
    const u64 host = u64{1} << 63;
    bytes += "a" + number(2, 1) + number(host, 8) + number(4096, 8);
    bytes += "c" + number(0, 1) + number(0x7000, 8) + number(host + 16, 8) + number(64, 8) + number(0, 8);
    bytes += "L";
    for (const unsigned v : {1u, 1u, 1u, lanes, 1u, 1u}) bytes += number(v, 4);
    bytes += number(0, 4) + number(16, 4) + number(0, 8) + number(32, 4) + number(0, 1);
    bytes += "C" + number(0, 12);
    bytes += "I" + number(0, 4);
    bytes += number(8, 8) + number(3, 2) + number(0xffff, 2) + number(2, 2) + number(0xffff, 2) +
             number(0xffff, 2) + number(0xffff, 2);
    bytes += number(static_cast<u64>(OpClass::memory), 1) + number(1, 1) + number(1, 1) + number(4, 1) +
             number(0, 4) + number(1, 1) + number(0, 2);
    bytes += number((u64{1} << lanes) - 1, 8) + number(0, 1) + addresses + "WE";
    bytes += "s" + number(1, 1) + number(5, 8) + number(6, 8);
    return bytes + "f" + number(host, 8);
}

TEST(StreamHash, IsTheSha256OfTheBytesThatItsHeaderDescribes) {
    constexpr u64 kHost = 0x5555'0000, kFar = u64{1} << 40;
    EXPECT_EQ(hash_of(kHost, {0x9000, 0x9040}),
              sha256(described(2, number(1, 1) + number(0x9000, 8) + number(64, 8))));
    EXPECT_EQ(
        hash_of(kHost, {0x9000, 0x9040, 0x9020}),
        sha256(described(3, number(2, 1) + number(0x9000, 8) + number(0x40, 4) + number(~u64{0x1f}, 4))));
    EXPECT_EQ(hash_of(kHost, {0x9000, 0x9040, kFar}),
              sha256(described(3, number(3, 1) + number(0x9000, 8) + number(0x9040, 8) + number(kFar, 8))));
}

TEST(StreamHash, DoesNotDependOnWhereHostMemoryLiesOrHowAddressesAreWritten) {
    const std::string one = hash_of(0x5555'0000, {0x9000, 0x9040});
    EXPECT_EQ(hash_of(0x7fff'1230'0000, {0x9000, 0x9040}), one);
    EXPECT_EQ(hash_of(0x5555'0000, {0x9000, 0x9040}, OneLoad::Form::strided), one);
    EXPECT_NE(hash_of(0x5555'0000, {0x9000, 0x9044}), one);
    // Loads of host memory move with it.
    EXPECT_EQ(hash_of(0x5555'0000, {0x5555'0008, 0x5555'0100}),
              hash_of(0x7fff'1230'0000, {0x7fff'1230'0008, 0x7fff'1230'0100}));
    EXPECT_NE(hash_of(0x5555'0000, {0x5555'0008, 0x5555'0100}),
              hash_of(0x7fff'1230'0000, {0x7fff'1230'0010, 0x7fff'1230'0108}));
}

TEST(StreamHash, OfARecordingIsThatOfWhatWasRecorded) {
    const TemporaryFolder folder;
    for (const char* pattern :
         {"pattern:random,ctas=3,accesses=6,divergence=16", "pattern:stream,ctas=2",
          "pattern:gather,ctas=1,threads=40", "pattern:chase,ctas=1,accesses=40000,threads=32"}) {
        const std::string hash = hash_of(pattern);
        for (const Compression how : {Compression::small, Compression::fast}) {
            const std::string file = folder.path() + "/some-name.heddle";
            record(*open_source(pattern), file, how);
            EXPECT_EQ(hash_of(file), hash) << pattern;
        }
        EXPECT_EQ(hash_of(pattern), hash) << pattern;
    }
    EXPECT_NE(hash_of("pattern:random,ctas=3"), hash_of("pattern:random,ctas=3,seed=2"));
    EXPECT_NE(hash_of("pattern:stream,ctas=2"), hash_of("pattern:stream,ctas=3"));
}

TEST(StreamHash, OfSeveralApplicationsIsThatOfTheirHashesLineByLine) {
    EXPECT_EQ(workload_hash({"aa"}), "aa");
    EXPECT_EQ(workload_hash({"aa", "bb"}), sha256("aa\nbb\n"));
}

}  // namespace
}  // namespace heddle::study
