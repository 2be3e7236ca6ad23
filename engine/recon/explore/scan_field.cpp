#include "engine/recon/explore/scan_field.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <optional>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/number_list.h"
#include "engine/core/text.h"
#include "engine/recon/field/echo/echo_field.h"
#include "engine/recon/run/run_job.h"
#include "engine/scan/formats/images/read_image.h"

namespace spokelab {
namespace {

constexpr double fullTurn = 2 * std::numbers::pi, oneMillisecond = 1e-3;
const char* const noField = "Cannot find the field from the echoes";

struct Echoes {
  std::vector<int> frames;
  std::vector<double> times;  // ascending
};

// Sorts the echoes by time, the earliest first.
Echoes sorted(const std::vector<int>& frames, const std::vector<double>& times) {
  std::vector<std::size_t> order(frames.size());
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return times[a] < times[b]; });
  Echoes echoes;
  for (const std::size_t i : order) {
    echoes.frames.push_back(frames[i]);
    echoes.times.push_back(times[i]);
  }
  return echoes;
}

// The frames that differ from `frame` by their echo alone.
Echoes echoesOf(const Scan& scan, const ReconOptions& options, int frame) {
  const FrameAxes& axes = scan.frameAxes;
  const std::vector<double> optionTimes = echoTimesOf(options.iterative.subspace.echoTimes);
  const auto echo = axes.find(FrameMeaning::echo);
  if (!echo) {
    if (optionTimes.size() < 2 || scan.frames != int(optionTimes.size()))
      throw Error(noField,
                  "the scan has " + countText(scan.frames, "frame") + ", none of which is named an echo",
                  "Give the time of each frame with echo-times, or a map with field-map");
    std::vector<int> frames(optionTimes.size());
    std::iota(frames.begin(), frames.end(), 0);
    return sorted(frames, optionTimes);
  }
  const std::vector<double>& times = optionTimes.empty() ? axes.axes[*echo].values : optionTimes;
  const auto size = std::size_t(axes.axes[*echo].size);
  if (times.size() != size)
    throw Error(noField,
                times.empty() ? "the file does not hold the echo times"
                              : std::to_string(times.size()) + " echo times are given for " +
                                    countText(axes.axes[*echo].size, "echo", "echoes"),
                "Give the time of each echo with echo-times");
  std::vector<int> frames;
  std::vector<double> chosen;
  for (int f = 0; f < scan.frames; ++f) {
    bool beside = true;
    for (std::size_t a = 0; a < axes.axes.size(); ++a)
      beside = beside && (a == *echo || axes.place(f, a) == axes.place(frame, a));
    if (!beside) continue;
    frames.push_back(f);
    chosen.push_back(times[std::size_t(axes.place(f, *echo))]);
  }
  return sorted(frames, chosen);
}

// SENSE of the echoes with this field; null: without one.
ReconOptions echoOptions(const ReconOptions& options, const Echoes& echoes,
                         std::shared_ptr<const Image> field) {
  ReconOptions o = options;
  const IterativeOptions plain;
  IterativeOptions& i = o.iterative;
  o.exact = false;
  i.method = ReconMethod::sense;
  i.transform = TransformKind::automatic;
  i.solver = plain.solver;
  i.watcher = {};
  i.mapSets = 1;
  i.decayMap.clear();
  i.fieldMap = field ? std::string(fieldOfEchoes) : "none";
  i.echoField = std::move(field);
  std::vector<int> frames = echoes.frames;
  std::sort(frames.begin(), frames.end());
  o.frames = numberListText(frames);
  return o;
}

// Seconds between the first and the last sample of a readout; 0: not known.
double readoutSpan(const Scan& scan, int frame) {
  const std::vector<double>& times = scan.trajectory(frame).times;
  if (times.empty()) return 0;
  const auto [first, last] = std::minmax_element(times.begin(), times.end());
  return *last - *first;
}

std::shared_ptr<Image> imageLike(const Image& image, const char* name) {
  auto map = std::make_shared<Image>();
  map->size = image.size;
  map->geometry = image.geometry;
  map->name = name;
  map->data.assign(std::size_t(image.volume()), cfloat(0));
  return map;
}

struct FieldMaps {
  explicit FieldMaps(const Image& like)
      : field(imageLike(like, "field map")),
        deviation(imageLike(like, "standard deviation of the field map")),
        decay(imageLike(like, "R2* map")) {}

  void put(const EchoField& echoField, std::int64_t first) {
    for (std::size_t i = 0; i < echoField.field.size(); ++i) {
      const std::size_t at = std::size_t(first) + i;
      field->data[at] = float(echoField.field[i]);
      deviation->data[at] = float(echoField.deviation[i]);
      decay->data[at] = float(echoField.decay[i]);
      if (!echoField.object[i]) continue;
      low = std::min(low, echoField.field[i]);
      high = std::max(high, echoField.field[i]);
      deviations.push_back(echoField.deviation[i]);
      decays.push_back(echoField.decay[i]);
    }
    regions = std::max(regions, echoField.regions);
    span = echoField.span;
  }

