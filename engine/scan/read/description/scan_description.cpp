#include "engine/scan/read/description/scan_description.h"

#include <algorithm>
#include <cmath>

#include <nlohmann/json.hpp>

#include "engine/core/document.h"
#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

using nlohmann::json;

const char* const remedy = "Correct the description; 'spokelab info' on the array's file proposes one";
const std::vector<std::string> columnNames = {"kx", "ky", "kz", complexColumn, "weight", "time", "ignore"};
constexpr double maxSize = 1e9;
constexpr std::size_t maxAxes = 32, maxValues = 65536;

class Reader {
 public:
  explicit Reader(const std::string& problem) : problem_(problem) {}

  [[noreturn]] void fail(const std::string& reason) const { throw Error(problem_, reason, remedy); }

  void checkKeys(const json& object, const std::string& where,
                 std::initializer_list<const char*> known) const {
    if (!object.is_object()) fail("\"" + where + "\" is not an object");
    for (const auto& [key, value] : object.items())
      if (std::none_of(known.begin(), known.end(), [&k = key](const char* name) { return k == name; }))
        fail("\"" + where + "\" has an unknown key \"" + key.substr(0, 64) + "\"");
  }
  std::string text(const json& value, const std::string& where) const {
    if (!value.is_string() || value.get_ref<const std::string&>().empty())
      fail("\"" + where + "\" is not a text");
    return value.get<std::string>();
  }
  double number(const json& value, const std::string& where) const {
    if (!value.is_number()) fail("\"" + where + "\" is not a number");
    const double n = value.get<double>();
    if (!std::isfinite(n)) fail("\"" + where + "\" is not finite");
    return n;
  }
  std::vector<double> numbers(const json& value, const std::string& where, std::size_t least,
                              std::size_t most) const {
    if (!value.is_array() || value.size() < least || value.size() > most)
      fail("\"" + where + "\" must have " + std::to_string(least) + " to " + std::to_string(most) +
           " numbers");
    std::vector<double> result;
    for (const json& v : value) result.push_back(number(v, where));
    return result;
  }
  std::vector<std::int64_t> counts(const json& value, const std::string& where, std::size_t least,
                                   std::size_t most) const {
    std::vector<std::int64_t> result;
    for (const double n : numbers(value, where, least, most)) {
      if (!(n >= 1 && n <= maxSize) || n != std::floor(n))
        fail("\"" + where + "\" must hold whole numbers from 1");
      result.push_back(std::int64_t(n));
    }
    return result;
  }
  Vec3 vector(const json& value, const std::string& where) const {
    const std::vector<double> v = numbers(value, where, 3, 3);
    return {v[0], v[1], v[2]};
  }
  std::vector<std::string> words(const json& value, const std::string& where,
                                 const std::vector<std::string>& known) const {
    if (!value.is_array()) fail("\"" + where + "\" is not a list");
    std::vector<std::string> result;
    for (const json& v : value) {
      result.push_back(text(v, where));
      if (std::find(known.begin(), known.end(), result.back()) == known.end())
        fail("\"" + result.back().substr(0, 64) + "\" in \"" + where + "\" is not one of " + joined(known));
    }
    return result;
  }
  ArrayPart part(const json& object, const std::string& where) const {
    ArrayPart result;
    if (!object.contains("file")) fail("\"" + where + "\" names no file");
    result.file = text(object["file"], where + ".file");
    if (object.contains("axes")) result.axes = words(object["axes"], where + ".axes", axisNames());
    if (object.contains("shape")) result.shape = counts(object["shape"], where + ".shape", 1, maxAxes);
    return result;
  }

 private:
  const std::string& problem_;
};

void readTrajectory(const Reader& read, const json& t, ScanDescription& d) {
  read.checkKeys(t, "trajectory", {"file", "files", "axes", "shape", "columns", "unit"});
  if (t.contains("files")) {
    if (!t["files"].is_array() || t["files"].empty() || t.contains("file"))
      read.fail("\"trajectory.files\" must list one file a column, without \"file\" beside it");
    const auto axes = t.contains("axes") ? read.words(t["axes"], "trajectory.axes", axisNames())
                                         : std::vector<std::string>();
    for (const json& file : t["files"])
      d.trajectory.push_back({read.text(file, "trajectory.files"), axes, {}});
  } else {
    d.trajectory.push_back(read.part(t, "trajectory"));
  }
  if (t.contains("columns")) d.columns = read.words(t["columns"], "trajectory.columns", columnNames);
  if (t.contains("unit")) d.unit = read.text(t["unit"], "trajectory.unit");
}

