// The text of a Pulseq file, section by section.
#include <complex>
#include <functional>
#include <numbers>
#include <set>
#include <utility>

#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/pulseq/pulseq_lines.h"
#include "engine/scan/formats/pulseq/pulseq_sequence.h"

namespace spokelab {
namespace {

constexpr double micro = 1e-6, nano = 1e-9;

class PulseqParser {
 public:
  PulseqParser(std::string_view text, const std::string& problem, const Progress& progress)
      : lines_(text, problem, progress), progress_(progress) {}

  PulseqSequence parse() {
    bool more = lines_.next();
    while (more) {
      if (!lines_.startsSection()) lines_.fail("a section in [ ] was expected");
      more = section(std::string(lines_.line()));
    }
    if (s_.major == 0) refuse("it has no [VERSION]");
    if (s_.blocks.empty()) refuse("it has no blocks");
    finish();
    return std::move(s_);
  }

 private:
  // Calls `row` for each line of the section; false at the end of the file.
  bool rows(const std::function<void()>& row) {
    while (lines_.next()) {
      if (lines_.startsSection()) return true;
      row();
    }
    return false;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(lines_.problem(), why, "Write the sequence again");
  }
  bool atLeast(int major, int minor) const {
    return std::pair(s_.major, s_.minor) >= std::pair(major, minor);
  }

  bool section(const std::string& name) {
    if (name == "[VERSION]") return version();
    if (name == "[DEFINITIONS]")
      return rows([&] {
        const auto words = lines_.words();
        const std::string key(words.front());
        const std::size_t behind = lines_.line().find_first_not_of(" \t", words.front().size());
        s_.definitions[key] =
            behind == std::string_view::npos ? "" : std::string(lines_.line().substr(behind));
      });
    if (name == "[SIGNATURE]") return rows([] {});
    if (s_.major == 0) lines_.fail("[VERSION] has to come before " + name);
    if (name == "[BLOCKS]") return rows([&] { block(); });
    if (name == "[RF]") return rows([&] { rf(); });
    if (name == "[GRADIENTS]") return rows([&] { arbitrary(); });
    if (name == "[TRAP]") return rows([&] { trapezoid(); });
    if (name == "[ADC]") return rows([&] { adc(); });
    if (name == "[DELAYS]")
      return rows([&] {
        const auto v = lines_.numbers(2);
        delays_[lines_.whole(v[0])] = micro * v[1];
      });
    if (name == "[SHAPES]") return shapes();
    if (name == "[EXTENSIONS]")
      return rows([&] {
        const auto words = row(4);
        s_.extensions[lines_.integer(words[0])] = {lines_.integer(words[1]), lines_.integer(words[2]),
                                                   lines_.integer(words[3])};
      });
    if (name.starts_with("extension ")) return extension();
    s_.remarks.push_back("section " + name.substr(0, 40));
    return rows([] {});
  }

  std::vector<std::string_view> row(std::size_t least) const {
    auto words = lines_.words();
    if (words.size() < least)
      lines_.fail("the line has " + std::to_string(words.size()) + " columns and needs " +
                  std::to_string(least));
    return words;
  }

  bool version() {
    const bool more = rows([&] {
      const auto words = row(2);
      // A revision may have letters behind its number, as in 0post1.
      const int value = lines_.integer(words[1].substr(0, words[1].find_first_not_of("0123456789")));
      if (words[0] == "major") s_.major = value;
      if (words[0] == "minor") s_.minor = value;
      if (words[0] == "revision") s_.revision = value;
    });
    const std::string found = std::to_string(s_.major) + "." + std::to_string(s_.minor);
    if (!atLeast(1, 2) || atLeast(1, 6))
      throw Error(lines_.problem(), "its version is " + found + ", and 1.2 to 1.5 can be read",
                  "Write the sequence again with a current Pulseq");
    return more;
  }

  // Reads number, delay or duration, rf, gx, gy, gz, adc, and from 1.3 on extension.
  void block() {
    const auto words = row(7);
    PulseqBlock b;
    const int time = lines_.integer(words[1]);
    if (time < 0) lines_.fail("a block has a negative duration");
    b.rf = lines_.integer(words[2]);
    for (std::size_t d = 0; d < 3; ++d) b.gradients[d] = lines_.integer(words[3 + d]);
    b.adc = lines_.integer(words[6]);
    if (words.size() > 7) b.extension = lines_.integer(words[7]);
    blockTimes_.push_back(time);
    s_.blocks.push_back(b);
  }

