// Random scans in every format, orders of axes and of memory, units and splits over files: the image is
// the original's, after the decisions shown were accepted or answered, or the program asked. None is
// wrong in silence. Forty draws; SPOKELAB_CAMPAIGN=50 draws 2,000.
#include <QtTest>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

#include "engine/scan/read/description/axes_reading.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"
#include "tests/campaign.h"
#include "tests/engine/scan/array_containers.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/read/random_scan.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_random_files {

using namespace spokelab;
using namespace spokelab::test;

namespace {

using nlohmann::json;
using Axes = std::vector<NamedSize>;

constexpr double fovMillimetres = 200;

struct UnitOfK {
  const char* name;
  double perCycleFov(double matrix) const {
    const std::string n = name;
    if (n == "cycles/pixel") return 1 / matrix;
    if (n == "radians/pixel") return 2 * std::numbers::pi / matrix;
    if (n == "degrees/pixel") return 360 / matrix;
    if (n == "1/m") return 1000 / fovMillimetres;
    if (n == "1/mm") return 1 / fovMillimetres;
    if (n == "radians/m") return 2 * std::numbers::pi * 1000 / fovMillimetres;
    return 1;
  }
};
constexpr std::array<UnitOfK, 7> units = {{{"cycles/FOV"},
                                           {"cycles/pixel"},
                                           {"radians/pixel"},
                                           {"degrees/pixel"},
                                           {"1/m"},
                                           {"1/mm"},
                                           {"radians/m"}}};

std::vector<std::int64_t> sizesOf(const Axes& axes) {
  std::vector<std::int64_t> sizes;
  for (const NamedSize& a : axes) sizes.push_back(a.size);
  return sizes;
}
std::vector<std::string> namesOf(const Axes& axes) {
  std::vector<std::string> names;
  for (const NamedSize& a : axes) names.push_back(a.name);
  return names;
}
Axes reversed(Axes axes) {
  std::reverse(axes.begin(), axes.end());
  return axes;
}

std::vector<float> floatsOf(const std::vector<double>& values) {
  return {values.begin(), values.end()};
}
std::vector<cfloat> floatsOf(const std::vector<cdouble>& values) {
  std::vector<cfloat> floats;
  for (const cdouble& v : values) floats.emplace_back(v);
  return floats;
}

// What is drawn beside the scan.
struct Draw {
  explicit Draw(std::mt19937& r) : random(r) {}
  int number(int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); }
  bool often() { return number(0, 1) == 0; }
  std::mt19937& random;
  std::string log;  // what was drawn, for a failure's message
};

struct Outcome {
  int right = 0, answered = 0, asked = 0, refused = 0;
};

class TestRandomFiles : public QObject, private ArrayFolder {
  Q_OBJECT

  // --- arrays
  std::string npySamples(const RandomScan& scan, const Axes& axes, Draw& d, Axes& stored) const {
    stored = axes;
    const bool fortran = d.often(), pairs = d.number(0, 3) == 0;
    // Fortran's order is the reverse of the axes that are counted.
    const std::vector<cdouble> values = scan.samplesIn(fortran ? reversed(axes) : axes);
    if (pairs && !fortran) {
      stored.push_back({"complex", 2});
      if (d.often()) {
        std::vector<std::int32_t> whole;
        for (const cdouble& v : values)
          for (const double part : {v.real(), v.imag()})
            whole.push_back(std::int32_t(std::lround(part * 4096)));
        d.log += " int32 pairs";
        return npyHeader("<i4", sizesOf(stored)) + bytesOf(whole);
      }
      d.log += " float pairs";
      return npyHeader("<f4", sizesOf(stored)) + bytesOf(floatsOf(values));
    }
    d.log += fortran ? " Fortran" : " C";
    if (d.often()) return npyHeader("<c8", sizesOf(axes), fortran) + bytesOf(floatsOf(values));
    return npyHeader("<c16", sizesOf(axes), fortran) + bytesOf(values);
  }
  std::string npyPoints(const RandomScan& scan, const Axes& axes, double scale, Draw& d) const {
    const bool fortran = d.often();
    const std::vector<double> values = scan.pointsIn(fortran ? reversed(axes) : axes, scale);
    if (d.often()) return npyHeader("<f4", sizesOf(axes), fortran) + bytesOf(floatsOf(values));
    return npyHeader("<f8", sizesOf(axes), fortran) + bytesOf(values);
  }
  // Whole numbers are 4096 times the samples; images keep their shape.
  static bool scaled(const Draw& d) { return d.log.find("int32") != std::string::npos; }