  ScanField result(const std::vector<double>& times, std::vector<std::string> notes) {
    const auto median = [](std::vector<double>& v) {
      std::nth_element(v.begin(), v.begin() + std::ptrdiff_t(v.size() / 2), v.end());
      return v[v.size() / 2];
    };
    std::string texts;
    for (const double t : times) texts += (texts.empty() ? "" : ", ") + numberText(t / oneMillisecond, 4);
    notes.insert(notes.begin(), "field from " + countText(std::int64_t(times.size()), "echo", "echoes") +
                                    " (TE " + texts + " ms): " + numberText(low / fullTurn, 3) + " ... " +
                                    numberText(high / fullTurn, 3) + " Hz, a pixel is sure to " +
                                    numberText(median(deviations) / fullTurn, 2) + " Hz (median), R2* " +
                                    numberText(median(decays), 3) + " 1/s (median)");
    if (regions > 1)
      notes.push_back("(?) the object has " + std::to_string(regions) +
                      " parts that touch nowhere: the field of each is known but for multiples of " +
                      numberText(1 / span, 3) + " Hz");
    return {field, deviation, decay, times, std::move(notes)};
  }

  std::shared_ptr<Image> field, deviation, decay;
  double low = HUGE_VAL, high = -HUGE_VAL, span = 0;
  int regions = 0;
  std::vector<double> deviations, decays;
};

// Root mean square over the pixels whose phase counts, rad/s.
double changeOf(const Image& now, const Image& before, const Image& deviation) {
  double sum = 0, total = 0;
  for (std::size_t i = 0; i < now.data.size(); ++i) {
    const double sure = deviation.data[i].real();
    if (!(sure > 0)) continue;
    const double d = double(now.data[i].real()) - before.data[i].real();
    sum += d * d / (sure * sure);
    total += 1 / (sure * sure);
  }
  return total > 0 ? std::sqrt(sum / total) : 0;
}

}  // namespace

std::vector<double> echoTimesOf(const std::string& text) {
  if (text.empty()) return {};
  std::vector<double> times = realNumberList(text, "Cannot use echo-times = " + text);
  for (double& t : times) t *= oneMillisecond;
  return times;
}

ScanField fieldFromEchoes(Backend& backend, const Scan& scan, const ReconOptions& options,
                          const Progress& progress) {
  constexpr int maxPasses = 4;
  constexpr double settledHz = 0.5, minPhase = 0.1;  // rad within a readout
  ReconOptions first = options;
  first.iterative.fieldMap = "none";
  const JobPlan job = planJob(scan, first);
  const Echoes echoes = echoesOf(scan, options, job.frames.front());
  if (echoes.frames.size() < 2)
    throw Error(noField, "the scan has one echo",
                "Give a scan with two or more echoes, or a map with field-map");
  const double span = readoutSpan(scan, echoes.frames.front());
  ScanField found;
  for (int pass = 0; pass < maxPasses; ++pass) {
    const Progress part = progress.part(double(pass) / maxPasses, double(pass + 1) / maxPasses);
    part.report(0, pass == 0 ? "Images of the echoes" : "Images of the echoes, with the field so far");
    const Reconstruction made =
        runJob(backend, scan, echoOptions(options, echoes, found.field), nullptr, nullptr, part);
    if (made.cancelled || !made.image) throw Cancelled{};
    const Image& images = *made.image;
    // On the grid of the whole scan, so that a slice is found by its number.
    std::vector<int> slices(std::size_t(scan.dims() < 3 ? scan.slices : 1));
    std::iota(slices.begin(), slices.end(), 0);
    FieldMaps maps(*makeImage(scan, 1, slices, false, echoes.frames.front()));
    const std::int64_t plane = std::int64_t(job.pixels), planes = images.volume() / plane;
    for (std::int64_t s = 0; s < planes; ++s) {
      EchoImages slice{job.matrix, echoes.times, {}};
      for (const int frame : echoes.frames) {
        const auto place = std::count_if(echoes.frames.begin(), echoes.frames.end(),
                                         [frame](int other) { return other < frame; });
        const cfloat* pixels = images.frame(int(place)) + s * plane;
        slice.images.emplace_back(pixels, pixels + plane);
      }
      maps.put(fieldFromEchoImages(slice, options.iterative.fieldSmoothing, part),
               std::int64_t(job.slices[std::size_t(s)]) * plane);
    }
    const std::shared_ptr<const Image> before = found.field;
    found = maps.result(echoes.times, {});
    const double change = before ? changeOf(*found.field, *before, *found.deviation) / fullTurn : 0;
    if (pass > 0)
      found.notes.push_back("the echoes were made " + std::to_string(pass + 1) +
                            " times, each with the field before: the last changed it by " +
                            numberText(change, 2) + " Hz");
    const bool actsInReadout = std::max(std::abs(maps.low), std::abs(maps.high)) * span > minPhase;
    if (!actsInReadout || (pass > 0 && change < settledHz)) break;
  }
  return found;
}

