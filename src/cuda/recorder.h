#pragma once
// A program's events into a recording while the program runs.
//
// The recording's writer pulls (trace/recording.h), the program pushes; a thread of the recorder stands between them. A
// kernel executes in that thread while the program's thread waits, so nothing happens at the same time and every run gives
// the same bytes.

#include <condition_variable>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <thread>

#include "trace/recording.h"
#include "trace/stream.h"

namespace heddle::cuda {

class Recorder {
  public:
    Recorder(std::string program, std::string path);
    /// Leaves nothing behind if finish() was not called.
    ~Recorder();
    Recorder(const Recorder&) = delete;
    Recorder& operator=(const Recorder&) = delete;

    void event(ProgramEvent event);
    /// Returns when the kernel has been executed and written. Throws what executing it throws; then the recording is lost.
    void launch(std::unique_ptr<KernelStream> kernel);
    /// Completes the file. Throws InputError if it could not be written.
    RecordingSummary finish();

  private:
    class Source;
    friend class Source;

    void run();
    void stop();
    void rethrow(std::unique_lock<std::mutex>& lock);

    std::string program_, path_;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::deque<ProgramEvent> events_;
    bool ended_ = false;      // no event follows
    bool abandoned_ = false;  // nor shall there be a file
    bool idle_ = false;       // the writer waits for an event and holds none
    bool over_ = false;       // the thread has nothing more to do
    std::exception_ptr error_;
    RecordingSummary summary_;
    std::thread thread_;
};

}  // namespace heddle::cuda