  std::string cflHeader(const Axes& axes) const {
    std::string text = "# Dimensions\n";
    for (const NamedSize& a : axes) text += std::to_string(a.size) + " ";
    return text + "\n";
  }

  // Names of the files that hold samples and trajectory. A file of several arrays, or files beside each other.
  struct Written {
    std::string samples, trajectory;
    Axes sampleAxes, trajectoryAxes;
  };
  Written writeArrays(const RandomScan& scan, Axes samples, Axes points, double scale, Draw& d) {
    Written w;
    w.trajectoryAxes = points;
    switch (d.number(0, 3)) {
      case 0: {
        d.log += " npz";
        const std::string ofSamples = npySamples(scan, samples, d, w.sampleAxes);
        if (!writeZip(path("scan.npz"),
                      {{"ksp.npy", ofSamples}, {"traj.npy", npyPoints(scan, points, scale, d)}}, d.often()))
          qFatal("no archive");
        w.samples = "scan.npz:ksp";
        w.trajectory = "scan.npz:traj";
        break;
      }
      case 1: {
        d.log += " mat";
        std::vector<std::size_t> sizes, ofPoints;
        for (const NamedSize& a : samples) sizes.push_back(std::size_t(a.size));
        for (const NamedSize& a : points) ofPoints.push_back(std::size_t(a.size));
        MatWriter mat(path("scan.mat"), d.often() ? MAT_FT_MAT5 : MAT_FT_MAT73, true);
        if (!mat.complex("ksp", sizes, floatsOf(scan.samplesIn(reversed(samples)))) ||
            !mat.real("traj", MAT_C_DOUBLE, MAT_T_DOUBLE, ofPoints, scan.pointsIn(reversed(points), scale)))
          qFatal("no MATLAB file");
        w.samples = "scan.mat:ksp";
        w.trajectory = "scan.mat:traj";
        w.sampleAxes = samples;
        break;
      }
      case 2: {
        d.log += " cfl beside npy";
        write("ksp.hdr", cflHeader(samples));
        write("ksp.cfl", bytesOf(floatsOf(scan.samplesIn(reversed(samples)))));
        write("traj.npy", npyPoints(scan, points, scale, d));
        w.samples = "ksp.cfl";
        w.trajectory = "traj.npy";
        w.sampleAxes = samples;
        break;
      }
      default:
        d.log += " npy";
        write("ksp.npy", npySamples(scan, samples, d, w.sampleAxes));
        write("traj.npy", npyPoints(scan, points, scale, d));
        w.samples = "ksp.npy";
        w.trajectory = "traj.npy";
    }
    return w;
  }

  // --- what becomes of a file
  static std::string differs(const RandomScan& scan, const Scan& read, const Draw& d) {
    if (!scaled(d)) return scan.difference(read);
    Scan smaller = read;
    for (auto& frame : smaller.samples)
      for (cfloat& v : frame) v /= 4096;
    return scan.difference(smaller);
  }
  static const Decision* questionOf(const Scan& scan) {
    for (const Decision& d : scan.decisions)
      if (d.question) return &d;
    return nullptr;
  }
  static bool offers(const Scan& scan, const std::string& topic, const std::string& choice) {
    for (const Decision& d : scan.decisions)
      if (d.topic == topic && d.question)
        return std::find(d.alternatives.begin(), d.alternatives.end(), choice) != d.alternatives.end();
    return false;
  }
  // `truth`: the right answers to questions. Returns what is wrong in silence, or "".
  std::string judge(const std::filesystem::path& file, const RandomScan& scan,
                    const std::map<std::string, std::string>& truth, const Draw& d, Outcome& outcome) {
    std::shared_ptr<const Scan> read;
    try {
      read = readScan(file, {}, Progress());
    } catch (const Error&) {
      ++outcome.refused;
      return "";
    }
    const std::string wrong = differs(scan, *read, d);
    if (wrong.empty()) {
      ++outcome.right;
      return "";
    }
    if (!questionOf(*read)) return wrong;
    ReadOptions answers;
    for (const auto& [topic, choice] : truth)
      if (offers(*read, topic, choice)) answers.overrides[topic] = choice;
    if (!answers.overrides.empty()) try {
        if (differs(scan, *readScan(file, answers, Progress()), d).empty()) {
          ++outcome.answered;
          return "";
        }
      } catch (const Error&) {
      }
    ++outcome.asked;
    return "";
  }

