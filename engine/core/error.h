// The one error type of the engine: what went wrong, why, and what the user can do about it.
// Thrown anywhere in the engine and the backends, caught once where a job ends (command line or
// Session).
#pragma once

#include <stdexcept>
#include <string>

namespace spokelab {

class Error : public std::runtime_error {
 public:
  Error(std::string summary, std::string reason, std::string remedy)
      : std::runtime_error(summary + ": " + reason + (remedy.empty() ? "" : ". " + remedy)),
        summary_(std::move(summary)),
        reason_(std::move(reason)),
        remedy_(std::move(remedy)) {}

  const std::string& summary() const noexcept { return summary_; }  // what:  "Cannot read scan.h5"
  const std::string& reason() const noexcept { return reason_; }    // why:   "the file ends after 1024 bytes"
  const std::string& remedy() const noexcept { return remedy_; }    // to do: "Copy the file again"

 private:
  std::string summary_, reason_, remedy_;
};

// Unwinds a job whose stop_token was triggered. Not an Error: the job's owner turns it into a
// result.
// It is deliberately not derived from std::exception, so that no error handler mistakes it for a
// failure.
struct Cancelled {};

}  // namespace spokelab
