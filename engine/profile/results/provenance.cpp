#include "engine/profile/results/provenance.h"

#include <sys/utsname.h>

#include <array>
#include <chrono>
#include <ctime>
#include <fstream>
#include <nlohmann/json.hpp>

#include "engine/core/thread_pool.h"
#include "engine/core/version.h"
#include "engine/nufft/nufft.h"
#include "engine/nufft/plan/cpu_badge.h"

namespace spokelab {
namespace {

// Value of the first "key<separator>value" line of a system file; empty without such a line.
std::string lineOf(const char* file, const std::string& key, char separator) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    if (line.compare(0, key.size(), key) != 0) continue;
    const std::size_t at = line.find(separator);
    if (at == std::string::npos) continue;
    std::string value = line.substr(at + 1);
    while (!value.empty() && (value.front() == ' ' || value.front() == '"' || value.front() == '\t'))
      value.erase(0, 1);
    while (!value.empty() && (value.back() == '"' || value.back() == ' ')) value.pop_back();
    return value;
  }
  return {};
}

std::int64_t memoryBytes() {
  const std::string text = lineOf("/proc/meminfo", "MemTotal", ':');
  constexpr std::int64_t kibi = 1024;
  return text.empty() ? 0 : std::strtoll(text.c_str(), nullptr, 10) * kibi;
}

}  // namespace

std::string timeNow() {
  const std::time_t t = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm utc{};
  gmtime_r(&t, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return text.data();
}

nlohmann::json provenance(const std::string& commandLine) {
  utsname system{};
  uname(&system);
  return {{"program", "Spokelab"},
          {"version", version()},
          {"commit", versionCommit()},
          {"compiler", __VERSION__},
          {"time", timeNow()},
          {"commandLine", commandLine},
          {"machine",
           {{"host", system.nodename},
            {"cpu", lineOf("/proc/cpuinfo", "model name", ':')},
            {"threads", hardwareThreads()},
            {"memoryBytes", memoryBytes()},
            {"architecture", system.machine},
            {"system", lineOf("/etc/os-release", "PRETTY_NAME", '=')},
            {"kernel", std::string(system.sysname) + " " + system.release},
            {"plans", cpuFingerprint()}}}};
}

std::string machineText(const nlohmann::json& provenance) try {
  const nlohmann::json machine = provenance.value("machine", nlohmann::json::object());
  std::string text = machine.value("cpu", std::string("a machine without a name"));
  if (machine.contains("threads")) text += ", " + machine.at("threads").dump() + " threads";
  for (const nlohmann::json& device : machine.value("devices", nlohmann::json::array()))
    text += ", " + device.get<std::string>();
  return text;
} catch (const nlohmann::json::exception&) {  // a damaged case
  return "a machine without a name";
}

}  // namespace spokelab