  // number, amplitude, magnitude, phase, [time, [centre]], delay, [ppm, ppm], frequency, phase,
  // [use]
  void rf() {
    const bool times = atLeast(1, 4), uses = atLeast(1, 5);
    const auto v = lines_.numbers(uses ? 11 : times ? 8 : 7, uses ? 11 : times ? 8 : 7);
    PulseqRf r;
    r.amplitude = v[1];
    r.magnitudeShape = lines_.whole(v[2]);
    r.phaseShape = lines_.whole(v[3]);
    std::size_t i = 4;
    if (times) r.timeShape = lines_.whole(v[i++]);
    r.centre = uses ? micro * v[i++] : -1;
    r.delay = micro * v[i++];
    if (uses) i += 2;
    r.frequency = v[i++];
    r.phase = v[i];
    const auto words = lines_.words();
    if (uses && words.size() > 11) r.use = useOf(words[11]);
    s_.rfs[lines_.whole(v[0])] = r;
  }
  static RfUse useOf(std::string_view word) {
    switch (word.empty() ? 'u' : word.front()) {
      case 'e':
        return RfUse::excitation;
      case 'r':
        return RfUse::refocusing;
      case 'i':
        return RfUse::inversion;
      case 's':
        return RfUse::saturation;
      case 'p':
        return RfUse::preparation;
      case 'o':
        return RfUse::other;
      default:
        return RfUse::undefined;
    }
  }

  // Reads number, amplitude, [first, last], shape, [time], delay.
  void arbitrary() {
    const bool times = atLeast(1, 4), edges = atLeast(1, 5);
    const auto v = lines_.numbers(edges ? 7 : times ? 5 : 4);
    PulseqGradient g;
    g.kind = PulseqGradient::Kind::arbitrary;
    g.amplitude = v[1];
    std::size_t i = 2;
    g.hasEdges = edges;
    if (edges) {
      g.first = v[i++];
      g.last = v[i++];
    }
    g.shape = lines_.whole(v[i++]);
    if (times) g.timeShape = lines_.whole(v[i++]);
    g.delay = micro * v[i];
    s_.gradients[lines_.whole(v[0])] = g;
  }

  void trapezoid() {
    const auto v = lines_.numbers(6);
    PulseqGradient g;
    g.amplitude = v[1];
    g.rise = micro * v[2];
    g.flat = micro * v[3];
    g.fall = micro * v[4];
    g.delay = micro * v[5];
    if (g.rise < 0 || g.flat < 0 || g.fall < 0) lines_.fail("a trapezoid has a negative time");
    s_.gradients[lines_.whole(v[0])] = g;
  }

  // Reads number, samples, dwell, delay, [ppm, ppm], frequency, phase, [shape].
  void adc() {
    const bool shapes = atLeast(1, 5);
    const auto v = lines_.numbers(shapes ? 9 : 6);
    constexpr double maxSamples = 1 << 24;
    if (!(v[1] >= 0 && v[1] <= maxSamples) || v[1] != std::floor(v[1]))
      lines_.fail("a readout has " + numberText(v[1]) + " samples");
    PulseqAdc a;
    a.samples = lines_.whole(v[1]);
    a.dwell = nano * v[2];
    a.delay = micro * v[3];
    a.frequency = v[shapes ? 6 : 4];
    a.phase = v[shapes ? 7 : 5];
    if (shapes) a.phaseShape = lines_.whole(v[8]);
    s_.adcs[lines_.whole(v[0])] = a;
  }

