#pragma once
// A memory's settings do not fit each other. Thrown bare it says so in one line; the schema's check (settings.cpp)
// turns it into one that names the place in the machine file.

#include <string>
#include <vector>

#include "sim/error.h"

namespace heddle::dram {

class SettingError : public InputError {
  public:
    /// `keys` are those at fault, dotted ("timing.RAS"), the first of which is named; `text` is a phrase.
    SettingError(std::vector<std::string> keys, std::string text)
        : InputError("memory: " + keys.front() + ": " + text),
          keys_(std::move(keys)),
          text_(std::move(text)) {}

    const std::vector<std::string>& keys() const { return keys_; }
    const std::string& text() const { return text_; }

  private:
    std::vector<std::string> keys_;
    std::string text_;
};

}  // namespace heddle::dram
