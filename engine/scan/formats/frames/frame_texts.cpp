#include "engine/scan/formats/frames/frame_texts.h"

#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/core/documents/document_numbers.h"

namespace spokelab {
namespace {

constexpr std::size_t maxAxes = 16;
constexpr int maxAxisSize = 1 << 20;

}  // namespace

std::vector<std::string> describedLines(const Image& image) {
  std::vector<std::string> lines = image.provenance;
  for (int f = 0; f < image.frameAxes.frames() && f < image.frames; ++f)
    if (const std::string text = image.frameAxes.text(f); !text.empty())
      lines.push_back("frame " + std::to_string(f) + ": " + text);
  return lines;
}

nlohmann::json frameAxesJson(const FrameAxes& axes) {
  nlohmann::json j = nlohmann::json::object();
  if (axes.empty()) return j;
  j["axes"] = nlohmann::json::array();
  for (const FrameAxis& axis : axes.axes) {
    nlohmann::json one = {{"name", frameMeaningName(axis.meaning)}, {"size", axis.size}};
    if (!axis.values.empty()) {
      one["values"] = axis.values;
      one["unit"] = frameUnit(axis.meaning);
    }
    j["axes"].push_back(std::move(one));
  }
  j["frames"] = j["places"] = nlohmann::json::array();
  for (int f = 0; f < axes.frames(); ++f) {
    j["frames"].push_back(axes.text(f));
    std::vector<int> place;
    for (std::size_t a = 0; a < axes.axes.size(); ++a) place.push_back(axes.place(f, a));
    j["places"].push_back(std::move(place));
  }
  return j;
}

std::optional<FrameAxes> frameAxesOf(const nlohmann::json& object, int frames) {
  try {
    FrameAxes result;
    for (const nlohmann::json& one : object.at("axes")) {
      const auto meaning = frameMeaningOf(one.at("name").get<std::string>());
      FrameAxis axis{meaning.value_or(FrameMeaning::frame), countAt<int>(one, "size"), {}};
      if (one.contains("values")) one.at("values").get_to(axis.values);
      const bool sound = axis.size >= 1 && axis.size <= maxAxisSize &&
                         (axis.values.empty() || axis.values.size() == std::size_t(axis.size));
      if (!meaning || !sound || result.axes.size() >= maxAxes) return {};
      result.axes.push_back(std::move(axis));
    }
    for (const nlohmann::json& place : object.at("places")) {
      if (place.size() != result.axes.size()) return {};
      for (std::size_t a = 0; a < result.axes.size(); ++a) {
        const int at = int(checkedCount(place.at(a), "places", 0, maxAxisSize));
        if (at < 0 || at >= result.axes[a].size) return {};
        result.places.push_back(at);
      }
    }
    if (result.empty() || result.frames() != frames) return {};
    return result;
  } catch (const nlohmann::json::exception&) {
    return {};
  }
}

std::optional<FrameStep> evenFrameStep(const FrameAxes& axes) {
  constexpr double tolerance = 1e-3;
  const FrameAxis* only = nullptr;
  std::size_t number = 0;
  for (std::size_t a = 0; a < axes.axes.size(); ++a) {
    if (axes.axes[a].size < 2) continue;
    if (only) return {};
    only = &axes.axes[a];
    number = a;
  }
  if (!only || only->values.empty() || axes.frames() < 2) return {};
  std::vector<double> values;
  for (int f = 0; f < axes.frames(); ++f) values.push_back(only->values[std::size_t(axes.place(f, number))]);
  const double step = (values.back() - values.front()) / double(values.size() - 1);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::abs(values[i] - values.front() - double(i) * step) > tolerance * std::abs(step)) return {};
  if (!(step > 0)) return {};
  return FrameStep{values.front(), step};
}

}  // namespace spokelab
