#include "study/store.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fmt/format.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "sim/error.h"
#include "sim/text.h"
#include "study/sha256.h"

namespace heddle::study {
namespace {

constexpr int kApplication = 0x48644c31;  // "HdL1": names the file's format
constexpr int kPatience = 60'000;         // milliseconds that another command may keep it locked

constexpr const char* kTables = R"(
CREATE TABLE IF NOT EXISTS runs(key TEXT PRIMARY KEY, saved INTEGER NOT NULL, version TEXT NOT NULL,
  machine TEXT NOT NULL, settings TEXT NOT NULL, workload TEXT NOT NULL, sms TEXT NOT NULL, alone INTEGER NOT NULL,
  seconds REAL NOT NULL, record TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS files(path TEXT PRIMARY KEY, size INTEGER NOT NULL, changed INTEGER NOT NULL,
  digest TEXT NOT NULL);
)";

constexpr const char* kWhere =
    " WHERE (?1='' OR EXISTS(SELECT 1 FROM json_each(?1) WHERE runs.key LIKE value || '%'))"
    " AND instr(workload, ?2) != 0 AND instr(machine, ?3) != 0 AND instr(settings, ?4) != 0"
    " AND (?5 = 0 OR saved < ?5)";

}  // namespace

/// A prepared statement; parameters count from 1, columns from 0.
class Store::Statement {
  public:
    Statement(Store& store, const std::string& sql) : store_(store) {
        const int code = sqlite3_prepare_v2(store.db_, sql.c_str(), -1, &statement_, nullptr);
        if (code != SQLITE_OK) store.fail(code);
    }
    ~Statement() { sqlite3_finalize(statement_); }
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;

    Statement& bind(int at, const std::string& text) {
        sqlite3_bind_text64(statement_, at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
        return *this;
    }
    Statement& bind(int at, i64 number) {
        sqlite3_bind_int64(statement_, at, number);
        return *this;
    }
    Statement& bind(int at, double number) {
        sqlite3_bind_double(statement_, at, number);
        return *this;
    }
    /// The filter of kWhere.
    Statement& bind(const Filter& f) {
        std::string keys;
        for (const std::string& key : f.keys) keys += fmt::format("{}\"{}\"", keys.empty() ? "[" : ",", key);
        return bind(1, keys.empty() ? keys : keys + "]")
            .bind(2, f.workload)
            .bind(3, f.machine)
            .bind(4, f.settings)
            .bind(5, f.before);
    }
    bool step() {
        const int code = sqlite3_step(statement_);
        if (code != SQLITE_ROW && code != SQLITE_DONE) store_.fail(code);
        return code == SQLITE_ROW;
    }
    std::string text(int column) {
        const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
        return bytes == nullptr
                   ? std::string{}
                   : valid_utf8({bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))});
    }
    i64 number(int column) { return sqlite3_column_int64(statement_, column); }
    double real(int column) { return sqlite3_column_double(statement_, column); }

  private:
    Store& store_;
    sqlite3_stmt* statement_ = nullptr;
};

void Store::fail(int code) const {
    const char* why = sqlite3_errstr(code);
    switch (code & 0xff) {
        case SQLITE_IOERR:
            if (!writable_ || code == SQLITE_IOERR_READ || code == SQLITE_IOERR_SHORT_READ)
                throw InputError(fmt::format("cannot read the store {}: {}", path_, why));
            [[fallthrough]];
        case SQLITE_FULL:
            throw InputError(fmt::format("cannot write the store {}: {}; the runs in it are intact", path_,
                                         (code & 0xff) == SQLITE_FULL ? "the disk is full" : why));
        case SQLITE_READONLY:
        case SQLITE_PERM:
            throw InputError(
                fmt::format("the store {} is read-only; give a writable one with --store FILE", path_));
        case SQLITE_CANTOPEN:
            throw InputError(
                fmt::format("cannot open the store {}: its folder is missing or not writable", path_));
        case SQLITE_NOTADB:
            throw InputError(fmt::format("{} is not a Heddle result store", path_));
        case SQLITE_CORRUPT:
            throw InputError(fmt::format(
                "the store {} is damaged ({}); move it away, or give another one with --store FILE", path_,
                why));
        case SQLITE_BUSY:
            throw InputError(
                fmt::format("another command has locked the store {} for more than a minute", path_));
        default:
            throw InputError(
                fmt::format("the store {}: {}", path_, db_ == nullptr ? why : sqlite3_errmsg(db_)));
    }
}