void readGeometry(const Reader& read, const json& j, ScanDescription& d) {
  if (j.contains("matrix")) d.matrix = read.counts(j["matrix"], "matrix", 2, 3);
  if (j.contains("fov_mm"))
    for (const double f : read.numbers(j["fov_mm"], "fov_mm", 2, 3)) {
      if (!(f > 0)) read.fail("\"fov_mm\" must be positive");
      d.fov.push_back(f);
    }
  if (j.contains("read_direction") || j.contains("phase_direction") || j.contains("slice_direction")) {
    std::array<Vec3, 3> v{};
    const std::array<const char*, 3> keys = {"read_direction", "phase_direction", "slice_direction"};
    for (std::size_t i = 0; i < 3; ++i) {
      if (!j.contains(keys[i])) read.fail("all three directions are needed, or none");
      v[i] = read.vector(j[keys[i]], keys[i]);
    }
    d.directions = v;
  }
  if (j.contains("positions_mm")) {
    if (!j["positions_mm"].is_array()) read.fail("\"positions_mm\" is not a list of positions");
    for (const json& p : j["positions_mm"]) d.positions.push_back(read.vector(p, "positions_mm"));
  }
}

// Values of the axes that make frames, and what the axes may be as well.
void readAxes(const Reader& read, const json& j, ScanDescription& d) {
  constexpr double millisecond = 1e-3;
  if (j.contains("echo_times_ms"))
    for (const double ms : read.numbers(j["echo_times_ms"], "echo_times_ms", 1, maxValues))
      d.echoTimes.push_back(ms * millisecond);
  if (j.contains("frame_times_s"))
    d.frameTimes = read.numbers(j["frame_times_s"], "frame_times_s", 1, maxValues);
  if (!j.contains("or")) return;
  if (!j["or"].is_array()) read.fail("\"or\" is not a list");
  for (const json& other : j["or"]) {
    read.checkKeys(other, "or", {"samples", "trajectory"});
    if (!other.contains("samples")) read.fail("\"or\" has an entry without \"samples\"");
    AxesReading& reading = d.otherAxes.emplace_back();
    reading.samples = read.words(other["samples"], "or.samples", axisNames());
    if (other.contains("trajectory"))
      reading.trajectory = read.words(other["trajectory"], "or.trajectory", axisNames());
  }
}

json partJson(const ArrayPart& part) {
  json j = {{"file", part.file.generic_string()}};
  if (!part.axes.empty()) j["axes"] = part.axes;
  if (!part.shape.empty()) j["shape"] = part.shape;
  return j;
}

}  // namespace

std::vector<ArrayPart> ScanDescription::parts() const {
  std::vector<ArrayPart> all = trajectory;
  all.push_back(samples);
  for (const auto& part : {weights, times, noise})
    if (part) all.push_back(*part);
  for (const auto& [name, part] : arrays) all.push_back(part);
  return all;
}

