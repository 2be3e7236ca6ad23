#include "app/cli/context.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <mutex>

#include "engine/core/atomic_file.h"
#include "engine/core/error.h"
#include "engine/profile/results/record_file.h"

namespace spokelab::cli {

Backends& CommandContext::backends() {
  static std::mutex one;  // a thread that sends samples may ask, too
  const std::lock_guard lock(one);
  if (!backends_)
    backends_ = startingBackends_.valid() ? startingBackends_.get() : std::make_unique<Backends>();
  return *backends_;
}

void CommandContext::findBackends(Backends::Which which) {
  startingBackends_ = std::async(std::launch::async, [which] { return std::make_unique<Backends>(which); });
}

void CommandContext::json(const std::string& file, const nlohmann::json& document) {
  if (file.empty()) return;
  const nlohmann::json whole = recordOf(commandLine, document);
  constexpr int indent = 2;
  // Names of files may hold any bytes: what is not UTF-8 is replaced, not refused.
  const std::string text = whole.dump(indent, ' ', false, nlohmann::json::error_handler_t::replace) + '\n';
  if (file == "-")
    jsonText_ = text;
  else
    writeFileAtomically(file, text, progress);
}

void CommandContext::finish() {
  const std::string& text = jsonText_.empty() ? text_ : jsonText_;
  const bool written = std::fwrite(text.data(), 1, text.size(), stdout) == text.size();
  if (!written || std::fflush(stdout) != 0)
    throw Error(
        "Cannot write the results",
        errno == EBADF ? "standard output is closed, or open for reading alone" : std::strerror(errno),
        errno == EBADF ? "Leave it open: >/dev/null drops what is said"
                       : "Send the output somewhere with room for it");
}

}  // namespace spokelab::cli
