#include "engine/scan/formats/images/dicom/dicom_planes.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/core/error.h"
#include "engine/core/text.h"
#include "engine/scan/formats/images/dicom/dicom_tags.h"
#include "engine/scan/place/vectors.h"

namespace spokelab {
namespace {

using namespace dicom;
constexpr double millisecondsPerSecond = 1e3;

// An element of a frame: its own groups, the shared ones, the file itself.
class FrameValues {
 public:
  FrameValues(const DicomItem& file, const DicomItem& own)
      : file_(file), own_(own), shared_(file.inside(sharedGroups)) {}

  const DicomItem& holding(std::uint32_t sequence, std::uint32_t tag) const {
    for (const DicomItem* const groups : {&own_, &shared_})
      if (const DicomItem& item = groups->inside(sequence); item.find(tag)) return item;
    return file_;
  }
  double number(std::uint32_t sequence, std::uint32_t tag, std::size_t index = 0) const {
    return holding(sequence, tag).number(tag, index);
  }
  std::string text(std::uint32_t sequence, std::uint32_t tag) const {
    return holding(sequence, tag).text(tag);
  }
  const DicomItem& file() const { return file_; }

 private:
  const DicomItem &file_, &own_, &shared_;
};

double orElse(double value, double other) {
  return std::isfinite(value) ? value : other;
}

// "M", "P", "R" or "I" where the file says it.
std::string componentOf(const FrameValues& v) {
  const std::string said = v.text(frameTypeSequence, complexComponent);
  for (const char* const name : {"MAGNITUDE", "PHASE", "REAL", "IMAGINARY"})
    if (said == name) return said.substr(0, 1);
  const std::string type = "\\" + v.file().text(imageType) + "\\";
  for (const char* const name : {"M", "P", "R", "I"})
    if (type.find("\\" + std::string(name) + "\\") != std::string::npos) return name;
  for (const char* const name : {"PHASE", "REAL", "IMAGINARY"})
    if (type.find("\\" + std::string(name)) != std::string::npos) return std::string(name).substr(0, 1);
  return "";
}

void placePlane(const FrameValues& v, DicomPlane& plane) {
  constexpr double tolerance = 1e-3;
  bool known = true;
  const auto take = [&](std::uint32_t sequence, std::uint32_t tag, std::size_t index) {
    const double value = v.number(sequence, tag, index);
    known = known && std::isfinite(value);
    return value;
  };
  Vec3 position{}, read{}, phase{};
  for (std::size_t d = 0; d < 3; ++d) {
    position[d] = take(planePosition, imagePosition, d);
    read[d] = take(planeOrientation, imageOrientation, d);
    phase[d] = take(planeOrientation, imageOrientation, d + 3);
  }
  const double rowStep = take(pixelMeasures, pixelSpacing, 0),
               columnStep = take(pixelMeasures, pixelSpacing, 1);
  known = known && rowStep > 0 && columnStep > 0 && std::abs(lengthOf(read) - 1) < tolerance &&
          std::abs(lengthOf(phase) - 1) < tolerance && std::abs(dot(read, phase)) < tolerance;
  if (!known) return;
  plane.placed = true;
  plane.position = position;
  plane.read = read;
  plane.phase = phase;
  plane.rowStep = rowStep;
  plane.columnStep = columnStep;
  const double thickness = v.number(pixelMeasures, sliceThickness);
  plane.thickness = thickness > 0 ? thickness : 1;
}

DicomPlane planeOf(const FrameValues& v) {
  DicomPlane plane;
  plane.columns = std::int64_t(orElse(v.file().number(columns), 0));
  plane.rows = std::int64_t(orElse(v.file().number(rows), 0));
  plane.volume = v.file().text(acquisitionType) == "3D";
  placePlane(v, plane);
  plane.slope = orElse(v.number(valueSequence, rescaleSlope), 1);
  if (plane.slope == 0) plane.slope = 1;
  plane.intercept = orElse(v.number(valueSequence, rescaleIntercept), 0);
  const DicomItem& file = v.file();
  plane.time = orElse(v.number(frameContent, temporalIndex),
                      orElse(file.number(temporalPosition), orElse(file.number(acquisitionNumber), 0)));
  plane.seconds = v.number(temporalSequence, temporalOffset);
  plane.trigger = orElse(v.number(cardiacSequence, triggerDelay), file.number(triggerTime));
  plane.echo = orElse(v.number(echoSequence, effectiveEchoTime), file.number(echoTime));
  plane.instance = orElse(file.number(instanceNumber), 0);
  plane.component = componentOf(v);
  return plane;
}

// Planes at one place, in the order of their frames.
using Pile = std::vector<std::size_t>;

bool atOnePlace(const DicomPlane& a, const DicomPlane& b) {
  constexpr double maxMm = 0.01, maxTurn = 1e-4;
  return lengthOf(minus(a.position, b.position)) < maxMm && lengthOf(minus(a.read, b.read)) < maxTurn &&
         lengthOf(minus(a.phase, b.phase)) < maxTurn;
}

std::vector<Pile> pilesOf(const std::vector<DicomPlane>& planes) {
  std::vector<std::size_t> byInstance(planes.size());
  for (std::size_t i = 0; i < planes.size(); ++i) byInstance[i] = i;
  const auto key = [&](std::size_t i) {
    const DicomPlane& p = planes[i];
    return std::array{p.time, orElse(p.trigger, 0), orElse(p.echo, 0), p.instance, double(p.inFile)};
  };
  std::stable_sort(byInstance.begin(), byInstance.end(),
                   [&](std::size_t a, std::size_t b) { return planes[a].instance < planes[b].instance; });
  std::vector<Pile> piles;
  // Places along x, rounded, find the few piles to compare with.
  std::multimap<double, std::size_t> byPlace;
  const Vec3 probe{0.6, 0.48, 0.64};
  for (const std::size_t i : byInstance) {
    const DicomPlane& p = planes[i];
    constexpr double reach = 0.02;
    const double at = dot(p.position, probe);
    Pile* found = nullptr;
    if (p.placed)
      for (auto near = byPlace.lower_bound(at - reach); near != byPlace.end() && near->first < at + reach;
           ++near)
        if (atOnePlace(planes[piles[near->second].front()], p)) found = &piles[near->second];
    if (!found) {
      byPlace.emplace(at, piles.size());
      found = &piles.emplace_back();
    }
    found->push_back(i);
  }
  for (Pile& pile : piles)
    std::stable_sort(pile.begin(), pile.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  return piles;
}

Vec3 normalOf(const DicomPlane& p) {
  return cross(p.read, p.phase);
}

bool areParallel(const std::vector<DicomPlane>& planes) {
  constexpr double maxTurn = 1e-3;
  return std::all_of(planes.begin(), planes.end(), [&](const DicomPlane& p) {
    return lengthOf(minus(p.read, planes.front().read)) < maxTurn &&
           lengthOf(minus(p.phase, planes.front().phase)) < maxTurn;
  });
}

// Parallel slices follow each other along their normal. Where the files already count them so, in
// either direction, that order is kept.
void sortSlices(const std::vector<DicomPlane>& planes, std::vector<Pile>& piles) {
  const Vec3 normal = normalOf(planes.front());
  const auto height = [&](const Pile& pile) { return dot(planes[pile.front()].position, normal); };
  const auto lower = [&](const Pile& a, const Pile& b) { return height(a) < height(b); };
  if (std::is_sorted(piles.rbegin(), piles.rend(), lower)) return;
  std::stable_sort(piles.begin(), piles.end(), lower);
}

// Holes among the slices that are holes among the files' numbers, too.
void requireAllSlices(const std::vector<DicomPlane>& planes, const std::vector<Pile>& piles,
                      const std::string& problem) {
  constexpr double tolerance = 0.1;  // of a step
  const auto place = [&](std::size_t i) { return planes[piles[i].front()].position; };
  double step = INFINITY;
  for (std::size_t i = 1; i < piles.size(); ++i)
    step = std::min(step, lengthOf(minus(place(i), place(i - 1))));
  double first = INFINITY, last = -INFINITY;
  for (const DicomPlane& p : planes) {
    first = std::min(first, p.instance);
    last = std::max(last, p.instance);
  }
  const bool numbersMissing = planes.back().instance > 0 && last - first + 1 > double(planes.size());
  if (piles.size() < 3 || !(step > 0) || !numbersMissing) return;
  for (std::size_t i = 1; i < piles.size(); ++i) {
    const double steps = lengthOf(minus(place(i), place(i - 1))) / step;
    if (steps > 2 - tolerance && std::abs(steps - std::round(steps)) < tolerance)
      throw Error(problem,
                  "slices are missing: behind slice " + std::to_string(i) + " of " +
                      std::to_string(piles.size()) + " there is room for " +
                      countText(std::int64_t(std::round(steps)) - 1, "more", "more"),
                  "Copy or export the whole series");
  }
}

bool areEven(const std::vector<DicomPlane>& planes, const std::vector<Pile>& piles) {
  constexpr double maxMm = 0.02;
  const auto place = [&](std::size_t i) { return planes[piles[i].front()].position; };
  const Vec3 step = minus(place(1), place(0));
  for (std::size_t i = 1; i < piles.size(); ++i)
    if (lengthOf(minus(place(i), along(place(0), double(i), step))) > maxMm) return false;
  return true;
}

// The centre of a plane as Geometry counts it: pixel floor(N / 2).
Vec3 centreOf(const DicomPlane& p) {
  return along(along(p.position, double(p.columns / 2) * p.columnStep, p.read),
               double(p.rows / 2) * p.rowStep, p.phase);
}

Geometry geometryOf(const std::vector<DicomPlane>& planes, const std::vector<Pile>& piles,
                    const Image& nominal) {
  const DicomPlane& first = planes[piles.front().front()];
  Geometry g = nominal.geometry;
  if (!first.placed) return g;
  const auto slices = std::int64_t(piles.size());
  g.nominal = false;
  g.matrix = {first.columns, first.rows, 1};
  g.fov = {double(first.columns) * first.columnStep, double(first.rows) * first.rowStep, first.thickness};
  g.setDirections({first.read, first.phase, normalOf(first)});
  g.slicePositions.clear();
  for (const Pile& pile : piles) g.slicePositions.push_back(centreOf(planes[pile.front()]));
  if (!areParallel(planes)) {
    for (const Pile& pile : piles) {
      const DicomPlane& p = planes[pile.front()];
      g.sliceDirections.push_back({p.read, p.phase, normalOf(p)});
    }
    return g;
  }
  if (slices == 1) return g;
  const Vec3 step = minus(g.slicePositions[1], g.slicePositions[0]);
  const double length = lengthOf(step);
  if (!(length > 0)) return g;
  g.sliceDirection = {step[0] / length, step[1] / length, step[2] / length};
  if (!first.volume || !areEven(planes, piles)) {
    if (dot(step, normalOf(first)) > 0)
      g.sliceDirection = normalOf(first);
    else
      g.sliceDirection = along({}, -1, normalOf(first));
    return g;
  }
  g.matrix[2] = slices;
  g.fov[2] = length * double(slices);
  g.slicePositions = {g.slicePositions[std::size_t(slices / 2)]};
  return g;
}

// Axes that the planes of the first slice show, where their values are a grid.
FrameAxes axesOf(const std::vector<DicomPlane>& planes, const Pile& pile) {
  const auto distinct = [&](double DicomPlane::*value) {
    std::vector<double> values;
    for (const std::size_t i : pile) values.push_back(orElse(planes[i].*value, 0));
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
  };
  const std::vector<double> times = distinct(&DicomPlane::time), triggers = distinct(&DicomPlane::trigger),
                            echoes = distinct(&DicomPlane::echo), seconds = distinct(&DicomPlane::seconds);
  const auto inSeconds = [](std::vector<double> values) {
    for (double& v : values) v /= millisecondsPerSecond;
    return values;
  };
  const auto isGrid = [&](std::size_t product) { return product == pile.size(); };
  std::vector<FrameAxis> axes;
  // Numbers that differ from frame to frame add nothing if times already distinguish the frames.
  const bool withTimes = !isGrid(triggers.size() * echoes.size());
  if (withTimes && !isGrid(times.size() * triggers.size() * echoes.size())) return {};
  if (withTimes && times.size() > 1)
    axes.push_back({FrameMeaning::time, int(times.size()),
                    seconds.size() == times.size() ? seconds : std::vector<double>()});
  if (triggers.size() > 1) axes.push_back({FrameMeaning::phase, int(triggers.size()), inSeconds(triggers)});
  const bool tellsEcho = pile.size() == 1 && echoes.front() > 0;  // of a series of one echo
  if (echoes.size() > 1 || tellsEcho)
    axes.push_back({FrameMeaning::echo, int(echoes.size()), inSeconds(echoes)});
  return axes.empty() ? FrameAxes() : FrameAxes::grid(std::move(axes));
}

void requireOneKind(const std::vector<DicomPlane>& planes, const std::string& problem) {
  std::map<std::string, std::size_t> components;
  for (const DicomPlane& p : planes) {
    ++components[p.component];
    if (p.columns != planes.front().columns || p.rows != planes.front().rows)
      throw Error(problem, "its images differ in size", "Put images of one size into a folder of their own");
    if (p.placed != planes.front().placed)
      throw Error(problem, "only some of its images say where they lie", "Export the whole series again");
  }
  if (components.size() < 2) return;
  std::string text;
  for (const auto& [name, count] : components)
    text +=
        (text.empty() ? "" : ", ") + std::to_string(count) + " of kind " + (name.empty() ? "unknown" : name);
  throw Error(problem, "it mixes magnitude, phase, real or imaginary images (" + text + ")",
              "Put those of one kind into a folder of their own");
}

}  // namespace

DicomFileContent contentOf(const DicomItem& file, int index, const std::string& problem) {
  const double frames = orElse(file.number(numberOfFrames), 1), width = file.number(columns),
               height = file.number(rows);
  constexpr double maxFrames = 1 << 20, maxSide = 65535;
  if (!(width >= 1 && height >= 1 && width <= maxSide && height <= maxSide) || !(frames >= 1) ||
      frames > maxFrames)
    throw Error(problem, "it holds no image", "Choose a DICOM file with pixels");
  DicomFileContent content;
  content.series = file.text(seriesUid);
  content.seriesText = "series " + file.text(seriesNumber) + " " + file.text(seriesDescription);
  if (file.text(privateCreator) == ownCreator) content.ownAxes = file.text(ownAxes);
  const DicomElement* const own = file.find(perFrameGroups);
  if (own && double(own->items.size()) != frames)
    throw Error(problem,
                "it describes " + countText(std::int64_t(own->items.size()), "frame") + " of " +
                    std::to_string(std::int64_t(frames)),
                "Copy the file again, or export it again");
  const DicomItem none;
  for (std::int64_t f = 0; f < std::int64_t(frames); ++f) {
    DicomPlane plane = planeOf(FrameValues(file, own ? own->items[std::size_t(f)] : none));
    plane.file = index;
    plane.inFile = f;
    if (!own && frames > 1) plane.placed = false;  // several pictures at one place
    content.planes.push_back(std::move(plane));
  }
  return content;
}

DicomOrder orderOf(const std::vector<DicomPlane>& planes, const std::string& ownAxes,
                   const std::string& problem) {
  requireOneKind(planes, problem);
  std::vector<Pile> piles = pilesOf(planes);
  const std::size_t frames = piles.front().size();
  for (const Pile& pile : piles)
    if (pile.size() != frames) {
      const auto most = std::max_element(piles.begin(), piles.end(),
                                         [](const Pile& a, const Pile& b) { return a.size() < b.size(); });
      throw Error(problem,
                  "slices are missing: " + std::to_string(planes.size()) + " images lie at " +
                      std::to_string(piles.size()) + " places, up to " + std::to_string(most->size()) +
                      " at one",
                  "Copy or export the whole series");
    }
  if (planes.front().placed && areParallel(planes)) {
    sortSlices(planes, piles);
    requireAllSlices(planes, piles, problem);
  }
  DicomOrder order;
  const DicomPlane& first = planes[piles.front().front()];
  order.image = nominalImage({first.columns, first.rows, std::int64_t(piles.size())}, "");
  order.image.frames = int(frames);
  order.image.geometry = geometryOf(planes, piles, order.image);
  for (std::size_t f = 0; f < frames; ++f)
    for (const Pile& pile : piles) order.planes.push_back(pile[f]);
  order.image.frameAxes = ownAxes.empty() ? axesOf(planes, piles.front()) : FrameAxes();
  return order;
}

}  // namespace spokelab
