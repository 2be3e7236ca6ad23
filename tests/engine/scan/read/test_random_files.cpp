// Random scans in every format, orders of axes and of memory, units and splits over files: the image is
// the original's, after the decisions shown were accepted or answered, or the program asked. None is
// wrong in silence. Forty draws; SPOKELAB_CAMPAIGN=50 draws 2,000.
#include <QtTest>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/scan/read/description/axes_reading.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"
#include "tests/campaign.h"
#include "tests/engine/scan/array_containers.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/read/random_draw.h"
#include "tests/engine/scan/stream_file.h"
#include "tests/test_main.h"

namespace test_random_files {

using namespace spokelab;
using namespace spokelab::test;

namespace {

using nlohmann::json;

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
            whole.push_back(std::int32_t(std::lround(part * wholeNumberScale)));
        d.scaled = true;
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

  std::string drawDescribed(const RandomScan& scan, Draw& d, Outcome& outcome) {
    Axes samples = scan.axes(), points = scan.trajectoryAxes();
    std::shuffle(samples.begin(), samples.end(), d.random);
    std::shuffle(points.begin(), points.end(), d.random);
    const UnitOfK& unit = d.unit();
    d.log += std::string(" described, ") + unit.name;
    const Written w = writeArrays(scan, samples, points, unit.perCycleFov(double(scan.matrix)), d);
    json j = {{"spokelab-scan", 1},
              {"samples", {{"file", w.samples}, {"axes", namesOf(w.sampleAxes)}}},
              {"trajectory", {{"file", w.trajectory}, {"axes", namesOf(w.trajectoryAxes)}}},
              {"matrix", {scan.matrix, scan.matrix}},
              {"fov_mm", {randomFovMm, randomFovMm}}};
    if (d.often()) j["trajectory"]["unit"] = unit.name;
    write("scan.json", j.dump());
    return judge(path("scan.json"), {}, scan, {{"k-unit", unit.name}}, d, outcome);
  }

  std::string drawProposed(const RandomScan& scan, Draw& d, Outcome& outcome) {
    Axes samples = scan.axes(), points = scan.trajectoryAxes();
    if (d.often()) std::shuffle(samples.begin(), samples.end(), d.random);
    const UnitOfK& unit = d.unit();
    d.log += std::string(" proposed, ") + unit.name;
    const Written w = writeArrays(scan, samples, points, unit.perCycleFov(double(scan.matrix)), d);
    json j;
    try {
      j = json::parse(scanDescriptionText(proposeScanDescription(path(w.samples)).description));
    } catch (const Error&) {
      ++outcome.refused;
      return "";
    }
    // Cycles/FOV give a matrix by their reach, which is a smaller one where they do not fill it.
    const bool byReach = std::string(unit.name) == "cycles/FOV" && scan.coverage < 1;
    if (d.often() || byReach) {
      j["matrix"] = {scan.matrix, scan.matrix};
      j["fov_mm"] = {randomFovMm, randomFovMm};
    }
    write("scan.json", j.dump());
    AxesReading reading{namesOf(w.sampleAxes), {}};
    std::map<std::string, std::string> truth = {
        {"k-unit", unit.name},
        {"array-axes", readingText(reading)},
        {"fov", std::to_string(int(randomFovMm)) + "x" + std::to_string(int(randomFovMm))},
        {"matrix", std::to_string(scan.matrix) + "x" + std::to_string(scan.matrix)}};
    if (!scan.ownTrajectories.empty())
      truth["array-axes"] = readingText({namesOf(w.sampleAxes), namesOf(w.trajectoryAxes)});
    return judge(path("scan.json"), {}, scan, truth, d, outcome);
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
    const UnitOfK unit = unitsOfK[0];
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
    j["fov_mm"] = {randomFovMm, randomFovMm};
    write("scan.json", j.dump());
    // BART has no partitions: such a file is a guess by its sizes.
    AxesReading reading;
    for (const NamedSize& a : samples) reading.samples.push_back(a.size > 1 ? a.name : "one");
    while (reading.samples.back() == "one") reading.samples.pop_back();
    return judge(path("scan.json"), {}, scan, {{"k-unit", unit.name}, {"array-axes", readingText(reading)}},
                 d, outcome);
  }

  // ISMRMRD, as a file or a stream: acquisitions in any order of frames and slices.
  std::string drawAcquisitions(const RandomScan& scan, Draw& d, Outcome& outcome) {
    const UnitOfK& unit = d.unit();
    const int columns = d.number(2, 3);
    const bool stream = d.often();
    d.log += std::string(stream ? " stream, " : " ISMRMRD, ") + unit.name + ", " + std::to_string(columns) +
             " columns";
    const auto all = acquisitionsOf(scan, columns, unit.perCycleFov(double(scan.matrix)), d);
    if (stream)
      write("scan.mrd", streamOf(headerOf(scan), all));
    else
      writeVariant(path("scan.h5"), headerOf(scan), all);
    return judge(path(stream ? "scan.mrd" : "scan.h5"), {}, scan, {{"k-unit", unit.name}}, d, outcome);
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
      QVERIFY2(wrong.empty(), ("draw " + std::to_string(n) + ": " + wrong + ":" + d.log).c_str());
    }
    qInfo("of %d files: %d right, %d right once answered, %d asked, %d refused", draws, outcome.right,
          outcome.answered, outcome.asked, outcome.refused);
    countCases("random files", draws);
    // Most are read as they are: a reader that asks about everything would pass otherwise.
    QVERIFY(2 * outcome.right > draws);
    QVERIFY(10 * outcome.refused < draws);
  }
};

}  // namespace

SPOKELAB_TEST(TestRandomFiles)

}  // namespace test_random_files

#include "test_random_files.moc"