ScanField fieldFromImages(const std::vector<Image>& images, const Image* magnitude,
                          const std::vector<double>& given, double smoothing, const Progress& progress) {
  std::vector<const Image*> frames;
  std::vector<std::int64_t> numbers;
  for (const Image& image : images)
    for (int f = 0; f < image.frames; ++f) {
      frames.push_back(&image);
      numbers.push_back(f);
    }
  std::vector<double> times = given;
  if (times.empty())
    for (std::size_t i = 0; i < frames.size(); ++i)
      if (const auto te = frames[i]->frameAxes.value(int(numbers[i]), FrameMeaning::echo))
        times.push_back(*te);
  if (frames.size() != times.size())
    throw Error(noField,
                (given.empty() ? "the files tell the echo times of " + std::to_string(times.size()) + " of "
                               : std::to_string(times.size()) + " echo times are given for ") +
                    countText(std::int64_t(frames.size()), "image"),
                "Give the time of each image with echo-times, as in 2.3,4.6");
  const Image& like = *frames.front();
  std::vector<const Image*> all = frames;
  if (magnitude) all.push_back(magnitude);
  for (const Image* image : all)
    if (image->size != like.size)
      throw Error(
          noField,
          "the images have " + sizeText(like.size, 3) + " and " + sizeText(image->size, 3) + " pixels",
          "Give images of one size");
  EchoImages echoes{like.size, {}, {}};
  std::vector<int> order(frames.size());
  std::iota(order.begin(), order.end(), 0);
  const Echoes byTime = sorted(order, times);
  echoes.times = byTime.times;
  std::string unit;
  for (const int e : byTime.frames) {
    const cfloat* in = frames[std::size_t(e)]->frame(int(numbers[std::size_t(e)]));
    std::vector<cfloat> values(in, in + like.volume());
    bool real = true;
    float most = 0;
    for (const cfloat& v : values) {
      if (!std::isfinite(v.real()) || !std::isfinite(v.imag()))
        throw Error(noField, "a value of the images is not a finite number",
                    "Write the images again, with 0 in place of NaN and infinity");
      real = real && v.imag() == 0;
      most = std::max(most, std::abs(v.real()));
    }
    if (real) {
      constexpr float room = 1.001F, siemens = 4096;
      const bool isRad = most <= room * float(std::numbers::pi);
      if (!isRad && most > room * siemens)
        throw Error(noField,
                    "the phases reach " + numberText(double(most), 4) + ", which is not a unit that is known",
                    "Give phases in rad, or from -4096 to 4096 a turn");
      unit = isRad ? "phases in rad" : "phases of 8192 a turn";
      const float scale = isRad ? 1.0F : float(std::numbers::pi) / siemens;
      for (std::size_t i = 0; i < values.size(); ++i)
        values[i] = std::polar(magnitude ? std::abs(magnitude->data[i]) : 1.0F, values[i].real() * scale);
    }
    echoes.images.push_back(std::move(values));
  }
  FieldMaps maps(like);
  maps.put(fieldFromEchoImages(echoes, smoothing, progress), 0);
  return maps.result(echoes.times, unit.empty() ? std::vector<std::string>{} : std::vector{unit});
}

ScanField fieldFromFiles(const FieldImages& files, const ReconOptions& options, const Progress& progress) {
  constexpr double readShare = 0.3;
  std::vector<Image> images;
  for (const std::string& file : files.echoes) images.push_back(readImage(file, progress.part(0, readShare)));
  std::optional<Image> magnitude;
  if (!files.magnitude.empty()) magnitude = readImage(files.magnitude, progress.part(0, readShare));
  return fieldFromImages(images, magnitude ? &*magnitude : nullptr,
                         echoTimesOf(options.iterative.subspace.echoTimes), options.iterative.fieldSmoothing,
                         progress.part(readShare, 1));
}

bool findsField(const ReconOptions& options) {
  return options.iterative.method != ReconMethod::gridding && isFoundField(options.iterative.fieldMap);
}

ReconOptions withEchoField(Backend& backend, const Scan& scan, ReconOptions options,
                           const Progress& progress) {
  if (!findsField(options)) return options;
  const FieldImages named = fieldImages(options.iterative.fieldMap);
  const ScanField found = named.empty() ? fieldFromEchoes(backend, scan, options, progress)
                                        : fieldFromFiles(named, options, progress);
  auto field = std::make_shared<Image>(*found.field);
  field->provenance = found.notes;
  options.iterative.echoField = std::move(field);
  return options;
}

}  // namespace spokelab
