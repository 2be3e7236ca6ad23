// Random scans whose samples and trajectory are in separate files of different formats, and in HDF5 files
// of public layouts: the image is the original's, after questions were answered, or the program asked.
// Forty draws; SPOKELAB_CAMPAIGN=50 draws 2,000.
#include <QtTest>

#include "engine/scan/read/description/axes_reading.h"
#include "tests/campaign.h"
#include "tests/engine/scan/array_containers.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/hdf5_file.h"
#include "tests/engine/scan/read/random_draw.h"
#include "tests/engine/scan/stream_file.h"
#include "tests/test_main.h"

namespace test_random_splits {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The axes with "column" at one of the ends, where a lone array has it.
Axes columnAtAnEnd(Axes axes, Draw& d) {
  axes.pop_back();
  if (d.number(0, 3) == 0) std::shuffle(axes.begin(), axes.end(), d.random);
  axes.insert(d.often() ? axes.begin() : axes.end(), {"column", 2});
  return axes;
}

// As acquisitionsOf() counts it.
std::string counterOf(const std::string& axis) {
  return axis == "time" ? "repetition" : axis == "echo" ? "contrast" : axis;
}

class TestRandomSplits : public QObject, private ArrayFolder {
  Q_OBJECT

  // Writes the trajectory into a folder of its own. Returns the name of its array.
  std::string writePoints(const RandomScan& scan, const Axes& axes, double scale, Draw& d) const {
    const std::vector<double> values = scan.pointsIn(axes, scale);
    switch (d.number(0, 3)) {
      case 0:
        d.log += " h5";
        Hdf5File(path("k/traj.h5")).write("traj", sizesOf(axes), values);
        return "k/traj.h5:traj";
      case 1: {
        d.log += " mat";
        std::vector<std::size_t> sizes;  // MATLAB's order is the reverse
        for (const NamedSize& a : reversed(axes)) sizes.push_back(std::size_t(a.size));
        MatWriter mat(path("k/traj.mat"), d.often() ? MAT_FT_MAT5 : MAT_FT_MAT73);
        if (!mat.real("traj", MAT_C_DOUBLE, MAT_T_DOUBLE, sizes, values)) qFatal("no MATLAB file");
        return d.often() ? "k/traj.mat:traj" : "k/traj.mat";
      }
      case 2:
        d.log += " npz";
        if (!writeZip(path("k/traj.npz"), {{"coord.npy", npyHeader("<f8", sizesOf(axes)) + bytesOf(values)}},
                      d.often()))
          qFatal("no archive");
        return "k/traj.npz:coord";
      default:
        d.log += " npy";
        write("k/traj.npy", npyHeader("<f4", sizesOf(axes)) + bytesOf(floatsOf(values)));
        return "k/traj.npy";
    }
  }

  std::string drawLoneArray(const RandomScan& scan, Draw& d, Outcome& outcome) {
    Axes samples = scan.axes();
    if (d.often()) std::shuffle(samples.begin(), samples.end(), d.random);
    const UnitOfK& unit = d.unit();
    d.log += std::string(" lone array, ") + unit.name;
    const double scale = unit.perCycleFov(double(scan.matrix));
    const Axes points = columnAtAnEnd(scan.trajectoryAxes(), d);
    ReadOptions how;
    how.separate.trajectory = path(writePoints(scan, points, scale, d));
    // Cycles/FOV give a matrix by their reach, which is a smaller one where they do not fill it.
    const bool byReach = std::string(unit.name) == "cycles/FOV" && scan.coverage < 1;
    if (d.often() || byReach) {
      how.overrides["matrix"] = std::to_string(scan.matrix) + "x" + std::to_string(scan.matrix);
      how.overrides["fov"] = std::to_string(int(randomFovMm)) + "x" + std::to_string(int(randomFovMm));
    }
    const std::vector<cdouble> values = scan.samplesIn(samples);
    std::string name = "ksp.npy";
    if (d.number(0, 2) == 0) {
      name = "data.h5:scan/ksp";
      Hdf5File file(path("data.h5"));
      file.makeGroup("scan");
      file.write("scan/ksp", sizesOf(samples), floatsOf(values));
    } else {
      write(name, npyHeader("<c8", sizesOf(samples)) + bytesOf(floatsOf(values)));
    }
    AxesReading reading{namesOf(samples), {}};
    if (!scan.ownTrajectories.empty()) reading.trajectory = namesOf(points);
    return judge(path(name), how, scan,
                 {{"k-unit", unit.name},
                  {"array-axes", readingText(reading)},
                  {"fov", std::to_string(int(randomFovMm)) + "x" + std::to_string(int(randomFovMm))},
                  {"matrix", std::to_string(scan.matrix) + "x" + std::to_string(scan.matrix)}},
                 d, outcome);
  }

