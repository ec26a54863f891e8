#include "vm/design.h"

#include "vm/node.h"

namespace heddle {

TranslationNodePoint& translation_nodes() {
    static TranslationNodePoint point("translation node");
    return point;
}

std::span<const std::string_view> nodes_of(TranslationDesign design) {
    static constexpr std::string_view ideal[] = {"instant_tables"};
    static constexpr std::string_view pwcache[] = {"mshrs", "walker", "walk_cache"};
    static constexpr std::string_view shared_tlb[] = {"l2_tlb", "mshrs", "walker"};
    switch (design) {
        case TranslationDesign::ideal:
            return ideal;
        case TranslationDesign::pwcache:
            return pwcache;
        default:
            return shared_tlb;
    }
}

}  // namespace heddle