  std::string drawDescribed(const RandomScan& scan, Draw& d, Outcome& outcome) {
    Axes samples = scan.axes(), points = scan.trajectoryAxes();
    std::shuffle(samples.begin(), samples.end(), d.random);
    std::shuffle(points.begin(), points.end(), d.random);
    const UnitOfK& unit = units[std::size_t(d.number(0, int(units.size()) - 1))];
    d.log += std::string(" described, ") + unit.name;
    const Written w = writeArrays(scan, samples, points, unit.perCycleFov(double(scan.matrix)), d);
    json j = {{"spokelab-scan", 1},
              {"samples", {{"file", w.samples}, {"axes", namesOf(w.sampleAxes)}}},
              {"trajectory", {{"file", w.trajectory}, {"axes", namesOf(w.trajectoryAxes)}}},
              {"matrix", {scan.matrix, scan.matrix}},
              {"fov_mm", {fovMillimetres, fovMillimetres}}};
    if (d.often()) j["trajectory"]["unit"] = unit.name;
    write("scan.json", j.dump());
    return judge(path("scan.json"), scan, {{"k-unit", unit.name}}, d, outcome);
  }

  std::string drawProposed(const RandomScan& scan, Draw& d, Outcome& outcome) {
    Axes samples = scan.axes(), points = scan.trajectoryAxes();
    if (d.often()) std::shuffle(samples.begin(), samples.end(), d.random);
    const UnitOfK& unit = units[std::size_t(d.number(0, int(units.size()) - 1))];
    d.log += std::string(" proposed, ") + unit.name;
    const Written w = writeArrays(scan, samples, points, unit.perCycleFov(double(scan.matrix)), d);
    json j;
    try {
      j = json::parse(scanDescriptionText(proposeScanDescription(path(w.samples)).description));
    } catch (const Error&) {
      ++outcome.refused;
      return "";
    }
    if (d.often()) {
      j["matrix"] = {scan.matrix, scan.matrix};
      j["fov_mm"] = {fovMillimetres, fovMillimetres};
    }
    write("scan.json", j.dump());
    AxesReading reading{namesOf(w.sampleAxes), {}};
    std::map<std::string, std::string> truth = {
        {"k-unit", unit.name},
        {"array-axes", readingText(reading)},
        {"matrix", std::to_string(scan.matrix) + "x" + std::to_string(scan.matrix)}};
    if (!scan.ownTrajectories.empty())
      truth["array-axes"] = readingText({namesOf(w.sampleAxes), namesOf(w.trajectoryAxes)});
    return judge(path("scan.json"), scan, truth, d, outcome);
  }

  // BART's own order, two files without a word about their axes.
  std::string drawBart(const RandomScan& scan, Draw& d, Outcome& outcome) {
    d.log += " BART";
    const std::map<std::string, std::size_t> places = {{"sample", 1}, {"shot", 2},  {"coil", 3},
                                                       {"echo", 5},   {"time", 10}, {"phase", 11},
                                                       {"slice", 13}, {"set", 15},  {"partition", 12}};
    const auto inPlace = [&](const Axes& axes, std::int64_t first) {
      Axes all(16, {"", 1});
      all[0].size = first;
      if (first > 1) all[0].name = "column";
      for (const NamedSize& a : axes)
        if (a.name != "column") all[places.at(a.name)] = a;
      return all;
    };
    const Axes samples = inPlace(scan.axes(), 1), points = inPlace(scan.trajectoryAxes(), 3);
    const UnitOfK unit = units[0];
    write("ksp.hdr", cflHeader(samples));
    write("ksp.cfl", bytesOf(floatsOf(scan.samplesIn(reversed(samples)))));
    write("traj.hdr", cflHeader(points));
    std::vector<cfloat> k;
    std::size_t i = 0;
    for (const double v : scan.pointsIn(reversed(points), 1)) k.emplace_back(i++ % 3 < 2 ? float(v) : 0.F, 0);
    write("traj.cfl", bytesOf(k));
    json j;
    try {
      j = json::parse(scanDescriptionText(proposeScanDescription(path("ksp.cfl")).description));
    } catch (const Error&) {
      ++outcome.refused;
      return "";
    }
    j["matrix"] = {scan.matrix, scan.matrix};
    j["fov_mm"] = {fovMillimetres, fovMillimetres};
    write("scan.json", j.dump());
    return judge(path("scan.json"), scan, {{"k-unit", unit.name}}, d, outcome);
  }

