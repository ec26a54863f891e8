// FCFS: each bank serves its oldest request, whatever row is open. Source: Rixner et al., ISCA 2000 (in
// order).

#include "dram/scheduler/queue_scheduler.h"

namespace heddle::dram {

namespace {

class Fcfs final : public QueueScheduler {
  public:
    explicit Fcfs(const SchedulerContext& context) : QueueScheduler(context) { use_plain_order(false); }

  private:
    bool hits_first(u32) const override { return false; }
};

const bool registered =
    schedulers().add<Fcfs>("fcfs", "the oldest request of each bank first", "Rixner et al., ISCA 2000",
                           "(Q + 2) R, with writes (Q + 2) (B + 3) R");

}  // namespace

}  // namespace heddle::dram
