#pragma once
// The keys of a machine file that knobs_test.cpp does not turn, and why.

namespace heddle::test {

struct Exception {
    const char* key;  // or a prefix that ends in '.' or '*'
    const char* reason;
};

inline constexpr Exception kExceptions[] = {
    {"about", "a text for people"},
    {"gpus", "a map"},
    {"memories", "a map"},
    {"links", "a map"},
    {"capacity", "changes no result, only whether there is one: suspicions_test.cpp"},
    {"links.NAME.", "wants a second memory: migration_test.cpp, tests/link"},
    {"placement", "wants a second memory: migration_test.cpp, tests/vm/migration_policy_test.cpp"},
    {"oracle.profile", "wants a second memory: tests/vm/migration_policy_test.cpp"},
    {"migration", "wants a second memory: migration_test.cpp"},
    {"threshold.", "wants a second memory: migration_test.cpp, tests/vm/migration_policy_test.cpp"},
    {"th-re-bwb.", "the same with other defaults"},
    {"page_moves.", "wants a second memory: migration_test.cpp, migration_shadow_test.cpp"},
    {"host_copies.", "wants copies: host_copies_test.cpp"},
    {"watchdog", "no result depends on it, only when a run is aborted: see Watchdog"},
    {"gpus.gpu.l1.replacement", "one policy so far"},
    {"gpus.gpu.l2.replacement", "one policy so far"},
    {"gpus.gpu.l2.mask.", "wants page walks: mask_bypass_test.cpp, translation_test.cpp"},
    {"gpus.gpu.l2.write_miss", "tests/cache/slice_test.cpp and cache_differential_test.cpp"},
    {"gpus.gpu.split_l2_ways", "several applications: applications_test.cpp"},
    {"gpus.gpu.sm.lsu.divergence", "adds counters and changes no result: divergence_test.cpp"},
    {"gpus.gpu.split_channels", "several applications: applications_test.cpp"},
    {"gpus.gpu.translation.fill", "its policies have examples of their own, and \"all\" no parameter"},
    {"gpus.gpu.translation.tokens.", "examples of its own: tests/vm/tokens_test.cpp"},
    {"gpus.gpu.translation.shootdown", "wants entries that stay in use: shootdown_test.cpp"},
    {"gpus.gpu.translation.walker.first_at_l2", "wants data and walks at one bank: shootdown_test.cpp"},
    {"gpus.gpu.translation.table_layout", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.level_bits", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.l1_tlb.blocking", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.l1_tlb.kept_out", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.l2_tlb.beside_l1", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.l2_tlb.hit_fills_l1", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.walker.path", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.walker.route", "translation_regime_test.cpp"},
    {"gpus.gpu.l2.bypass_probes", "translation_regime_test.cpp"},
    {"gpus.gpu.translation.epoch", "for policies that count: translation_test.cpp"},
    {"gpus.gpu.translation.l2_tlb.bypass_entries", "for fill policies that use it"},
    {"memories.dram.drain", "one policy so far"},
    {"memories.dram.timing.", "each rule is checked against the auditor: tests/dram"},
    {"memories.dram.part", "goes with standard and speed"},
    {"memories.dram.speed", "goes with standard and part"},
    {"memories.dram.width_bits", "organisation: tests/dram"},
    {"memories.dram.burst_length", "organisation: tests/dram"},
    {"memories.dram.transfers_per_clock", "organisation: tests/dram"},
    {"memories.dram.pseudo_channels", "organisation: tests/dram"},
    {"memories.dram.ranks", "organisation: tests/dram"},
    {"memories.dram.bank_groups", "organisation: tests/dram"},
    {"memories.dram.banks_per_group", "organisation: tests/dram"},
    {"memories.dram.rows", "organisation: tests/dram"},
    {"memories.dram.row_bytes", "organisation: tests/dram"},
    {"memories.dram.activate_cycles", "organisation: tests/dram"},
    {"memories.dram.command_buses", "organisation: tests/dram"},
    {"memories.dram.cpu_split", "there are no CPU cores yet: DramClassic"},
    {"memories.dram.line_bytes", "fixed by the caches' lines"},
};

}  // namespace heddle::test
