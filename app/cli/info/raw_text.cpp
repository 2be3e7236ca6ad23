#include "app/cli/info/raw_text.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "app/cli/text.h"
#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/profile/results/raw_results.h"

namespace spokelab::cli {
namespace {

RawPlace placeIn(const Scan& scan, const std::string& text) {
  std::vector<std::int64_t> numbers;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const std::string number = text.substr(begin, end - begin);
    constexpr std::size_t mostDigits = 9;
    if (number.empty() || number.size() > mostDigits ||
        number.find_first_not_of("0123456789") != std::string::npos)
      throw Error("Cannot show the readout " + text, "\"" + number + "\" is no number from 0 on",
                  "Give shot, coil, frame and slice, as in --readout 12 or --readout 12,0,1");
    numbers.push_back(std::stoll(number));
    begin = end + 1;
  }
  numbers.resize(std::max<std::size_t>(numbers.size(), 4), 0);
  RawPlace place;
  place.shot = numbers[0];
  place.coil = numbers[1];
  place.frame = int(numbers[2]);
  place.slice = int(numbers[3]);
  if (numbers.size() > 4 || insideScan(scan, place) != place)
    throw Error("Cannot show the readout " + text,
                "the scan has " +
                    countText(scan.trajectory(std::min(place.frame, scan.frames - 1)).shots(), "shot") +
                    ", " + countText(scan.coils, "coil") + ", " + countText(scan.frames, "frame") + " and " +
                    countText(scan.slices, "slice"),
                "Count from 0, in the order shot, coil, frame, slice");
  return place;
}

}  // namespace

void describeRaw(CommandContext& context, const RawSummary& raw) {
  const auto [weakest, strongest] = std::minmax_element(raw.energy.begin(), raw.energy.end());
  double total = 0;
  for (const double e : raw.energy) total += e;
  const auto share = [&](const auto& coil) {
    return numberText(total > 0 ? 100 * *coil / total : 0, 3) + " % (coil " +
           std::to_string(coil - raw.energy.begin()) + ")";
  };
  if (raw.energy.size() > 1) context.say(row("energy of coils", share(weakest) + " to " + share(strongest)));
  if (!raw.shotMaxima.empty()) {
    const ShotRange shots = shotRange(raw.shotMaxima);
    const auto shot = [&](std::int64_t number) {
      return numberText(raw.shotMaxima[std::size_t(number)], 3) + " (shot " + std::to_string(number) + ")";
    };
    context.say(row("largest of shots", shot(shots.weakest) + " to " + shot(shots.strongest) + ", median " +
                                            numberText(shots.median, 3)));
    if (shots.empty > 0) context.say(row("", countText(shots.empty, "shot") + " with zeros only"));
  }
  if (raw.noise.empty()) return;
  double least = raw.noiseOf(0), most = least, correlation = 0;
  for (int a = 0; a < int(raw.energy.size()); ++a) {
    least = std::min(least, raw.noiseOf(a));
    most = std::max(most, raw.noiseOf(a));
    for (int b = 0; b < a; ++b) correlation = std::max(correlation, raw.correlation(a, b));
  }
  context.say(row("noise", "deviation " + numberText(least, 3) + " to " + numberText(most, 3) +
                               ", correlation of coils up to " + numberText(correlation, 2) + ", from " +
                               std::to_string(raw.noiseSamples) + " samples a coil"));
}

void describeReadout(CommandContext& context, const Scan& scan, const std::string& text,
                     nlohmann::json& document) {
  const RawPlace place = placeIn(scan, text);
  nlohmann::json readout = readoutToJson(scan, place);
  const auto largest = [](const nlohmann::json& values) {
    return std::max_element(values.begin(), values.end()) - values.begin();
  };
  const nlohmann::json &magnitude = readout["magnitude"], &spectrum = readout["spectrum"];
  std::string words = std::to_string(magnitude.size()) + " samples";
  if (!magnitude.empty()) {
    const auto sample = std::size_t(largest(magnitude)), tone = std::size_t(largest(spectrum["magnitude"]));
    words += ", largest " + numberText(magnitude[sample].get<double>(), 3) + " (sample " +
             std::to_string(sample) + "); spectrum largest at " +
             numberText(spectrum["frequencies"][tone].get<double>(), 3) + " " +
             spectrum["unit"].get<std::string>();
  }
  context.say(row("readout " + text, words));
  document["readout"] = std::move(readout);
  document["traces"] = tracesToJson(scan);
}

}  // namespace spokelab::cli
