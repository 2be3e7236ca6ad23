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

void putSeparate(nlohmann::json& json, const SeparateFiles& separate) {
  for (const auto& [name, member] : separateFiles)
    if (const fs::path& file = separate.*member; !file.empty()) {
      std::error_code failed;
      const fs::path whole = fs::absolute(file, failed);
      json[name] = (failed ? file : whole).string();
    }
}

SeparateFiles separateOfJson(const nlohmann::json& json) {
  SeparateFiles separate;
  for (const auto& [name, member] : separateFiles)
    if (json.contains(name)) separate.*member = json.at(name).get<std::string>();
  return separate;
}

nlohmann::json toJson(const ReadOptions& reading) {
  nlohmann::json j = {{"dataset", reading.dataset}, {"overrides", reading.overrides}};
  putSeparate(j, reading.separate);
  return j;
}

ReadOptions readingOfJson(const nlohmann::json& json) {
  ReadOptions reading;
  reading.dataset = json.at("dataset").get<std::string>();
  reading.overrides = json.at("overrides").get<std::map<std::string, std::string>>();
  reading.separate = separateOfJson(json);
  return reading;
}

}  // namespace spokelab