void Store::execute(const char* sql) {
    const int code = sqlite3_exec(db_, sql, nullptr, nullptr, nullptr);
    if (code != SQLITE_OK) fail(code);
}

void Store::open_to_write() {
    const int code =
        sqlite3_open_v2(path_.c_str(), &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
    if (code != SQLITE_OK) fail(code);
    sqlite3_extended_result_codes(db_, 1);
    sqlite3_busy_timeout(db_, kPatience);
    const i64 before = tables();
    // SQLite does not wait by itself when two processes turn on the log at once.
    constexpr const char* kLog = "PRAGMA journal_mode=WAL";
    for (int waited = 0; waited < kPatience; waited += sqlite3_sleep(10))
        if ((sqlite3_exec(db_, kLog, nullptr, nullptr, nullptr) & 0xff) != SQLITE_BUSY) break;
    execute(kLog);
    execute("PRAGMA synchronous=FULL");
    if (before == 0)
        execute(fmt::format("BEGIN IMMEDIATE; {} PRAGMA application_id={}; COMMIT", kTables, kApplication)
                    .c_str());
    // Finds out that a store cannot be written before anything is simulated.
    execute("BEGIN IMMEDIATE; COMMIT");
}

void Store::open_to_read() {
    writable_ = false;
    std::string uri = "file:";
    for (const char c : path_) {
        if (c == '?' || c == '#' || c == '%')
            uri += fmt::format("%{:02x}", static_cast<unsigned char>(c));
        else
            uri += c;
    }
    // The log's index cannot be created in a folder that is not writable, and without it nobody else has the store
    // open. It is then read without locks, with the index kept in memory, so that nothing in the log is missed. If
    // there is no log, the options say so.
    const char* const ways[] = {"", "?vfs=unix-none", "?immutable=1"};
    for (const char* way : ways) {
        sqlite3_close_v2(std::exchange(db_, nullptr));
        int code =
            sqlite3_open_v2((uri + way).c_str(), &db_, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nullptr);
        if (code == SQLITE_OK) {
            sqlite3_extended_result_codes(db_, 1);
            sqlite3_busy_timeout(db_, kPatience);
            if (way == ways[1]) execute("PRAGMA locking_mode=EXCLUSIVE");
            code = sqlite3_exec(db_, "SELECT 1 FROM sqlite_schema", nullptr, nullptr, nullptr);
        }
        const int kind = code & 0xff;
        if (kind == SQLITE_OK) break;
        if ((kind != SQLITE_CANTOPEN && kind != SQLITE_READONLY) || way == std::end(ways)[-1]) fail(code);
    }
    if (tables() == 0) fail(SQLITE_NOTADB);
}

i64 Store::tables() {
    // In this order: a command that creates the store meanwhile gives it tables and name together.
    i64 application = 0, count = 0;
    {
        Statement s(*this, "SELECT count(*) FROM sqlite_schema");
        if (s.step()) count = s.number(0);
    }
    {
        Statement s(*this, "PRAGMA application_id");
        if (s.step()) application = s.number(0);
    }
    if (count != 0 && application != kApplication) fail(SQLITE_NOTADB);
    return count;
}

Store::Store(const std::string& path, Open how) : path_(path) {
    struct stat about {};
    const bool there = stat(path.c_str(), &about) == 0;
    if (!there && errno != ENOENT && errno != ENOTDIR)
        throw InputError(fmt::format("cannot read the store {}: {}", path, std::strerror(errno)));
    if (!there && how == Open::read) throw InputError(fmt::format("there is no store {}", path));
    if (there && !S_ISREG(about.st_mode))
        throw InputError(fmt::format("{} is not a file, so it is not a store", path));
    if (there && access(path.c_str(), R_OK) != 0)
        throw InputError(fmt::format("cannot read the store {}: {}", path, std::strerror(errno)));
    const std::string folder = std::filesystem::path(path).parent_path().string();
    // The log lies beside it.
    const bool locked = there && (access(path.c_str(), W_OK) != 0 ||
                                  access(folder.empty() ? "." : folder.c_str(), W_OK) != 0);
    if (locked && how == Open::write) fail(SQLITE_READONLY);
    try {
        if (how == Open::read || locked)
            open_to_read();
        else
            open_to_write();
    } catch (...) {
        sqlite3_close_v2(db_);
        throw;
    }
}

Store::~Store() {
    sqlite3_close_v2(db_);
}

std::optional<std::string> Store::record(const std::string& key) {
    Statement s(*this, "SELECT record FROM runs WHERE key=?1");
    s.bind(1, key);
    if (!s.step()) return std::nullopt;
    return s.text(0);
}

void Store::put(const StoredRun& r) {
    if (!writable_) return;
    Statement s(*this, "INSERT OR IGNORE INTO runs VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)");
    s.bind(1, r.key)
        .bind(2, r.saved)
        .bind(3, r.version)
        .bind(4, r.machine)
        .bind(5, r.settings)
        .bind(6, r.workload);
    s.bind(7, r.sms).bind(8, i64{r.alone}).bind(9, r.seconds).bind(10, r.record);
    s.step();
}

void Store::each(const Filter& filter, bool with_record, const std::function<void(const StoredRun&)>& visit) {
    Statement s(
        *this,
        fmt::format("SELECT key,saved,version,machine,settings,workload,sms,alone,seconds{} FROM runs{} "
                    "ORDER BY saved, rowid",
                    with_record ? ",record" : "", kWhere));
    s.bind(filter);
    while (s.step()) {
        StoredRun r;
        r.key = s.text(0);
        r.saved = s.number(1);
        r.version = s.text(2);
        r.machine = s.text(3);
        r.settings = s.text(4);
        r.workload = s.text(5);
        r.sms = s.text(6);
        r.alone = static_cast<u32>(s.number(7));
        r.seconds = s.real(8);
        if (with_record) r.record = s.text(9);
        visit(r);
    }
}

u64 Store::remove(const Filter& filter) {
    Statement s(*this, fmt::format("DELETE FROM runs{}", kWhere));
    s.bind(filter).step();
    return static_cast<u64>(sqlite3_changes64(db_));
}

std::string Store::digest(const std::string& path) {
    std::error_code error;
    const std::string absolute = std::filesystem::absolute(path, error).string();
    struct stat about {};
    if (stat(path.c_str(), &about) != 0) return sha256_of_file(path);  // says why not
    const i64 changed = i64{about.st_mtim.tv_sec} * 1'000'000'000 + about.st_mtim.tv_nsec;
    {
        Statement s(*this, "SELECT digest FROM files WHERE path=?1 AND size=?2 AND changed=?3");
        s.bind(1, absolute).bind(2, i64{about.st_size}).bind(3, changed);
        if (s.step()) return s.text(0);
    }
    std::string digest = sha256_of_file(path);
    if (writable_) {
        Statement s(*this, "INSERT OR REPLACE INTO files VALUES(?1,?2,?3,?4)");
        s.bind(1, absolute).bind(2, i64{about.st_size}).bind(3, changed).bind(4, digest);
        s.step();
    }
    return digest;
}

std::optional<std::string> Store::stream(const std::string& key) {
    Statement s(*this, "SELECT digest FROM files WHERE path=?1");
    s.bind(1, "stream " + key);
    if (!s.step()) return std::nullopt;
    return s.text(0);
}

void Store::put_stream(const std::string& key, const std::string& hash) {
    if (!writable_) return;
    Statement s(*this, "INSERT OR REPLACE INTO files VALUES(?1,0,0,?2)");
    s.bind(1, "stream " + key).bind(2, hash);
    s.step();
}

std::string default_store() {
    if (const char* named = std::getenv("HEDDLE_STORE"); named != nullptr && *named != '\0') return named;
    std::filesystem::path folder;
    if (const char* data = std::getenv("XDG_DATA_HOME"); data != nullptr && *data == '/')
        folder = data;
    else if (const char* home = std::getenv("HOME"); home != nullptr && *home != '\0')
        folder = std::filesystem::path(home) / ".local" / "share";
    else
        throw InputError("there is no home folder to keep results in; give --store FILE");
    folder /= "heddle";
    std::error_code error;
    std::filesystem::create_directories(folder, error);
    return (folder / "results.db").string();
}

}  // namespace heddle::study
