#include "engine/scan/read/header/mrd_header.h"

#include <ismrmrd/xml.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <system_error>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/xml/lenient_header.h"

namespace spokelab {
namespace {

constexpr std::size_t maxHeaderBytes = std::size_t{16} << 20;
const char* const repairHeader = "Repair the header in the program that wrote the file";

// True if the name that ends before `at` follows "<" or "<prefix:", as in an opening tag.
bool opensTag(const std::string& xml, std::size_t at) {
  if (at == 0 || (xml[at - 1] != '<' && xml[at - 1] != ':')) return false;
  const std::size_t bracket = xml.find_last_of("<>/ \t\r\n", at - 1);
  return bracket != std::string::npos && xml[bracket] == '<';
}

// Calls use(text between <tag> and </tag>) for each occurrence, with any namespace prefix.
template <class Use>
void forEachElement(const std::string& xml, const std::string& tag, const Use& use) {
  for (std::size_t at = 0; (at = xml.find(tag + ">", at)) != std::string::npos;) {
    const bool opens = opensTag(xml, at);
    const std::size_t begin = at + tag.size() + 1;
    at = begin;
    if (!opens) continue;
    const std::size_t end = xml.find(tag + ">", begin);
    if (end == std::string::npos) return;
    use(xml.substr(begin, end - begin));
    at = end + tag.size() + 1;
  }
}

// Checks numbers, because the library ignores malformed ones and stops in the middle of others.
void checkNumbers(const std::string& xml, const std::string& problem, const std::string& outer,
                  const std::vector<std::string>& inner, const std::string& meaning) {
  constexpr std::size_t maxShown = 32;
  constexpr const char* blanks = " \t\r\n";
  forEachElement(xml, outer, [&](const std::string& parts) {
    for (const std::string& name : inner)
      forEachElement(parts, name, [&](const std::string& text) {
        const std::size_t first = text.find_first_not_of(blanks), close = text.find('<');
        if (first == std::string::npos || first >= close) return;  // empty: not given
        const std::string word = text.substr(first, text.find_last_not_of(blanks, close - 1) + 1 - first);
        double value = 0;
        const char* const begin = word.data() + (word.starts_with('+') ? 1 : 0);
        const auto [end, failed] = std::from_chars(begin, word.data() + word.size(), value);
        if (failed != std::errc() || end != word.data() + word.size())
          throw Error(problem,
                      "its header says " + meaning + " of \"" + word.substr(0, maxShown) + "\" (" + outer +
                          ", " + name + "), which is not a number",
                      std::string(repairHeader) + ": numbers have a decimal point");
      });
  });
}

void checkMatrixSizes(const std::string& xml, const std::string& problem) {
  forEachElement(xml, "matrixSize", [&](const std::string& sizes) {
    for (const char* axis : {"x", "y", "z"})
      forEachElement(sizes, axis, [&](const std::string& text) {
        const double n = leadingNumber(text);
        if (!(n >= 0 && n <= maxMatrix))
          throw Error(problem,
                      "its header says a matrix of " +
                          text.substr(0, std::min<std::size_t>(text.find('<'), 32)) + " along " + axis,
                      repairHeader);
      });
  });
}

EncodedSpace spaceOf(const ISMRMRD::EncodingSpace& s) {
  EncodedSpace space;
  space.matrix = {s.matrixSize.x, s.matrixSize.y, s.matrixSize.z};
  space.fov = {double(s.fieldOfView_mm.x), double(s.fieldOfView_mm.y), double(s.fieldOfView_mm.z)};
  for (double& f : space.fov)
    if (!std::isfinite(f)) f = 0;
  return space;
}

std::string trajectoryName(ISMRMRD::TrajectoryType type) {
  switch (type) {
    case ISMRMRD::TrajectoryType::CARTESIAN:
      return "cartesian";
    case ISMRMRD::TrajectoryType::EPI:
      return "epi";
    case ISMRMRD::TrajectoryType::RADIAL:
      return "radial";
    case ISMRMRD::TrajectoryType::GOLDENANGLE:
      return "goldenangle";
    case ISMRMRD::TrajectoryType::SPIRAL:
      return "spiral";
    default:
      return "other";
  }
}

std::optional<ReadoutRamps> rampsOf(const ISMRMRD::TrajectoryDescription& description) {
  std::map<std::string, double> values;
  for (const auto& p : description.userParameterLong) values[p.name] = double(p.value);
  for (const auto& p : description.userParameterDouble) values[p.name] = p.value;
  constexpr double maxSamples = 65535;
  const ReadoutRamps ramps{values["rampUpTime"],   values["flatTopTime"],
                           values["rampDownTime"], values["acqDelayTime"],
                           values["dwellTime"],    int(std::clamp(values["numSamples"], 0.0, maxSamples))};
  const double end = ramps.delay + ramps.samples * ramps.dwell;
  const bool sound = ramps.rise > 0 && ramps.fall > 0 && ramps.flat >= 0 && ramps.delay >= 0 &&
                     ramps.dwell > 0 && ramps.samples > 1 && end <= ramps.rise + ramps.flat + ramps.fall;
  if (!sound) return std::nullopt;
  return ramps;
}

bool contains(const std::string& text, const char* part) {
  return lowerCase(text).find(part) != std::string::npos;
}

}  // namespace

MrdHeader parseMrdHeader(const std::string& xml, const std::string& problem) {
  ISMRMRD::IsmrmrdHeader parsed;
  if (xml.size() > maxHeaderBytes)
    throw Error(problem, "its header is longer than " + bytesText(double(maxHeaderBytes)), repairHeader);
  try {
    parsed = lenientHeader(xml);
  } catch (const std::exception& e) {
    throw Error(problem, std::string("its header cannot be understood: ") + e.what(), repairHeader);
  }
  checkMatrixSizes(xml, problem);
  checkNumbers(xml, problem, "matrixSize", {"x", "y", "z"}, "a matrix");
  checkNumbers(xml, problem, "fieldOfView_mm", {"x", "y", "z"}, "a field of view");
  for (const char* counter : {"kspace_encoding_step_0", "kspace_encoding_step_1", "kspace_encoding_step_2",
                              "average", "slice", "contrast", "phase", "repetition", "set", "segment"})
    checkNumbers(xml, problem, counter, {"minimum", "maximum", "center"}, "a limit");
  MrdHeader header;
  for (const ISMRMRD::Encoding& e : parsed.encoding) {
    EncodingSpace& space = header.encodings.emplace_back();
    space.encoded = spaceOf(e.encodedSpace);
    space.recon = spaceOf(e.reconSpace);
    space.trajectory = trajectoryName(e.trajectory);
    if (e.encodingLimits.kspace_encoding_step_1)
      space.lineCentre = e.encodingLimits.kspace_encoding_step_1->center;
    if (e.trajectoryDescription) space.ramps = rampsOf(*e.trajectoryDescription);
    if (e.encodingLimits.kspace_encoding_step_2)
      space.partitionCentre = e.encodingLimits.kspace_encoding_step_2->center;
  }
  if (header.encodings.empty()) throw Error(problem, "its header describes no encoding", repairHeader);
  if (parsed.acquisitionSystemInformation && parsed.acquisitionSystemInformation->systemVendor)
    header.vendor = *parsed.acquisitionSystemInformation->systemVendor;
  constexpr double secondsPerMillisecond = 1e-3;
  if (parsed.sequenceParameters && parsed.sequenceParameters->TE)
    for (const float te : *parsed.sequenceParameters->TE)
      header.echoTimes.push_back(double(te) * secondsPerMillisecond);
  if (std::any_of(header.echoTimes.begin(), header.echoTimes.end(),
                  [](double t) { return !(t > 0) || !std::isfinite(t); }))
    header.echoTimes.clear();
  if (parsed.userParameters)
    for (const auto& p : parsed.userParameters->userParameterString)
      if (contains(p.name, "unit") && contains(p.name, "traj")) header.unitRemark = p.value;
  return header;
}

}  // namespace spokelab