  // Acquisitions without coordinates: all share the shots of the file, or each frame has its own.
  std::string drawBareAcquisitions(const RandomScan& scan, Draw& d, Outcome& outcome) {
    const UnitOfK& unit = d.unit();
    const bool stream = d.often();
    d.log += std::string(stream ? " bare stream, " : " bare ISMRMRD, ") + unit.name;
    const auto all = acquisitionsOf(scan, 0, 1, d);
    const std::string name = stream ? "scan.mrd" : "scan.h5";
    if (stream)
      write(name, streamOf(headerOf(scan), all));
    else
      writeVariant(path(name), headerOf(scan), all);
    ReadOptions how;
    const Axes points = columnAtAnEnd(scan.trajectoryAxes(), d);
    how.separate.trajectory = path(writePoints(scan, points, unit.perCycleFov(double(scan.matrix)), d));
    std::string axes;
    for (const NamedSize& a : points) axes += (axes.empty() ? "" : ",") + counterOf(a.name);
    return judge(path(name), how, scan,
                 {{"k-unit", unit.name}, {"trajectory-order", "slices"}, {"trajectory-axes", axes}}, d,
                 outcome);
  }

  std::string drawLayout(const RandomScan& scan, Draw& d, Outcome& outcome) {
    const bool riesling = scan.slices > 1 || d.often(), packed = d.often();
    d.log += riesling ? " RIESLING" : " RRSG";
    const Axes points = {{"shot", scan.shots}, {"sample", scan.samples}, {"column", 2}};
    {
      Hdf5File file(path("layout.h5"));
      if (riesling) {
        const Axes axes = {{"time", 1},
                           {"slice", scan.slices},
                           {"shot", scan.shots},
                           {"sample", scan.samples},
                           {"coil", scan.coils}};
        const auto n = double(scan.matrix);
        const auto voxel = float(randomFovMm / n);
        file.write("data", sizesOf(axes), floatsOf(scan.samplesIn(axes)), packed);
        file.write("trajectory", sizesOf(points), scan.pointsIn(points, 1));
        file.setAttribute("trajectory", "matrix", {n, n, 1});
        file.writeRecord("info", {{"voxel_size", {voxel, voxel, 5}}});
      } else {
        const Axes axes = {{"time", 1}, {"sample", scan.samples}, {"shot", scan.shots}, {"coil", scan.coils}};
        const Axes turned = {{"column", 2}, {"sample", scan.samples}, {"shot", scan.shots}};
        file.write("rawdata", sizesOf(axes), floatsOf(scan.samplesIn(axes)), packed);
        file.write("trajectory", sizesOf(turned), scan.pointsIn(turned, 1));
      }
    }
    ReadOptions how;
    if (!riesling) how.overrides["matrix"] = std::to_string(scan.matrix) + "x" + std::to_string(scan.matrix);
    return judge(path("layout.h5"), how, scan, {}, d, outcome);
  }

 private slots:
  void noneIsWrongInSilence() {
    constexpr int usual = 40;
    std::mt19937 random(campaignSeed(53));
    Outcome outcome;
    const int draws = usual * campaignFactor();
    for (int n = 0; n < draws; ++n) {
      renew();
      std::filesystem::create_directory(path("k"));
      const RandomScan scan(random);
      Draw d(random);
      for (const NamedSize& a : scan.axes()) d.log += " " + a.name + " " + std::to_string(a.size);
      if (!scan.ownTrajectories.empty()) d.log += ", points of each " + scan.ownTrajectories;
      const bool still = scan.frames.empty() && scan.partitions == 1;  // layouts have no frames
      const int kind = d.number(0, 2);
      const std::string wrong = kind == 0 && still ? drawLayout(scan, d, outcome)
                                : kind < 2         ? drawLoneArray(scan, d, outcome)
                                                   : drawBareAcquisitions(scan, d, outcome);
      QVERIFY2(wrong.empty(), ("draw " + std::to_string(n) + ": " + wrong + ":" + d.log).c_str());
    }
    qInfo("of %d splits: %d right, %d right once answered, %d asked, %d refused", draws, outcome.right,
          outcome.answered, outcome.asked, outcome.refused);
    countCases("random splits over files", draws);
    QVERIFY(2 * (outcome.right + outcome.answered) > draws);
    QVERIFY(5 * outcome.refused < draws);
  }
};

}  // namespace

SPOKELAB_TEST(TestRandomSplits)

}  // namespace test_random_splits

#include "test_random_splits.moc"
