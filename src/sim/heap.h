#pragma once
// How the program's heap meets the kernel.

namespace heddle {

/// Lets the heap grow in large steps backed by 2 MiB pages where the system offers them. A run touches some tens
/// of megabytes once; with 4 KiB pages half of a short run's time would be page faults. Call it once, first
/// thing in main; without effect where the system refuses.
void use_large_pages();

}  // namespace heddle