  bool shapes() {
    std::vector<double> packed;
    int id = 0;
    std::int64_t samples = -1;
    double room = 0;
    const auto keep = [&] {
      if (id == 0) return;
      if (samples < 0) lines_.fail("shape " + std::to_string(id) + " does not say its number of samples");
      room += double(samples) * sizeof(double);
      requireMemory(room, lines_.problem(), "its shapes", "Use a machine with more memory");
      // Before 1.4 a shape whose lengths agree may still be compressed.
      const bool stored = atLeast(1, 4) && std::int64_t(packed.size()) == samples;
      s_.shapes[id] = decompressShape(packed, samples, stored, lines_.problem());
      packed.clear();
    };
    const bool more = rows([&] {
      const auto words = lines_.words();
      const std::string key = lowerCase(std::string(words.front()));
      if (key == "shape_id") {
        keep();
        id = lines_.integer(row(2)[1]);
        samples = -1;
      } else if (key == "num_samples" || key == "num_uncompressed") {
        samples = lines_.integer(row(2)[1]);
      } else {
        packed.push_back(lines_.number(words.front()));
      }
    });
    keep();
    return more;
  }

  bool extension() {
    const auto words = row(3);
    const std::string name(words[1]);
    s_.extensionTypes[lines_.integer(words[2])] = name;
    if (name == "LABELSET" || name == "LABELINC") {
      auto& labels = name == "LABELSET" ? s_.labelSets : s_.labelIncrements;
      return rows([&] {
        const auto w = row(3);
        labels[lines_.integer(w[0])] = {std::string(w[2]), lines_.integer(w[1])};
      });
    }
    if (name == "ROTATIONS") return rows([&] { rotation(); });
    if (name != "TRIGGERS") s_.remarks.push_back("extension " + name.substr(0, 40));
    return rows([] {});
  }

  // Four numbers are a quaternion (w, x, y, z), nine a matrix row by row.
  void rotation() {
    const auto v = lines_.numbers(5);
    std::array<double, 9>& r = s_.rotations[lines_.whole(v[0])];
    if (v.size() >= 10) {
      std::copy_n(v.begin() + 1, 9, r.begin());
      return;
    }
    const double norm = std::sqrt(v[1] * v[1] + v[2] * v[2] + v[3] * v[3] + v[4] * v[4]);
    if (!(norm > 0)) lines_.fail("a rotation's quaternion is 0");
    const double w = v[1] / norm, x = v[2] / norm, y = v[3] / norm, z = v[4] / norm;
    r = {1 - 2 * (y * y + z * z), 2 * (x * y - w * z),     2 * (x * z + w * y),
         2 * (x * y + w * z),     1 - 2 * (x * x + z * z), 2 * (y * z - w * x),
         2 * (x * z - w * y),     2 * (y * z + w * x),     1 - 2 * (x * x + y * y)};
  }

  double raster(const char* name, double standard) const {
    const auto v = s_.numbers(name);
    return v.size() == 1 && v[0] > 0 ? v[0] : standard;
  }
  const std::vector<double>& shape(int id, const std::string& whose) const {
    const auto found = s_.shapes.find(id);
    if (found == s_.shapes.end() || found->second.empty())
      refuse(whose + " names shape " + std::to_string(id) + ", which is not there");
    return found->second;
  }

  void finish() {
    s_.gradientRaster = raster("GradientRasterTime", s_.gradientRaster);
    s_.rfRaster = raster("RadiofrequencyRasterTime", s_.rfRaster);
    s_.adcRaster = raster("AdcRasterTime", s_.adcRaster);
    s_.blockRaster = raster("BlockDurationRaster", s_.blockRaster);
    for (auto& [id, rf] : s_.rfs) finishRf(rf, "RF pulse " + std::to_string(id));
    for (const auto& [id, g] : s_.gradients) checkGradient(g, "gradient " + std::to_string(id));
    for (std::size_t b = 0; b < s_.blocks.size(); ++b) {
      if (b % 4096 == 0) progress_.checkpoint();
      checkBlock(s_.blocks[b], b);
      s_.blocks[b].duration =
          atLeast(1, 4) ? double(blockTimes_[b]) * s_.blockRaster : eventsEnd(s_.blocks[b], blockTimes_[b]);
    }
  }

