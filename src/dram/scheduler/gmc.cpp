#include "dram/scheduler/gmc.h"

namespace heddle::dram {

const config::Schema<GmcSettings>& GmcSettings::schema() {
    static const auto s =
        command_queue_keys(config::Schema<GmcSettings>("gmc", "throughput-optimized controller"));
    return s;
}

namespace {

const bool registered =
    schedulers().add<Gmc>("gmc", "row streams of limited length into per-bank command queues; writes drained",
                          "Chatterjee et al., SC 2014",
                          "age_threshold + (Q + D + 2) R, with writes age_threshold + (Q + D + 2) (B + 3) R");

}  // namespace

}  // namespace heddle::dram
