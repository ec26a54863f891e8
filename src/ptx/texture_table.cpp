#include "ptx/texture.h"

namespace heddle::ptx {

u64 TextureTable::create(const TextureDescriptor& descriptor) {
    textures_.emplace(next_, descriptor);
    return next_++;
}

bool TextureTable::destroy(u64 handle) {
    return textures_.erase(handle) != 0;
}

const TextureDescriptor* TextureTable::find(u64 handle) const {
    const auto at = textures_.find(handle);
    return at == textures_.end() ? nullptr : &at->second;
}

}  // namespace heddle::ptx
