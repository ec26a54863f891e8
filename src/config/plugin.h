#pragma once
// Policies out of tree: a shared object whose static initialization registers them (see policy.h).

#include <cstddef>
#include <string>

namespace heddle::config {

/// Loads a shared object for the rest of the program's life. Call before any machine file is read.
/// InputError, with the loader's reason, if it cannot be loaded or registers no policy.
void load_plugin(const std::string& path);

/// How many policies have been registered so far, at all points; PolicyPointBase::enter counts them.
std::size_t& registered_policies();

}  // namespace heddle::config
