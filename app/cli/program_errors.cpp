#include "app/cli/program_errors.h"

#include <csignal>
#include <cstdio>
#include <system_error>

#include "app/cli/command_line.h"

namespace spokelab::cli {

void printError(const std::string& program, const std::string& what, const std::string& why,
                const std::string& remedy) {
  std::fprintf(stderr, "%s: error: %s\n", program.c_str(), what.c_str());
  if (!why.empty()) std::fprintf(stderr, "  why:        %s\n", why.c_str());
  if (!remedy.empty()) std::fprintf(stderr, "  what to do: %s\n", remedy.c_str());
}

void printError(const std::string& program, const Error& error) {
  printError(program, error.summary(), error.reason(), error.remedy());
}

Error outOfMemory() {
  return Error("Out of memory", "the computation needs more than this machine can give",
               "Use fewer coils, frames or slices, or --memory-limit");
}

std::string remedyFor(const std::exception& error) {
  const auto* system = dynamic_cast<const std::system_error*>(&error);
  if (!system || system->code() != std::errc::resource_unavailable_try_again) return "";
  return "No thread could be started: end other programs, or raise the limit of processes (ulimit -u)";
}

int cancelled(const std::string& program, int signal) {
  std::fprintf(stderr, "%s: cancelled\n", program.c_str());
  return signal == SIGTERM ? exitCode::terminated : exitCode::interrupted;
}

}  // namespace spokelab::cli
