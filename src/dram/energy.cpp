#include "dram/energy.h"

#include <algorithm>
#include <tuple>

namespace heddle::dram {

namespace {

using Wide = unsigned __int128;

// uV x uA x clocks / Hz in picojoules: 1e-6 x 1e-6 x 1e12 = 1.
u64 picojoules(u64 microvolts, u64 microamperes, u64 clocks, u64 hz, u64 times) {
    return static_cast<u64>((Wide{microvolts} * microamperes * clocks * times + hz / 2) / hz);
}

constexpr u32 mA(double v) {
    return static_cast<u32>(v * 1000 + 0.5);
}
constexpr u32 volt(double v) {
    return static_cast<u32>(v * 1'000'000 + 0.5);
}

constexpr Currents kCurrents[] = {
    // name, standard, Mbit, Mb/s, width, VDD, IDD0, IDD2N, IDD3N, IDD4W, IDD4R, IDD5AB, IDD5PB
    {"ddr3_4gb_x8_1600", "ddr3", 4096, 1600, 8, volt(1.35), mA(55), mA(32), mA(38), mA(125), mA(157), mA(235),
     0},
    {"ddr3_8gb_x16_1866", "ddr3", 8192, 1866, 16, volt(1.35), mA(69), mA(38), mA(53), mA(195), mA(195),
     mA(275), 0},
    {"ddr4_8gb_x8_2400", "ddr4", 8192, 2400, 8, volt(1.2), mA(48), mA(34), mA(43), mA(123), mA(135), mA(250),
     0},
    {"ddr4_8gb_x8_3200", "ddr4", 8192, 3200, 8, volt(1.2), mA(57), mA(37), mA(52), mA(150), mA(168), mA(250),
     0},
    {"ddr4_8gb_x16_3200", "ddr4", 8192, 3200, 16, volt(1.2), mA(95), mA(37), mA(56), mA(278), mA(302),
     mA(280), 0},
    {"gddr5_1gb_x32", "gddr5", 1024, 6000, 32, volt(1.5), mA(490), mA(250), mA(450), mA(1160), mA(1080),
     mA(450), mA(45)},
    {"gddr5_8gb_x32", "gddr5", 8192, 7000, 32, volt(1.5), mA(71), mA(60), mA(61), mA(231), mA(248), mA(286),
     mA(45)},
    {"gddr6_8gb_x16", "gddr6", 8192, 14000, 16, volt(1.35), mA(71), mA(60), mA(61), mA(231), mA(248), mA(286),
     mA(45)},
    {"hbm2_4gb_x128", "hbm2", 4096, 2000, 128, volt(1.2), mA(65), mA(40), mA(55), mA(500), mA(390), mA(250),
     0},
    {"hbm2_8gb_x128", "hbm2", 8192, 2000, 128, volt(1.2), mA(65), mA(40), mA(55), mA(500), mA(390), mA(250),
     0},
};

u32 apart(u32 a, u32 b) {
    return a > b ? a - b : b - a;
}

struct PerCommand {
    u64 activate, read, write, refresh_all, refresh_bank, open, closed;  // current x clocks, or current
};

/// Charge above the background, in uA x clocks, of one device.
PerCommand charges(const Resolved& r, const Currents& c) {
    auto above = [&c](u32 current) { return current > c.idd3n ? current - c.idd3n : 0; };
    const u64 rc = r.time(Param::RC), ras = r.time(Param::RAS);
    const u64 background = c.idd3n * ras + c.idd2n * (rc - ras);
    PerCommand p{};
    p.activate = c.idd0 * rc > background ? c.idd0 * rc - background : 0;
    p.read = u64{above(c.idd4r)} * r.time(Param::BL);
    p.write = u64{above(c.idd4w)} * r.time(Param::BL);
    p.refresh_all = u64{above(c.idd5ab)} * r.time(Param::RFC);
    // Where the one-bank current is not above the background in the table, a share of the whole rank's.
    const u32 one = above(c.idd5pb);
    p.refresh_bank = one != 0 ? u64{one} * r.time(Param::RFCpb)
                              : u64{above(c.idd5ab)} * std::max(r.time(Param::RFCpb), r.time(Param::RFCsb)) /
                                    r.geometry.banks_per_rank();
    p.open = c.idd3n;
    p.closed = c.idd2n;
    return p;
}

/// How many devices with these currents a rank has (a part of one for a pseudo-channel), times 1024.
u64 devices_x1024(const Resolved& r, const Currents& c) {
    return u64{r.geometry.width_bits} * 1024 / c.device_bits;
}

}  // namespace

std::span<const Currents> currents() {
    return kCurrents;
}

const Currents* find_currents(const Resolved& r) {
    std::string_view standard = r.standard->name;
    if (standard == "hbm2e") standard = "hbm2";
    const u32 bits = r.geometry.width_bits / std::max(1u, r.geometry.devices);
    const u64 mbps = r.clock_hz / r.standard->steps * r.geometry.transfers_per_clock / 1'000'000;
    // The smallest of (another width, distance of density, distance of rate).
    auto distance = [&](const Currents& c) {
        return std::tuple(c.device_bits != bits, apart(c.density_mbit, r.density_mbit),
                          apart(c.rate_mbps, static_cast<u32>(mbps)));
    };
    const Currents* best = nullptr;
    for (const Currents& c : kCurrents)
        if (c.standard == standard && (best == nullptr || distance(c) < distance(*best))) best = &c;
    return best;
}

u64 Energy::average_mw(u64 cycles, u64 clock_hz) const {
    if (cycles == 0) return 0;
    return static_cast<u64>(Wide{total()} * clock_hz / (Wide{cycles} * 1'000'000'000));
}

Energy energy_of(const Statistics& s, const Resolved& r, const Currents& c) {
    const PerCommand p = charges(r, c);
    const u64 devices = devices_x1024(r, c);
    auto of = [&](u64 charge, u64 count) {
        return picojoules(c.vdd_uv, charge, count, r.clock_hz, devices) / 1024;
    };
    const u64 rank_cycles = s.cycles * r.geometry.all_ranks();
    Energy e;
    e.activate = of(p.activate, s.count(CommandKind::activate));
    e.read = of(p.read, s.read_bursts);
    e.write = of(p.write, s.write_bursts);
    e.refresh = of(p.refresh_all, s.count(CommandKind::refresh_all) * r.geometry.ranks_per_unit) +
                of(p.refresh_bank, s.count(CommandKind::refresh_bank) +
                                       s.count(CommandKind::refresh_same) * r.geometry.groups);
    e.background =
        of(p.open, s.open_cycles) + of(p.closed, rank_cycles - std::min(rank_cycles, s.open_cycles));
    return e;
}

Energy energy_of(const AppCounts& a, const Resolved& r, const Currents& c) {
    const PerCommand p = charges(r, c);
    const u64 devices = devices_x1024(r, c);
    auto of = [&](u64 charge, u64 count) {
        return picojoules(c.vdd_uv, charge, count, r.clock_hz, devices) / 1024;
    };
    Energy e;
    e.activate = of(p.activate, a.activates);
    e.read = of(p.read, a.read_bytes / r.geometry.access_bytes);
    e.write = of(p.write, a.written_bytes / r.geometry.access_bytes);
    return e;
}

}  // namespace heddle::dram
