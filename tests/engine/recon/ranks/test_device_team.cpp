// Several devices of one machine give the image of one, whichever way they divide a scan; lists of devices
// choose among them; a device that fails ends the job with its name.
#include <QtTest>

#include <array>

#include "engine/core/measure/trace_json.h"
#include "engine/recon/ranks/device_team.h"
#include "engine/recon/reconstruct.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/recon/measures.h"
#include "tests/engine/recon/ranks/numbered_device.h"
#include "tests/engine/recon/ranks/rank_scans.h"
#include "tests/engine/recon/reconstruct.h"
#include "tests/test_main.h"

namespace test_device_team {

using namespace spokelab;
using namespace spokelab::test;

namespace {

struct Machine {
  explicit Machine(int count) {
    for (int d = 0; d < count; ++d) devices.push_back(std::make_unique<NumberedDevice>(d, devices));
  }
  Reconstruction run(const Scan& scan, ReconOptions options, const std::string& chosen,
                     const Progress& progress = {}) const {
    options.devices = chosen;
    return reconstruct({devices.front().get()}, scan, options, nullptr, progress);
  }

  std::vector<std::unique_ptr<NumberedDevice>> devices;
};

ReconOptions gridded() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 6;
  return options;
}

double difference(const Image& image, const Image& wanted) {
  double apart = 0, energy = 0;
  for (std::size_t i = 0; i < wanted.data.size(); ++i) {
    apart += std::norm(image.value(i) - wanted.value(i));
    energy += std::norm(wanted.value(i));
  }
  return std::sqrt(apart / energy);
}

bool hasNote(const Reconstruction& result, const std::string& part) {
  return std::any_of(result.notes.begin(), result.notes.end(),
                     [&](const std::string& note) { return note.find(part) != std::string::npos; });
}

}  // namespace