  // --- ISMRMRD: acquisitions in any order of frames and slices
  std::string drawAcquisitions(const RandomScan& scan, Draw& d, Outcome& outcome) {
    const UnitOfK& unit = units[std::size_t(d.number(0, int(units.size()) - 1))];
    const int columns = d.number(2, 3);
    d.log += std::string(" ISMRMRD, ") + unit.name + ", " + std::to_string(columns) + " columns";
    const double scale = unit.perCycleFov(double(scan.matrix));
    struct Block {
      std::int64_t frame, slice, partition;
    };
    std::vector<Block> blocks;
    for (std::int64_t f = 0; f < scan.frameCount(); ++f)
      for (std::int64_t z = 0; z < scan.slices; ++z)
        for (std::int64_t p = 0; p < scan.partitions; ++p) blocks.push_back({f, z, p});
    if (d.often() && scan.partitions == 1) std::shuffle(blocks.begin(), blocks.end(), d.random);
    std::vector<TestAcquisition> all;
    for (const Block& b : blocks)
      for (std::int64_t s = 0; s < scan.shots; ++s) {
        TestAcquisition a = acquisition(int(scan.samples), int(scan.coils), columns);
        std::int64_t rest = b.frame;
        for (std::size_t n = scan.frames.size(); n-- > 0; rest /= scan.frames[n].size) {
          const auto place = std::uint16_t(rest % scan.frames[n].size);
          const std::string& name = scan.frames[n].name;
          auto& idx = a.head.idx;
          (name == "time"    ? idx.repetition
           : name == "echo"  ? idx.contrast
           : name == "phase" ? idx.phase
                             : idx.set) = place;
        }
        a.head.idx.slice = std::uint16_t(b.slice);
        a.head.idx.kspace_encode_step_1 = std::uint16_t(s);
        a.head.idx.kspace_encode_step_2 = std::uint16_t(b.partition);
        a.head.position[2] = float(5 * b.slice);
        for (std::int64_t i = 0; i < scan.samples; ++i)
          for (int c = 0; c < 2; ++c)
            a.trajectory[std::size_t(i * columns + c)] =
                float(scale * scan.point(scan.ownOf(b.frame), s, i, c));
        for (std::int64_t c = 0; c < scan.coils; ++c)
          for (std::int64_t i = 0; i < scan.samples; ++i)
            a.samples[std::size_t(c * scan.samples + i)] =
                cfloat(scan.sample(b.frame, b.slice, c, b.partition, s, i));
        all.push_back(std::move(a));
      }
    const double n = double(scan.matrix), z = double(scan.partitions);
    const TestSpace space{n, n, z, fovMillimetres, fovMillimetres, 5 * z};
    writeVariant(path("scan.h5"), headerText(space, space), all);
    return judge(path("scan.h5"), scan, {{"k-unit", unit.name}}, d, outcome);
  }

 private slots:
  void noneIsWrongInSilence() {
    constexpr int usual = 40;
    std::mt19937 random(campaignSeed(52));
    Outcome outcome;
    const int draws = usual * campaignFactor();
    for (int n = 0; n < draws; ++n) {
      renew();
      const RandomScan scan(random);
      Draw d(random);
      for (const NamedSize& a : scan.axes()) d.log += " " + a.name + " " + std::to_string(a.size);
      const int kind = d.number(0, 3);
      const std::string wrong = kind == 0   ? drawDescribed(scan, d, outcome)
                                : kind == 1 ? drawProposed(scan, d, outcome)
                                : kind == 2 ? drawBart(scan, d, outcome)
                                            : drawAcquisitions(scan, d, outcome);
      QVERIFY2(wrong.empty(),
               ("draw " + std::to_string(n) + ": " + wrong + ", nobody was asked:" + d.log).c_str());
    }
    qInfo("of %d files: %d right, %d right once answered, %d asked, %d refused", draws, outcome.right,
          outcome.answered, outcome.asked, outcome.refused);
    // Most are read as they are: a reader that asks about everything would pass otherwise.
    QVERIFY(2 * outcome.right > draws);
    QVERIFY(10 * outcome.refused < draws);
  }
};

}  // namespace

SPOKELAB_TEST(TestRandomFiles)

}  // namespace test_random_files

#include "test_random_files.moc"
