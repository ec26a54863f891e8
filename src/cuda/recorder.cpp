#include "cuda/recorder.h"

#include "sim/error.h"

namespace heddle::cuda {
namespace {

/// Unwinds out of the writer, which then leaves nothing behind.
struct Abandoned {};

}  // namespace

class Recorder::Source final : public StreamSource {
  public:
    explicit Source(Recorder& recorder) : recorder_(recorder) {}
    const std::string& name() const override { return recorder_.program_; }

    bool next(ProgramEvent& out) override {
        out = SyncEvent{};  // ends the kernel before, for which launch() waits
        std::unique_lock lock(recorder_.mutex_);
        if (recorder_.events_.empty()) {
            recorder_.idle_ = true;
            recorder_.changed_.notify_all();
            recorder_.changed_.wait(lock, [&] { return !recorder_.events_.empty() || recorder_.ended_; });
            recorder_.idle_ = false;
        }
        if (recorder_.abandoned_) throw Abandoned{};
        if (recorder_.events_.empty()) return false;
        out = std::move(recorder_.events_.front());
        recorder_.events_.pop_front();
        return true;
    }

  private:
    Recorder& recorder_;
};

Recorder::Recorder(std::string program, std::string path)
    : program_(std::move(program)), path_(std::move(path)), thread_([this] { run(); }) {}

Recorder::~Recorder() {
    {
        const std::lock_guard lock(mutex_);
        abandoned_ = true;
    }
    stop();
}

void Recorder::run() {
    std::exception_ptr error;
    RecordingSummary summary;
    try {
        Source source(*this);
        summary = record(source, path_, Compression::fast);
    } catch (const Abandoned&) {
    } catch (...) {
        error = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    error_ = error;
    summary_ = summary;
    over_ = true;
    changed_.notify_all();
}

void Recorder::stop() {
    {
        const std::lock_guard lock(mutex_);
        ended_ = true;
        changed_.notify_all();
    }
    if (thread_.joinable()) thread_.join();
}

void Recorder::rethrow(std::unique_lock<std::mutex>& lock) {
    if (error_ == nullptr) return;
    const std::exception_ptr error = error_;
    lock.unlock();
    std::rethrow_exception(error);
}

void Recorder::event(ProgramEvent event) {
    std::unique_lock lock(mutex_);
    rethrow(lock);
    events_.push_back(std::move(event));
    changed_.notify_all();
}

void Recorder::launch(std::unique_ptr<KernelStream> kernel) {
    event(LaunchEvent{std::move(kernel)});
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return over_ || (idle_ && events_.empty()); });
    rethrow(lock);
}

RecordingSummary Recorder::finish() {
    stop();
    if (error_ != nullptr) std::rethrow_exception(error_);
    return summary_;
}

}  // namespace heddle::cuda
