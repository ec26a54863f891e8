#pragma once
// A design of translation is a list of nodes (vm/node.h), from the L1 TLBs' side. Behind the last one lies the memory that
// holds the page tables (vm/table_reader.h).

#include <span>
#include <string_view>

#include "vm/settings.h"

namespace heddle {

/// Names in translation_nodes(); not for TranslationDesign::none.
std::span<const std::string_view> nodes_of(TranslationDesign design);

}  // namespace heddle
