#include "study/store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <thread>

#include "cli/program.h"
#include "sim/error.h"
#include "study/sha256.h"

namespace heddle::study {
namespace {

StoredRun run(const std::string& key, const std::string& workload = "gather") {
    StoredRun r;
    r.key = key;
    r.saved = 1000;
    r.version = "1";
    r.machine = "gtx480";
    r.settings = "dram.scheduler=fcfs";
    r.workload = workload;
    r.record = "{\"x\": \"" + key + "\"}";
    return r;
}

std::vector<std::string> keys(Store& store, const Filter& filter = {}) {
    std::vector<std::string> out;
    store.each(filter, false, [&](const StoredRun& r) { out.push_back(r.key); });
    return out;
}

/// What a child process says that acts on the store; empty: nothing was wrong. As another user if this one may
/// do everything.
template <class Prepare, class Act>
std::string error_in_child(Prepare prepare, Act act) {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    const pid_t pid = fork();
    if (pid == 0) {
        std::string text;
        try {
            prepare();
            act();
        } catch (const InputError& error) {
            text = error.what();
        }
        _exit(write(ends[1], text.data(), text.size()) == static_cast<ssize_t>(text.size()) ? 0 : 1);
    }
    close(ends[1]);
    std::string text;
    char c = 0;
    while (read(ends[0], &c, 1) == 1) text += c;
    close(ends[0]);
    int status = 0;
    waitpid(pid, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return text;
}

void become_nobody() {
    if (geteuid() == 0 && setresuid(65534, 65534, 65534) != 0) _exit(1);
}

TEST(Sha256, GivesTheDigestsOfTheStandard) {
    // FIPS 180-4 examples and the empty message.
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Store, GivesBackWhatWasPutAlsoAfterItWasClosed) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/s.db";
    {
        Store store(path, Store::Open::write);
        store.put(run("aa"));
        store.put(run("ab", "stream"));
        StoredRun again = run("aa");
        again.record = "other";
        store.put(again);
    }
    Store store(path, Store::Open::read);
    EXPECT_EQ(store.record("aa"), "{\"x\": \"aa\"}");
    EXPECT_EQ(store.record("zz"), std::nullopt);
    EXPECT_EQ(keys(store), (std::vector<std::string>{"aa", "ab"}));
}

TEST(Store, FiltersAndDeletes) {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.db", Store::Open::write);
    for (const char* key : {"aa1", "aa2", "b1"}) store.put(run(key, key[0] == 'b' ? "stream" : "gather"));
    EXPECT_EQ(keys(store, {.keys = {"aa"}}).size(), 2u);
    EXPECT_EQ(keys(store, {.keys = {"aa1", "b"}}).size(), 2u);
    EXPECT_EQ(keys(store, {.workload = "stre"}), std::vector<std::string>{"b1"});
    EXPECT_EQ(keys(store, {.machine = "h200"}).size(), 0u);
    EXPECT_EQ(keys(store, {.settings = "=fcfs"}).size(), 3u);
    EXPECT_EQ(keys(store, {.before = 1000}).size(), 0u);
    EXPECT_EQ(store.remove({.workload = "gather"}), 2u);
    EXPECT_EQ(keys(store), std::vector<std::string>{"b1"});
}

TEST(Store, TakesWritesOfSeveralConnectionsAtOnce) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/s.db";
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t)
        threads.emplace_back([&path, t] {
            Store store(path, Store::Open::write);
            for (int k = 0; k < 10; ++k) {
                store.put(run("own" + std::to_string(t * 10 + k)));
                store.put(run("same" + std::to_string(k)));
            }
        });
    for (std::thread& t : threads) t.join();
    Store store(path, Store::Open::read);
    EXPECT_EQ(keys(store).size(), 50u);
}

