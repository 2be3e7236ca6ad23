#include "engine/profile/results/reading_json.h"

#include <array>
#include <string>
#include <system_error>
#include <utility>

#include <nlohmann/json.hpp>

namespace spokelab {
namespace {

namespace fs = std::filesystem;

using Member = fs::path SeparateFiles::*;
constexpr std::array<std::pair<const char*, Member>, 3> separateFiles = {
    {{"trajectory", &SeparateFiles::trajectory},
     {"weights", &SeparateFiles::weights},
     {"noise", &SeparateFiles::noise}}};

}  // namespace

nlohmann::json toJson(const ReadOptions& reading) {
  nlohmann::json j = {{"dataset", reading.dataset}, {"overrides", reading.overrides}};
  for (const auto& [name, member] : separateFiles)
    if (const fs::path& file = reading.separate.*member; !file.empty()) {
      std::error_code failed;
      const fs::path whole = fs::absolute(file, failed);
      j[name] = (failed ? file : whole).string();
    }
  return j;
}

ReadOptions readingOfJson(const nlohmann::json& json) {
  ReadOptions reading;
  reading.dataset = json.at("dataset").get<std::string>();
  reading.overrides = json.at("overrides").get<std::map<std::string, std::string>>();
  for (const auto& [name, member] : separateFiles)
    if (json.contains(name)) reading.separate.*member = json.at(name).get<std::string>();
  return reading;
}

}  // namespace spokelab
