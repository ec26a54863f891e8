#include "dram/settings.h"

#include "dram/contradictions.h"
#include "dram/scheduler.h"
#include "dram/setting_error.h"
#include "dram/write_drain.h"

namespace heddle::dram {

using config::Schema;
using config::Unit;

namespace {

constexpr config::Info time(const char* about) {
    config::Info info;
    info.unit = Unit::cycles_or_time;
    info.clock = "dram";
    info.about = about;
    return info;
}

constexpr const char* kOfPart = "0: the part's value";

}  // namespace

const Schema<TimingSettings>& TimingSettings::schema() {
    using S = TimingSettings;
    static const auto s =
        Schema<S>("timing", "timing parameters that override the speed bin's")
            .key("BL", &S::BL, time("burst on the data bus"))
            .key("CL", &S::CL, time("read command to first data"))
            .key("CWL", &S::CWL, time("write command to first data (WL)"))
            .key("RCD", &S::RCD, time("activate to read or write"))
            .key("RCDRD", &S::RCDRD, time("activate to read"))
            .key("RCDWR", &S::RCDWR, time("activate to write"))
            .key("RP", &S::RP, time("precharge to activate"))
            .key("RAS", &S::RAS, time("activate to precharge"))
            .key("RC", &S::RC, time("activate to activate in the same bank"))
            .key("RTP", &S::RTP, time("read to precharge"))
            .key("WR", &S::WR, time("end of write data to precharge"))
            .key("CCD", &S::CCD, time("column command to the next of the same kind"))
            .key("CCDS", &S::CCDS, time("as above, different bank group"))
            .key("CCDL", &S::CCDL, time("as above, same bank group"))
            .key("CCDS_WR", &S::CCDS_WR,
                 time("write to write, different bank group, if different from reads"))
            .key("CCDL_WR", &S::CCDL_WR, time("write to write, same bank group, if different from reads"))
            .key("CCDR", &S::CCDR, time("read to read in another stack level (HBM3)"))
            .key("RRD", &S::RRD, time("activate to activate in another bank"))
            .key("RRDS", &S::RRDS, time("as above, different bank group"))
            .key("RRDL", &S::RRDL, time("as above, same bank group"))
            .key("FAW", &S::FAW, time("window of four activates"))
            .key("AW32", &S::AW32, time("window of 32 activates (GDDR5)"))
            .key("WTR", &S::WTR, time("end of write data to read (CDLR)"))
            .key("WTRS", &S::WTRS, time("as above, different bank group"))
            .key("WTRL", &S::WTRL, time("as above, same bank group"))
            .key("RTW", &S::RTW, time("read command to write command; default: from CL, BL and CWL"))
            .key("CS", &S::CS, time("idle data bus between ranks (tRTRS)"))
            .key("PPD", &S::PPD, time("precharge to precharge"))
            .key("RFC", &S::RFC, time("all-bank refresh"))
            .key("RFCsb", &S::RFCsb, time("same-bank refresh"))
            .key("RFCpb", &S::RFCpb, time("one-bank refresh"))
            .key("REFI", &S::REFI, time("mean time between all-bank refreshes"))
            .key("REFIpb", &S::REFIpb, time("mean time between one-bank refreshes in a rank"))
            .key("RREFD", &S::RREFD, time("one-bank refresh to activate or refresh of another bank"))
            .key("PBR", &S::PBR, time("one-bank refresh to one-bank refresh (LPDDR5)"));
    return s;
}

namespace {

using MemorySchema = Schema<MemorySettings>;

/// Channels and their devices.
MemorySchema&& device_keys(MemorySchema&& s) {
    using S = MemorySettings;
    return std::move(s)
        .key("standard", &S::standard,
             {.def = "gddr5", .about = "ddr3, ddr4, ddr5, gddr5, gddr6, hbm2, hbm2e, hbm3 or lpddr5"})
        .key("part", &S::part,
             {.def = "gddr5_1gb_x32",
              .about = "device whose organization gives the defaults for the keys below"})
        .key("speed", &S::speed,
             {.def = "gddr5_4000", .about = "speed bin whose clock and timings are the defaults"})
        .key(
            "clock", &S::clock_hz,
            {.unit = Unit::hertz, .def = "0Hz", .max = "20GHz", .about = "command clock; 0: the speed bin's"})
        .key("channels", &S::channels,
             {.def = "1",
              .min = "1",
              .max = "1024",
              .about = "independent channels, each with its own controller"})
        .key("width_bits", &S::width_bits,
             {.def = "0",
              .max = "1024",
              .about = "data bus width of one channel (of one pseudo-channel); 0: one device"})
        .key("burst_length", &S::burst_length,
             {.def = "0", .max = "64", .about = "transfers per column command; 0: the part's value"})
        .key("transfers_per_clock", &S::transfers_per_clock,
             {.def = "0", .max = "16", .about = "data transfers per command clock; 0: the part's value"})
        .key("pseudo_channels", &S::pseudo_channels, {.def = "0", .max = "8", .about = kOfPart})
        .key("ranks", &S::ranks,
             {.def = "0", .max = "16", .about = "ranks or stack levels; 0: the part's value"})
        .key("bank_groups", &S::bank_groups, {.def = "0", .max = "32", .about = kOfPart})
        .key("banks_per_group", &S::banks_per_group, {.def = "0", .max = "32", .about = kOfPart})
        .key("rows", &S::rows, {.def = "0", .about = "rows per bank; 0: the part's value"})
        .key("row_bytes", &S::row_bytes,
             {.unit = Unit::bytes,
              .def = "0B",
              .max = "1MiB",
              .about = "row size of a bank over the whole bus width; 0: the part's value"})
        .key("activate_cycles", &S::activate_cycles,
             {.def = "0",
              .max = "8",
              .about = "clocks for which an activate holds the command bus; 0: the standard's value"})
        .one_of("command_buses", &S::command_buses,
                {{"standard", CommandBuses::standard, "as in the standard"},
                 {"shared", CommandBuses::shared, "row and column commands share one bus"},
                 {"separate", CommandBuses::separate, "one row and one column command per clock"}},
                {.def = "standard", .about = "how commands reach the devices"})
        .section("timing", &S::timing, TimingSettings::schema());
}

/// Where an address is within a channel.
MemorySchema&& address_keys(MemorySchema&& s) {
    using S = MemorySettings;
    return std::move(s)
        .key("map", &S::map,
             {.def = "[]",
              .about = "address map within a channel, lowest field first, as PART:COUNT (byte, column, "
                       "group, bank, rank, pseudo, row); empty: byte, columns of a line, pseudo, group, "
                       "columns, bank, rank, row"})
        .one_of("bank_hash", &S::bank_hash,
                {{"none", BankHash::none, "as the map says"},
                 {"xor_row", BankHash::xor_row, "bank index XOR the lowest row bits"}},
                {.def = "none", .about = "how conflicting rows spread over banks"})
        .key("line_bytes", &S::line_bytes,
             {.unit = Unit::bytes,
              .def = "128B",
              .min = "32B",
              .max = "4KiB",
              .power_of_two = true,
              .about = "largest request; always within one row"});
}

/// How requests wait.
MemorySchema&& queue_keys(MemorySchema&& s) {
    using S = MemorySettings;
    return std::move(s)
        .one_of("queues", &S::queues,
                {{"separate", QueueForm::separate, "a read queue, and a write queue that is drained"},
                 {"unified", QueueForm::unified,
                  "one queue for both; each scheduler defines where a write ranks"}},
                {.def = "separate", .about = "how requests wait"})
        .key("read_queue", &S::read_queue,
             {.def = "64", .min = "1", .max = "65536", .about = "requests; if unified, the whole queue"})
        .key("write_queue", &S::write_queue, {.def = "64", .min = "1", .max = "65536", .about = "requests"})
        .key("cpu_reserve", &S::cpu_reserve,
             {.def = "0",
              .max = "65535",
              .about = "entries of the read queue (if unified, of the whole queue) that GPUs may not take",
              .source = "Ausavarungnirun et al., ISCA 2012: 150 of 300"})
        .key("cpu_split", &S::cpu_split, {.def = "false", .about = "CPUs may take only the reserved entries"})
        .key("release_at_activate", &S::release_at_activate,
             {.def = "false",
              .about = "a queue entry is freed when a row is opened for it, not when its last column "
                       "command issues"})
        .key("drain_opens_rows", &S::drain_opens_rows,
             {.def = "true",
              .about = "during a drain, a bank that no write waits for opens the row of its best read; "
                       "false: it waits, as in Ramulator 2.1 (schedulers without command queues)"})
        .key("write_high", &S::write_high,
             {.def = "32",
              .about =
                  "number of waiting writes above which a forced drain starts; a full queue starts one too"})
        .key("write_low", &S::write_low,
             {.def = "16", .about = "number of waiting writes at or below which a forced drain ends"})
        .key("write_budget", &S::write_budget,
             {.def = "1024",
              .min = "1",
              .about = "consecutive writes served while a read waits, even above write_low; then as many "
                       "reads get their turn",
              .source = "choice: bounds a read's wait"})
        .key("write_age", &S::write_age,
             {.unit = Unit::cycles,
              .clock = "dram",
              .def = "100000",
              .max = "1000000000",
              .about = "clocks that a write waits while reads are served; then the waiting writes get "
                       "their turn, at most write_budget",
              .source = "choice: bounds a write's wait"});
}

/// In which order they are served, and what else the controller does.
MemorySchema&& service_keys(MemorySchema&& s) {
    using S = MemorySettings;
    return std::move(s)
        .choice("drain", &S::drain, write_drains(),
                {.def = "watermark", .about = "when waiting writes are served"})
        .choice("scheduler", &S::scheduler, schedulers(),
                {.def = "fr-fcfs", .about = "which request is served next"})
        .one_of("page_policy", &S::page_policy,
                {{"open", PagePolicyKind::open, "a row stays open until another is needed"},
                 {"closed", PagePolicyKind::closed, "a row closes with its last waiting request"},
                 {"adaptive", PagePolicyKind::adaptive,
                  "open, but closed after page_cap column commands or page_timeout idle clocks"}},
                {.def = "open", .about = "when rows are closed"})
        .key("page_cap", &S::page_cap,
             {.def = "0", .about = "adaptive: column commands per activation; 0: no cap"})
        .key("page_timeout", &S::page_timeout,
             {.def = "0", .about = "adaptive: idle command clocks before a row closes; 0: no timeout"})
        .one_of("refresh", &S::refresh,
                {{"off", RefreshMode::off, "no refresh"},
                 {"all_bank", RefreshMode::all_bank, "every bank of a rank at once"},
                 {"same_bank", RefreshMode::same_bank, "the same bank of every group (DDR5)"},
                 {"per_bank", RefreshMode::per_bank, "bank by bank"}},
                {.def = "off", .about = "how the cells are refreshed"})
        .key("refresh_postpone", &S::refresh_postpone,
             {.def = "0", .max = "8", .about = "refreshes that may be postponed while requests wait"})
        .key("forward_writes", &S::forward_writes,
             {.def = "true", .about = "answer a read from the write queue if a waiting write covers it"});
}

}  // namespace

const Schema<MemorySettings>& MemorySettings::schema() {
    static const auto s = service_keys(queue_keys(address_keys(device_keys(MemorySchema(
                                           "memory", "one DRAM memory: channels, devices, controllers")))))
                              .check_all([](const MemorySettings& memory) -> config::Complaint {
                                  try {
                                      check(memory);
                                  } catch (const SettingError& wrong) {
                                      return {wrong.keys(), wrong.text()};
                                  }
                                  return {};
                              });
    return s;
}

}  // namespace heddle::dram