ScanDescription parseScanDescription(const std::string& text, const std::filesystem::path& folder,
                                     const std::string& problem) {
  const Reader read(problem);
  const json j = parseDocument(text, problem, remedy);
  if (!j.is_object() || !j.contains("spokelab-scan"))
    read.fail("it is JSON, but describes no scan (no key \"spokelab-scan\")");
  if (read.number(j["spokelab-scan"], "spokelab-scan") != 1) read.fail("its version is not 1");
  read.checkKeys(j, "the description",
                 {"spokelab-scan", "samples", "trajectory", "weights", "times", "noise", "matrix", "fov_mm",
                  "dwell_us", "samples_per_shot", "read_direction", "phase_direction", "slice_direction",
                  "positions_mm", "arrays", "notes", "or", "echo_times_ms", "frame_times_s"});
  ScanDescription d;
  d.folder = folder;
  for (const char* key : {"samples", "trajectory"})
    if (!j.contains(key)) read.fail("it names no " + std::string(key));
  read.checkKeys(j["samples"], "samples", {"file", "axes", "shape"});
  d.samples = read.part(j["samples"], "samples");
  readTrajectory(read, j["trajectory"], d);
  if (j.contains("weights")) {
    read.checkKeys(j["weights"], "weights", {"file", "axes"});
    d.weights = read.part(j["weights"], "weights");
  }
  if (j.contains("times")) {
    read.checkKeys(j["times"], "times", {"file", "axes", "unit"});
    d.times = read.part(j["times"], "times");
    const std::string unit = j["times"].contains("unit") ? read.text(j["times"]["unit"], "times.unit") : "s";
    const std::map<std::string, double> units = {{"s", 1}, {"ms", 1e-3}, {"us", 1e-6}};
    if (!units.contains(unit)) read.fail("\"times.unit\" is not s, ms or us");
    d.timeUnit = units.at(unit);
  }
  if (j.contains("noise")) {
    read.checkKeys(j["noise"], "noise", {"file", "axes"});
    d.noise = read.part(j["noise"], "noise");
  }
  readGeometry(read, j, d);
  constexpr double microsecond = 1e-6;
  if (j.contains("dwell_us")) d.dwellSeconds = read.number(j["dwell_us"], "dwell_us") * microsecond;
  if (d.dwellSeconds < 0) read.fail("\"dwell_us\" is negative");
  if (j.contains("samples_per_shot")) {
    const double n = read.number(j["samples_per_shot"], "samples_per_shot");
    if (!(n >= 0 && n <= maxSize) || n != std::floor(n))
      read.fail("\"samples_per_shot\" is not a whole number from 0 on");
    d.samplesPerShot = std::int64_t(n);
  }
  readAxes(read, j, d);
  if (j.contains("arrays")) {
    if (!j["arrays"].is_object()) read.fail("\"arrays\" is not an object");
    for (const auto& [name, object] : j["arrays"].items()) {
      read.checkKeys(object, "arrays", {"file", "axes"});
      if (!object.contains("file")) read.fail("\"arrays\" has an entry without a file");
      d.arrays[name] = {read.text(object["file"], "arrays.file"), {}, {}};
    }
  }
  return d;
}

std::string scanDescriptionText(const ScanDescription& d) {
  json j = {{"spokelab-scan", 1}, {"samples", partJson(d.samples)}};
  json t;
  if (d.trajectory.size() == 1) {
    t = partJson(d.trajectory.front());
  } else {
    t["files"] = json::array();
    for (const ArrayPart& part : d.trajectory) t["files"].push_back(part.file.generic_string());
    if (!d.trajectory.front().axes.empty()) t["axes"] = d.trajectory.front().axes;
  }
  if (!d.columns.empty()) t["columns"] = d.columns;
  if (!d.unit.empty()) t["unit"] = d.unit;
  j["trajectory"] = t;
  if (d.weights) j["weights"] = partJson(*d.weights);
  if (d.noise) j["noise"] = partJson(*d.noise);
  if (d.times) {
    j["times"] = partJson(*d.times);
    j["times"]["unit"] = d.timeUnit == 1 ? "s" : d.timeUnit > 1e-5 ? "ms" : "us";
  }
  if (!d.matrix.empty()) j["matrix"] = d.matrix;
  if (!d.fov.empty()) j["fov_mm"] = d.fov;
  if (d.dwellSeconds > 0) j["dwell_us"] = d.dwellSeconds * 1e6;
  if (d.samplesPerShot > 0) j["samples_per_shot"] = d.samplesPerShot;
  if (d.directions) {
    j["read_direction"] = (*d.directions)[0];
    j["phase_direction"] = (*d.directions)[1];
    j["slice_direction"] = (*d.directions)[2];
  }
  if (!d.positions.empty()) j["positions_mm"] = d.positions;
  for (const double seconds : d.echoTimes) j["echo_times_ms"].push_back(seconds * 1e3);
  if (!d.frameTimes.empty()) j["frame_times_s"] = d.frameTimes;
  for (const AxesReading& other : d.otherAxes) {
    json entry = {{"samples", other.samples}};
    if (!other.trajectory.empty()) entry["trajectory"] = other.trajectory;
    j["or"].push_back(std::move(entry));
  }
  for (const auto& [name, part] : d.arrays) j["arrays"][name] = partJson(part);
  return j.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace spokelab
