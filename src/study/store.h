#pragma once
// Where results are kept: one SQLite file with a write-ahead log. Any number of commands may use it at once. Whatever
// has been put is on disk before put() returns, so killing a command loses nothing that had finished.
//
//   runs   key, saved (Unix seconds), version, machine, settings, workload, sms, alone, seconds (a worker's),
//          record (the JSON of `heddle run --json`)
//   files  path, size, changed, digest: so that a large trace is not read again to name its contents; and hashes of streams,
//          whose path is "stream KEY" (of files it begins with '/')
//
// Texts are read as UTF-8, whatever paths are called.
//
// Errors are InputErrors that name the file: not a store, damaged, read-only, disk full, locked for a minute.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sim/types.h"

struct sqlite3;

namespace heddle::study {

struct StoredRun {
    std::string key;
    i64 saved = 0;
    std::string version, machine, settings, workload, sms;
    u32 alone = 0;
    double seconds = 0;
    std::string record;
};

/// Which runs: all that fit everything that is given.
struct Filter {
    std::vector<std::string> keys = {};  ///< starts of keys; any of them
    std::string workload = {}, machine = {},
                settings = {};  ///< contained in it, as `settings` in "KEY=VALUE ..."
    i64 before = 0;             ///< saved before; 0: whenever
    bool everything() const {
        return keys.empty() && workload.empty() && machine.empty() && settings.empty() && before == 0;
    }
};

class Store {
  public:
    enum class Open : u8 {
        write,  ///< made if it is not there
        serve,  ///< the same, but one that is there and can't be written gives what it has; put() does nothing then
        read,  ///< must be there; may lie on a disk that can't be written
    };
    /// A store that ends with the program.
    static constexpr const char* kMemory = ":memory:";
    Store(const std::string& path, Open how);
    ~Store();
    Store(const Store&) = delete;
    Store& operator=(const Store&) = delete;

    const std::string& path() const { return path_; }
    bool writable() const { return writable_; }
    std::optional<std::string> record(const std::string& key);
    /// A run that is already there stays as it is.
    void put(const StoredRun& run);
    /// Calls `visit` for each that fits, oldest first; the record is read only if wanted.
    void each(const Filter& filter, bool with_record, const std::function<void(const StoredRun&)>& visit);
    /// Deletes those that fit; how many there were.
    u64 remove(const Filter& filter);

    /// SHA-256 of a file's contents, remembered by its path, size and time of change.
    std::string digest(const std::string& path);

    /// The hash of a stream (stream_hash.h), by the key of the run that it would be in.
    std::optional<std::string> stream(const std::string& key);
    void put_stream(const std::string& key, const std::string& hash);

  private:
    class Statement;
    void execute(const char* sql);
    void open_to_write();
    void open_to_read();
    /// Tables that it has; 0: a new file. Throws InputError if they are not of a store.
    i64 tables();
    [[noreturn]] void fail(int code) const;

    std::string path_;
    bool writable_ = true;
    sqlite3* db_ = nullptr;
};

/// $HEDDLE_STORE, else results.db in $XDG_DATA_HOME/heddle or ~/.local/share/heddle (which is made). Throws InputError if
/// none of these variables is set.
std::string default_store();

}  // namespace heddle::study