class TestDeviceTeam : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void imagesAreThoseOfOneDevice_data() {
    QTest::addColumn<int>("which");
    const char* const names[] = {"gridding, frames", "gridding, slices", "gridding, coils",
                                 "SENSE, frames",    "SENSE, slices",    "SENSE, coils"};
    for (int which = 0; which < 6; ++which) QTest::addRow("%s", names[which]) << which;
  }
  void imagesAreThoseOfOneDevice() {
    QFETCH(const int, which);
    const Shape shapes[] = {{6, 1, 3}, {1, 5, 2}, {1, 1, 6}};
    const char* const axes[] = {"frames", "slices", "coils"};
    const auto scan = scanOf(shapes[which % 3]);
    const ReconOptions options = which < 3 ? gridded() : senseOptions();
    const Machine machine(3);
    const Reconstruction alone = machine.run(*scan, options, "0");
    QVERIFY(alone.ranks.empty() && alone.divided.empty());
    QVERIFY(machine.devices[1]->plans == 0);
    const Reconstruction together = machine.run(*scan, options, "all");
    QCOMPARE(together.divided, std::string(axes[which % 3]));
    QCOMPARE(together.ranks.size(), std::size_t(3));
    QVERIFY(together.ranks[2].host.starts_with("GPU 2 ("));
    QVERIFY(machine.devices[1]->plans > 0 && machine.devices[2]->plans > 0);
    QVERIFY(hasNote(together, "3 GPUs divided the " + together.divided));
    QCOMPARE(together.image->frames, alone.image->frames);
    QVERIFY(together.image->size == alone.image->size);
    const double apart = difference(*together.image, *alone.image);
    QVERIFY2(apart <= 1e-6, std::to_string(apart * 1e6).append("e-6").c_str());
    QCOMPARE(together.iterations.size(), alone.iterations.size());
    // Whichever device iterated: what it did in an iteration is told.
    for (const IterationRecord& record : together.iterations)
      QCOMPARE(record.parts.size(), record.residuals.size());
  }

  // Devices write where the one image is: in double precision, too, of samples that were scaled, and where coils are
  // images of their own, whose slices do not lie side by side.
  void partsOfTheOneImage() {
    const Machine machine(3);
    const auto frames = scanOf({6, 1, 2}), slices = scanOf({1, 5, 2});
    auto tiny = std::make_shared<Scan>(*frames);
    for (Buffer<cfloat>& samples : tiny->samples)
      for (cfloat& v : samples) v *= 1e-20F;
    ReconOptions apart = gridded(), wide = gridded(), wideSense = senseOptions();
    apart.combination = Combination::none;
    wide.precision = wideSense.precision = Precision::double64;
    const std::vector<std::pair<std::shared_ptr<const Scan>, ReconOptions>> jobs = {
        {frames, wide},    {slices, wide},  {frames, wideSense},   {slices, wideSense},
        {tiny, gridded()}, {slices, apart}, {tiny, senseOptions()}};
    for (const auto& [scan, options] : jobs) {
      const Reconstruction alone = machine.run(*scan, options, "0"),
                           together = machine.run(*scan, options, "all");
      QCOMPARE(together.ranks.size(), std::size_t(3));
      QCOMPARE(together.image->frames, alone.image->frames);
      QVERIFY(together.image->size == alone.image->size);
      QCOMPARE(together.image->data.size(), alone.image->data.size());
      QCOMPARE(together.image->doubleData.size(), alone.image->doubleData.size());
      QCOMPARE(together.image->provenance, alone.image->provenance);
      QVERIFY(together.image->geometry.slicePositions == alone.image->geometry.slicePositions);
      const bool inDouble = options.precision == Precision::double64;
      const double error = difference(*together.image, *alone.image);
      QVERIFY2(error <= (inDouble ? 1e-12 : 1e-6), std::to_string(error * 1e6).append("e-6").c_str());
    }
  }

  // Its part of the image outlives a device that fails while others write.
  void aFailureBesideWritingDevices() {
    for (int failing = 0; failing < 3; ++failing) {
      const Machine machine(3);
      machine.devices[std::size_t(failing)]->fails = true;
      QVERIFY_THROWS_EXCEPTION(Error, machine.run(*scanOf({12, 1, 2}), gridded(), "all"));
    }
  }

  // The first device's spans are on the job's own track, those of each other one on a track with its name;
  // on each of them the stages of its part nest and add up to it.
  void aTraceTellsTheDevicesApart() {
    const Machine machine(3);
    for (const Shape& shape : {Shape{6, 1, 3}, Shape{1, 1, 6}}) {
      const auto scan = scanOf(shape);
      ReconOptions options = senseOptions();
      options.iterative.solver.iterations = 20;
      options.iterative.solver.tolerance = 0;
      TraceRecorder recorder;
      {
        const SpanScope traced(&recorder);
        QVERIFY(machine.run(*scan, options, "0,2").image);
      }
      const Trace trace = recorder.take();
      QCOMPARE(trackName(trace, rankTrack + 1), std::string("job on GPU 2"));
      QVERIFY(trackName(trace, deviceTrack + 2).starts_with("GPU 2: "));
      QVERIFY(trackName(trace, deviceTrack).starts_with("GPU 0: "));
      std::map<int, double> iterating, iterations;  // seconds by track
      std::map<int, double> last;
      for (const TraceSpan& span : trace.spans) {
        if (span.kind == SpanKind::work) continue;
        QVERIFY(span.track == 0 || span.track == rankTrack + 1);
        if (span.kind == SpanKind::job && span.name == "iterations")
          iterating[span.track] += span.end - span.begin;
        if (span.kind != SpanKind::iteration) continue;
        QVERIFY(span.begin >= last[span.track]);  // one after the other
        last[span.track] = span.end;
        iterations[span.track] += span.end - span.begin;
      }
      for (const int track : {0, rankTrack + 1}) {
        const double share = iterations[track] / iterating[track];
        QVERIFY2(share > 0.8 && share <= 1.000001, std::to_string(share).c_str());
      }
    }
    QVERIFY(!activeTrace());
  }

  // Coils are divided, and each device takes its own in slabs.
  void devicesTransformVolumesInSlabs() {
    SimulateOptions simulated;
    simulated.trajectory.pattern = Pattern::radial3d;
    simulated.trajectory.matrix = {20, 20, 22};
    simulated.coils = 4;
    const auto scan = simulate(simulated, {});
    for (ReconOptions options : {gridded(), senseOptions()}) {
      options.slabs = 3;
      const Machine machine(2);
      const Reconstruction alone = machine.run(*scan, options, "0");
      const Reconstruction together = machine.run(*scan, options, "all");
      QCOMPARE(together.ranks.size(), std::size_t(2));
      for (const Reconstruction* one : {&alone, &together})
        QVERIFY2(one->plan.description.find("3 slabs of 8 planes") != std::string::npos,
                 one->plan.description.c_str());
      QVERIFY(difference(*together.image, *alone.image) < 1e-5);
    }
  }

  // With one coil the slabs are divided; where memory asks for slabs, each device gets one.
  void devicesDivideSlabsWhereNothingElseCan() {
    const auto scan = scanOf({1, 1, 1, true});
    for (ReconOptions options : {gridded(), senseOptions()}) {
      options.slabs = 4;
      const Machine machine(3);
      const Reconstruction alone = machine.run(*scan, options, "0");
      const Reconstruction together = machine.run(*scan, options, "all");
      QCOMPARE(together.divided, std::string("slabs"));
      QVERIFY(hasNote(together, "3 GPUs divided the slabs"));
      QVERIFY(difference(*together.image, *alone.image) < 3e-6);
      options.nufft.reproducible = true;
      QVERIFY(machine.run(*scan, options, "all").ranks.empty());
    }
    ReconOptions limited = gridded();
    const Machine machine(3);
    NufftProblem slab;
    slab.dims = 3;
    slab.size = {16, 16, 8};
    limited.nufft.memoryLimit = std::int64_t(1.25 * double(machine.devices[0]->estimateMemory(
                                                        slab, limited.nufft, scan->trajectory(0).samples())));
    QVERIFY(machine.run(*scan, limited, "0").plan.description.find("in 2 slabs") != std::string::npos);
    const Reconstruction together = machine.run(*scan, limited, "all");
    QCOMPARE(together.divided, std::string("slabs"));
    QVERIFY(together.plan.description.find("in 3 slabs") != std::string::npos);
  }

  void listsChooseDevices() {
    const auto scan = scanOf({6, 1, 2});
    const Machine machine(3);
    QVERIFY(machine.run(*scan, gridded(), "2").ranks.empty());
    QVERIFY(machine.devices[0]->plans == 0 && machine.devices[2]->plans > 0);
    const Reconstruction two = machine.run(*scan, gridded(), "0,2");
    QCOMPARE(two.ranks.size(), std::size_t(2));
    QVERIFY(two.ranks[1].host.starts_with("GPU 2 ("));
    QVERIFY(machine.devices[1]->plans == 0);
    QVERIFY_THROWS_EXCEPTION(Error, machine.run(*scan, gridded(), "3"));
    ReconOptions options;
    for (const char* bad : {"x", "", "-1", "0,,1"})
      QVERIFY_THROWS_EXCEPTION(Error, setOption(options, "devices", bad));
    QCOMPARE(options.devices, std::string("0"));
    // Without any: all there are is none, one that is named is missing.
    const auto cpu = makeCpuBackend();
    QCOMPARE(backendsFor({cpu.get()}, "auto", "all").front(), cpu.get());
    QVERIFY_THROWS_EXCEPTION(Error, backendsFor({cpu.get()}, "auto", "1"));
  }

  // Devices without a part are left out, and it is said.
  void moreDevicesThanParts() {
    const Machine machine(4);
    const Reconstruction two = machine.run(*scanOf({2, 1, 1}), gridded(), "all");
    QCOMPARE(two.ranks.size(), std::size_t(2));
    QVERIFY(hasNote(two, "2 more had nothing to do"));
    const Reconstruction one = machine.run(*scanOf({1, 1, 1}), gridded(), "all");
    QVERIFY(one.ranks.empty() && one.image);
    QVERIFY(hasNote(one, "one GPU of 4 did all: there is nothing to divide"));
  }

  // A sum over coils has one order on one device; other jobs are divided.
  void reproducibleCoilsAreNotDivided() {
    const Machine machine(2);
    ReconOptions options = gridded();
    options.nufft.reproducible = true;
    const auto coils = scanOf({1, 1, 4}), frames = scanOf({4, 1, 4});
    for (const auto& scan : {coils, frames}) {
      const Reconstruction alone = machine.run(*scan, options, "0"),
                           together = machine.run(*scan, options, "all");
      QCOMPARE(together.ranks.empty(), scan == coils);
      QVERIFY(together.image->data == alone.image->data);
    }
  }

  void aFailingDeviceEndsTheJobWithItsName() {
    for (const Shape& shape : {Shape{4, 1, 2}, Shape{1, 1, 4}}) {
      const Machine machine(2);
      machine.devices[1]->fails = true;
      for (const ReconOptions& options : {gridded(), senseOptions()}) try {
          machine.run(*scanOf(shape), options, "all");
          QFAIL("no error");
        } catch (const Error& error) {
          QCOMPARE(error.summary(), std::string("The GPU failed"));
          QVERIFY2(error.reason().starts_with("GPU 1 (") && error.reason().ends_with("it is lost"),
                   error.what());
        }
    }
  }

  void aCancelEndsAllDevices() {
    const auto scan = scanOf({1, 1, 6});
    ReconOptions options = senseOptions();
    options.iterative.solver.iterations = 1000000;
    options.iterative.solver.tolerance = 0;
    std::stop_source stop;
    options.iterative.watcher = [&](const IterationState& state) {
      if (state.iteration == 3) stop.request_stop();
      return IterationCommand{};
    };
    const Machine machine(3);
    const Reconstruction result = machine.run(*scan, options, "all", Progress(stop.get_token()));
    QVERIFY(result.cancelled && !result.image);
  }

  // What the user does to the iterations on the first device holds for all.
  void aChangeInFlightHoldsForAllCoils() {
    const auto scan = scanOf({1, 1, 6});
    const Machine machine(2);
    ReconOptions options = senseOptions();
    options.iterative.solver.iterations = 8;
    options.iterative.solver.tolerance = 0;
    const Reconstruction unchanged = machine.run(*scan, options, "0");
    options.iterative.watcher = [](const IterationState& state) {
      IterationCommand command;
      if (state.iteration == 3) command.lambda = 0.5;
      if (state.iteration == 5)
        command.image =
            std::make_shared<const std::vector<cfloat>>(std::size_t(product(state.matrix)), cfloat(0.1F));
      return command;
    };
    const Reconstruction alone = machine.run(*scan, options, "0"),
                         together = machine.run(*scan, options, "all");
    QVERIFY(difference(*alone.image, *unchanged.image) > 1e-3);
    const double apart = difference(*together.image, *alone.image);
    QVERIFY2(apart <= 1e-5, std::to_string(apart * 1e6).append("e-6").c_str());
    QCOMPARE(together.iterations.front().lambdaChanges.size(), std::size_t(1));
  }
};

SPOKELAB_TEST(TestDeviceTeam)

}  // namespace test_device_team

#include "test_device_team.moc"