  // Duration, centre (the middle of the largest amplitude) and flip angle; before 1.5 also the use.
  void finishRf(PulseqRf& rf, const std::string& whose) {
    const auto& magnitude = shape(rf.magnitudeShape, whose);
    const std::vector<double>* const phase = rf.phaseShape > 0 ? &shape(rf.phaseShape, whose) : nullptr;
    const std::vector<double>* const times = rf.timeShape > 0 ? &shape(rf.timeShape, whose) : nullptr;
    const std::size_t n = magnitude.size();
    if ((phase && phase->size() != n) || (times && times->size() != n))
      refuse(whose + " has shapes of different lengths");
    const auto time = [&](std::size_t i) { return (times ? (*times)[i] : double(i) + 0.5) * s_.rfRaster; };
    constexpr double nearlyLargest = 0.99999;
    double largest = 0;
    std::complex<double> sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(magnitude[i]));
      if (i + 1 < n)
        sum += std::polar(rf.amplitude, 2 * std::numbers::pi * (phase ? (*phase)[i] : 0)) * magnitude[i] *
               (time(i + 1) - time(i));
    }
    rf.flipDegrees = 360 * std::abs(sum);
    rf.duration = times ? std::ceil(times->back() - nearlyNothing) * s_.rfRaster : double(n) * s_.rfRaster;
    if (rf.centre < 0) {
      const auto isLarge = [&](double v) { return std::abs(v) >= largest * nearlyLargest; };
      const auto first = std::find_if(magnitude.begin(), magnitude.end(), isLarge) - magnitude.begin();
      const auto last =
          n - 1 -
          std::size_t(std::find_if(magnitude.rbegin(), magnitude.rend(), isLarge) - magnitude.rbegin());
      rf.centre = (time(std::size_t(first)) + time(last)) / 2;
    }
    if (!atLeast(1, 5))
      rf.use = rf.flipDegrees < maxExcitationDegrees ? RfUse::excitation : RfUse::refocusing;
  }

  void checkGradient(const PulseqGradient& g, const std::string& whose) const {
    if (g.kind != PulseqGradient::Kind::arbitrary) return;
    const std::size_t n = shape(g.shape, whose).size();
    if (g.timeShape <= 0) return;
    const auto& times = shape(g.timeShape, whose);
    if (times.size() != n || !std::is_sorted(times.begin(), times.end()))
      refuse(whose + " has times that do not fit its shape");
  }

  void checkBlock(const PulseqBlock& b, std::size_t number) const {
    const auto require = [&](const auto& events, int id, const char* what) {
      if (id != 0 && !events.contains(id))
        refuse("block " + std::to_string(number + 1) + " names " + what + " " + std::to_string(id) +
               ", which is not there");
    };
    require(s_.rfs, b.rf, "RF pulse");
    for (const int g : b.gradients) require(s_.gradients, g, "gradient");
    require(s_.adcs, b.adc, "readout");
    std::set<int> seen;
    for (int e = b.extension; e != 0; e = s_.extensions.at(e).next) {
      require(s_.extensions, e, "extension");
      if (!seen.insert(e).second) refuse("its list of extensions has no end");
    }
  }

  // Before 1.4 a block ends with the last of its events.
  double eventsEnd(const PulseqBlock& b, int delay) const {
    double end = 0;
    if (delay > 0) {
      const auto found = delays_.find(delay);
      if (found == delays_.end())
        refuse("a block names delay " + std::to_string(delay) + ", which is not there");
      end = found->second;
    }
    if (b.rf) end = std::max(end, s_.rfs.at(b.rf).delay + s_.rfs.at(b.rf).duration);
    for (const int id : b.gradients) {
      if (id == 0) continue;
      const PulseqGradient& g = s_.gradients.at(id);
      const double length = g.kind == PulseqGradient::Kind::trapezoid
                                ? g.rise + g.flat + g.fall
                                : double(s_.shapes.at(g.shape).size()) * s_.gradientRaster;
      end = std::max(end, g.delay + length);
    }
    if (b.adc) {
      const PulseqAdc& a = s_.adcs.at(b.adc);
      end = std::max(end, a.delay + double(a.samples) * a.dwell);
    }
    return end;
  }

  static constexpr double nearlyNothing = 1e-9;
  // A larger pulse refocuses where the file does not say its use (short ones are rounded).
  static constexpr double maxExcitationDegrees = 90.01;

  PulseqLines lines_;
  const Progress& progress_;
  PulseqSequence s_;
  std::vector<int> blockTimes_;  // rasters, before 1.4 the number of a delay
  std::map<int, double> delays_;
};

}  // namespace

PulseqSequence parsePulseq(std::string_view text, const std::string& problem, const Progress& progress) {
  return PulseqParser(text, problem, progress).parse();
}

}  // namespace spokelab