TEST(Store, IsMadeOnceByAllThatFindNone) {
    const TemporaryFolder folder;
    for (int k = 0; k < 25; ++k) {
        const std::string path = folder.path() + "/" + std::to_string(k) + ".db";
        int start[2];
        ASSERT_EQ(pipe(start), 0);
        std::vector<pid_t> children;
        for (int n = 0; n < 4; ++n) {
            children.push_back(fork());
            if (children.back() != 0) continue;
            // They begin when the pipe ends.
            close(start[1]);
            char c = 0;
            if (read(start[0], &c, 1) != 0) _exit(1);
            try {
                Store store(path, Store::Open::write);
            } catch (const InputError& error) {
                std::fprintf(stderr, "%s\n", error.what());
                _exit(1);
            }
            _exit(0);
        }
        close(start[0]);
        close(start[1]);
        for (const pid_t child : children) {
            int status = 0;
            waitpid(child, &status, 0);
            EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
    }
}

TEST(Store, ThatMayNotBeWrittenSaysSoAndCanStillBeRead) {
    const TemporaryFolder folder;
    chmod(folder.path().c_str(), 0755);
    const std::string path = folder.path() + "/s.db";
    Store(path, Store::Open::write).put(run("aa"));
    chmod(path.c_str(), 0444);
    chmod(folder.path().c_str(), 0555);
    EXPECT_EQ(error_in_child(become_nobody, [&] { Store(path, Store::Open::write); }),
              "the store " + path + " is read-only; give a writable one with --store FILE");
    EXPECT_EQ(error_in_child(become_nobody, [&] { Store(folder.path() + "/new.db", Store::Open::write); }),
              "cannot open the store " + folder.path() + "/new.db: its folder is missing or not writable");
    EXPECT_EQ(error_in_child(become_nobody,
                             [&] {
                                 Store store(path, Store::Open::read);
                                 if (keys(store).size() != 1) throw InputError("not there");
                             }),
              "");
    // Batches go on with what it has.
    EXPECT_EQ(error_in_child(become_nobody,
                             [&] {
                                 Store store(path, Store::Open::serve);
                                 store.put(run("bb"));
                                 if (store.writable() || !store.record("aa") || store.record("bb"))
                                     throw InputError("it does not serve");
                             }),
              "");
    chmod(folder.path().c_str(), 0755);
}

TEST(Store, ThatMayNotBeWrittenGivesWhatItsLogHolds) {
    for (const bool with_index : {true, false}) {
        const TemporaryFolder folder;
        const std::string path = folder.path() + "/s.db";
        // A process that ends in the middle leaves the log as it is.
        error_in_child([] {},
                       [&] {
                           auto* store = new Store(path, Store::Open::write);
                           store->put(run("aa"));
                       });
        ASSERT_EQ(access((path + "-wal").c_str(), F_OK), 0);
        if (!with_index) unlink((path + "-shm").c_str());
        for (const char* part : {"", "-wal", "-shm"}) chmod((path + part).c_str(), 0444);
        chmod(folder.path().c_str(), 0555);
        EXPECT_EQ(error_in_child(become_nobody,
                                 [&] {
                                     Store store(path, Store::Open::read);
                                     if (keys(store) != std::vector<std::string>{"aa"})
                                         throw InputError("the run of the log is missing");
                                 }),
                  "");
        chmod(folder.path().c_str(), 0755);
    }
}

TEST(Store, ThatIsDamagedSaysSo) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/s.db";
    {
        Store store(path, Store::Open::write);
        for (int k = 0; k < 50; ++k) {
            StoredRun r = run("k" + std::to_string(k));
            r.record.assign(5'000, 'x');
            store.put(r);
        }
    }
    std::string bytes = folder.read("s.db");
    for (std::size_t at = 8'192; at < bytes.size(); ++at) bytes[at] = '\x55';
    folder.write("s.db", bytes);
    std::string error;
    try {
        Store store(path, Store::Open::read);
        keys(store);
    } catch (const InputError& e) {
        error = e.what();
    }
    EXPECT_EQ(error,
              "the store " + path +
                  " is damaged (database disk image is malformed); move it away, or give another one with "
                  "--store FILE");
}

TEST(Store, GivesTextsAsUtf8WhateverPathsAreCalled) {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.db", Store::Open::write);
    StoredRun r = run("aa", "./a\xff\n\"b");
    r.record = "{\"name\": \"\xfe\"}";
    store.put(r);
    EXPECT_EQ(store.record("aa"), "{\"name\": \"\xef\xbf\xbd\"}");
    store.each({}, false, [](const StoredRun& got) { EXPECT_EQ(got.workload, "./a\xef\xbf\xbd\n\"b"); });
}

TEST(Store, OnADiskThatTakesNoMoreSaysSoAndKeepsWhatItHas) {
    const TemporaryFolder folder;
    const std::string path = folder.path() + "/s.db";
    const std::string error = error_in_child(
        [] {
            // A file that may not grow stands for a disk that is full.
            signal(SIGXFSZ, SIG_IGN);
            const rlimit limit{200'000, 200'000};
            setrlimit(RLIMIT_FSIZE, &limit);
        },
        [&] {
            Store store(path, Store::Open::write);
            StoredRun r = run("");
            r.record.assign(10'000, 'x');
            for (int k = 0; k < 1000; ++k) {
                r.key = std::to_string(1000 + k);
                store.put(r);
            }
        });
    EXPECT_TRUE(error.starts_with("cannot write the store " + path + ": ")) << error;
    EXPECT_TRUE(error.ends_with("; the runs in it are intact")) << error;
    Store store(path, Store::Open::read);
    EXPECT_GT(keys(store).size(), 3u);
    store.each({}, true, [](const StoredRun& r) { EXPECT_EQ(r.record.size(), 10'000u); });
}

TEST(Store, RefusesFilesThatAreNone) {
    const TemporaryFolder folder;
    auto error = [](const std::string& path, Store::Open how) -> std::string {
        try {
            Store store(path, how);
        } catch (const InputError& e) {
            return e.what();
        }
        return {};
    };
    const std::string text = folder.write("text", std::string(5000, 'x'));
    EXPECT_EQ(error(text, Store::Open::write), text + " is not a Heddle result store");
    EXPECT_EQ(error(folder.path(), Store::Open::write),
              folder.path() + " is not a file, so it is not a store");
    EXPECT_EQ(error(folder.path() + "/none", Store::Open::read),
              "there is no store " + folder.path() + "/none");
    const std::string other = folder.path() + "/other.db";
    sqlite3* db = nullptr;
    ASSERT_EQ(sqlite3_open(other.c_str(), &db), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(db, "CREATE TABLE songs(name)", nullptr, nullptr, nullptr), SQLITE_OK);
    sqlite3_close(db);
    EXPECT_EQ(error(other, Store::Open::write), other + " is not a Heddle result store");
}

TEST(Store, NoticesThatAFileHasChanged) {
    const TemporaryFolder folder;
    Store store(folder.path() + "/s.db", Store::Open::write);
    const std::string file = folder.write("f", "abc");
    EXPECT_EQ(store.digest(file), sha256("abc"));
    EXPECT_EQ(store.digest(file), sha256("abc"));
    folder.write("f", "abcd");
    EXPECT_EQ(store.digest(file), sha256("abcd"));
}

}  // namespace
}  // namespace heddle::study
