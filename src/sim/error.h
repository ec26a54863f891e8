#pragma once
// The two ways in which Heddle stops early, with their exit codes.

#include <stdexcept>
#include <string>

namespace heddle {

/// Bad input: machine file, trace, PTX, recording, command line. Exit code 2. The text is one line: "FILE:LINE: what is
/// wrong; what would be right".
class InputError : public std::runtime_error {
  public:
    explicit InputError(const std::string& what) : std::runtime_error(what) {}
};

/// An invariant of Heddle itself broke (conservation, deadlock, audit). Exit code 3.
class InvariantError : public std::runtime_error {
  public:
    explicit InvariantError(const std::string& what) : std::runtime_error(what) {}
};

}  // namespace heddle
