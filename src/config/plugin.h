#pragma once
// Policies out of tree: a shared object whose static initialisation registers them (see policy.h).

#include <string>

namespace heddle::config {

/// Loads a shared object for the rest of the program's life. Call before any machine file is read.
/// InputError, with the loader's reason, if it cannot be loaded.
void load_plugin(const std::string& path);

}  // namespace heddle::config
