#pragma once
// The key that gives a bound to a scheduler whose source has none: a request that has waited longer than `age_cap` goes
// first in its bank, before row hits and whatever the policy ranks; among several, the oldest goes first.

#include "config/schema.h"

namespace heddle::dram {

template <class S>
config::Schema<S> age_cap_key(config::Schema<S> schema) {
    return std::move(schema).key(
        "age_cap", &S::age_cap,
        {.unit = config::Unit::cycles,
         .clock = "dram",
         .def = "0",
         .max = "1000000000",
         .about = "a request that waits longer goes before row hits; 0: off, and waits are unbounded",
         .source = "choice: the source describes no bound"});
}

}  // namespace heddle::dram
