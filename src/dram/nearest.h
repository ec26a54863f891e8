#pragma once
// Look-up by name in a table of named entries, with the nearest right name in the error.

#include <string>
#include <string_view>
#include <vector>

#include "sim/error.h"

namespace heddle::dram {

/// Letters to insert, delete or replace to make one of the other.
std::size_t edit_distance(std::string_view a, std::string_view b);

template <class Table>
const auto& find_named(const Table& table, std::string_view name, std::string_view what) {
    for (const auto& entry : table)
        if (entry.name == name) return entry;
    const auto* best = &*table.begin();
    std::size_t distance = ~std::size_t{0};
    for (const auto& entry : table) {
        if (const std::size_t d = edit_distance(entry.name, name); d < distance) best = &entry, distance = d;
    }
    throw InputError("there is no " + std::string(what) + " '" + std::string(name) + "'; the nearest is '" +
                     std::string(best->name) + "'");
}

}  // namespace heddle::dram
