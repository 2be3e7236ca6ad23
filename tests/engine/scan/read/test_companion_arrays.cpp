// What a file holds beside its acquisitions, written by ISMRMRD's own library as PowerGrid's
// converter does: maps are read with the scan, waveforms become traces, and PowerGrid's counters
// and columns are understood.
#include <QtTest>

#include <ismrmrd/dataset.h>
#include <ismrmrd/waveform.h>

#include <cmath>
#include <limits>

#include "engine/core/error.h"
#include "engine/scan/formats/acquisitions/acquisition_types.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/read/read_scan.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/engine/scan/variant_file.h"
#include "tests/test_main.h"

namespace test_companion_arrays {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The library's file, open for appending.
class Dataset {
 public:
  explicit Dataset(const std::filesystem::path& file) {
    const Hdf5Lock lock;
    ISMRMRD::ismrmrd_init_dataset(&dataset_, file.c_str(), "dataset");
    if (ISMRMRD::ismrmrd_open_dataset(&dataset_, false) != ISMRMRD::ISMRMRD_NOERROR)
      throw std::runtime_error("cannot open " + file.string());
  }
  ~Dataset() {
    const Hdf5Lock lock;
    ISMRMRD::ismrmrd_close_dataset(&dataset_);
  }
  Dataset(const Dataset&) = delete;
  Dataset& operator=(const Dataset&) = delete;

  // ISMRMRD's order of axes: the first is the fastest.
  template <class T>
  void append(const char* name, ISMRMRD::ISMRMRD_DataTypes type, const std::vector<std::size_t>& sizes,
              std::vector<T> values) {
    const Hdf5Lock lock;
    ISMRMRD::ISMRMRD_NDArray array;
    ISMRMRD::ismrmrd_init_ndarray(&array);
    array.data_type = type;
    array.ndim = std::uint16_t(sizes.size());
    std::copy(sizes.begin(), sizes.end(), array.dims);
    ISMRMRD::ismrmrd_make_consistent_ndarray(&array);
    std::copy(values.begin(), values.end(), static_cast<T*>(array.data));
    const int status = ISMRMRD::ismrmrd_append_array(&dataset_, name, &array);
    ISMRMRD::ismrmrd_cleanup_ndarray(&array);
    if (status != ISMRMRD::ISMRMRD_NOERROR) throw std::runtime_error(std::string("cannot append ") + name);
  }
  // The `number`-th one of a signal that counts on.
  void appendWaveform(int number) {
    const Hdf5Lock lock;
    ISMRMRD::ISMRMRD_Waveform* waveform = ISMRMRD::ismrmrd_create_waveform();
    waveform->head.channels = 2;
    waveform->head.number_of_samples = 100;
    waveform->head.time_stamp = std::uint32_t(40 * number);
    waveform->head.sample_time_us = 1000;
    waveform->head.waveform_id = 2;
    ISMRMRD::ismrmrd_make_consistent_waveform(waveform);
    for (int i = 0; i < 200; ++i)
      waveform->data[i] = std::uint32_t(1000 * (i / 100) + 100 * number + i % 100);
    ISMRMRD::ismrmrd_append_waveform(&dataset_, waveform);
    ISMRMRD::ismrmrd_free_waveform(waveform);
  }

 private:
  ISMRMRD::ISMRMRD_Dataset dataset_;
};

const NamedArray* named(const Scan& scan, const std::string& name) {
  for (const NamedArray& array : scan.arrays)
    if (array.name == name) return &array;
  return nullptr;
}

}  // namespace

class TestCompanionArrays : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;
  std::filesystem::path path(const char* name) const { return folder_.filePath(name).toStdString(); }

  std::filesystem::path small(const char* name) const {
    SimulateOptions options;
    options.trajectory.matrix = {24, 24, 1};
    options.coils = 2;
    writeScan(*simulate(options, {}), path(name), {});
    return path(name);
  }

 private slots:
  void mapsAreReadWithTheScan() {
    const auto file = small("maps.h5");
    std::vector<std::complex<float>> coils(24 * 20 * 2);
    for (std::size_t i = 0; i < coils.size(); ++i) coils[i] = {float(i), -float(i) / 2};
    std::vector<double> field(24 * 20);
    for (std::size_t i = 0; i < field.size(); ++i) field[i] = double(i) - 100;
    std::vector<float> phase(24 * 20 * 3, 0.25F);
    {
      Dataset dataset(file);
      dataset.append("SENSEMap", ISMRMRD::ISMRMRD_CXFLOAT, {24, 20, 2}, coils);
      dataset.append("FieldMap", ISMRMRD::ISMRMRD_DOUBLE, {24, 20}, field);
      dataset.append("PhaseMaps", ISMRMRD::ISMRMRD_FLOAT, {24, 20, 3}, phase);
    }
    const auto scan = readScan(file, ReadOptions(), Progress());
    QCOMPARE(scan->arrays.size(), std::size_t(3));
    const NamedArray* sense = named(*scan, "SENSEMap");
    QVERIFY(sense && sense->complex);
    QCOMPARE(sense->shape, (std::vector<std::int64_t>{2, 20, 24}));  // slowest first
    QVERIFY(std::equal(coils.begin(), coils.end(), sense->values.begin()));
    const NamedArray* map = named(*scan, "FieldMap");
    QVERIFY(map && !map->complex);
    QCOMPARE(map->shape, (std::vector<std::int64_t>{20, 24}));
    QCOMPARE(map->values[7], cfloat(-93, 0));
    QVERIFY(named(*scan, "PhaseMaps"));
    int told = 0;
    for (const Decision& d : scan->decisions) told += d.topic.starts_with("array ");
    QCOMPARE(told, 3);
    QCOMPARE(scan->coils, 2);
  }

  void waveformsBecomeTraces() {
    const auto file = small("waves.h5");
    {
      Dataset dataset(file);
      for (int i = 0; i < 12; ++i) dataset.appendWaveform(i);
    }
    const auto scan = readScan(file, ReadOptions(), Progress());
    QCOMPARE(scan->arrays.size(), std::size_t(2));
    const NamedArray* second = named(*scan, "PMU RESP2");
    QVERIFY(second);
    QCOMPARE(second->shape, (std::vector<std::int64_t>{2, 1200}));
    QVERIFY(std::abs(second->values[101].real() - 0.101f) < 1e-5f);
    QCOMPARE(second->values[1200 + 101].real(), 1101.0f);
    QVERIFY(std::none_of(scan->warnings.begin(), scan->warnings.end(),
                         [](const std::string& w) { return w.find("waveform") != std::string::npos; }));
  }

  // Readouts that are longer than the memory through which the reading process hands over its
  // values, among short ones.
  void longReadoutsOfManyCoilsComeWhole() {
    constexpr int coils = 14;
    const int lengths[] = {200, 60000, 200};
    std::vector<TestAcquisition> all;
    for (const int length : lengths) {
      TestAcquisition a = acquisition(length, coils, 2);
      a.head.idx.kspace_encode_step_1 = std::uint16_t(all.size());
      for (std::size_t i = 0; i < std::size_t(length); ++i) {
        const double angle = 0.3 * double(all.size()) + 1e-3 * double(i);
        const double radius = 16 * double(i) / double(length);
        a.trajectory[2 * i] = float(radius * std::cos(angle));
        a.trajectory[2 * i + 1] = float(radius * std::sin(angle));
      }
      for (std::size_t i = 0; i < a.samples.size(); ++i)
        a.samples[i] = {float(i % 1009), float(all.size() + 1)};
      all.push_back(a);
    }
    const TestSpace space{32, 32, 1, 220, 220, 5};
    writeVariant(path("long.h5"), headerText(space, space), all);
    const auto scan = readScan(path("long.h5"), ReadOptions(), Progress());
    QCOMPARE(scan->coils, coils);
    const Trajectory& t = scan->trajectory(0);
    QCOMPARE(t.shots(), std::int64_t(3));
    for (std::size_t s = 0; s < all.size(); ++s)
      for (int c = 0; c < coils; ++c) {
        const auto* expected = all[s].samples.data() + std::size_t(c) * std::size_t(lengths[s]);
        QVERIFY(std::equal(expected, expected + lengths[s], scan->data(0, 0, c) + t.shotOffsets[s]));
      }
  }

  // Enough for several reading processes: every sample at its place, a bad one found, a cancel in
  // the middle.
  void largeScansAreReadInParts() {
    constexpr int shots = 300, samples = 2048, coils = 16;
    std::vector<TestAcquisition> all;
    for (int s = 0; s < shots; ++s) {
      TestAcquisition a = acquisition(samples, coils, 2);
      a.head.idx.kspace_encode_step_1 = std::uint16_t(s);
      for (int i = 0; i < samples; ++i) {
        const double angle = 3.14159 * s / shots, radius = 128 * (2.0 * i / samples - 1);
        a.trajectory[std::size_t(2 * i)] = float(radius * std::cos(angle));
        a.trajectory[std::size_t(2 * i + 1)] = float(radius * std::sin(angle));
      }
      for (std::size_t i = 0; i < a.samples.size(); ++i) a.samples[i] = {float(i % 65521), float(s)};
      all.push_back(std::move(a));
    }
    const TestSpace space{256, 256, 1, 220, 220, 5};
    const std::filesystem::path file = path("parts.h5");
    writeVariant(file, headerText(space, space), all);
    const auto scan = readScan(file, ReadOptions(), Progress());
    for (int s = 0; s < shots; ++s)
      for (int c = 0; c < coils; ++c) {
        const auto* expected = all[std::size_t(s)].samples.data() + c * samples;
        QVERIFY(std::equal(expected, expected + samples, scan->data(0, 0, c) + s * samples));
      }

    std::stop_source stop;
    bool cancelled = false;
    try {
      (void)readScan(file, ReadOptions(),
                     Progress(stop.get_token(), [&](double fraction, const std::string&) {
                       if (fraction > 0.5) stop.request_stop();
                     }));
    } catch (const Cancelled&) {
      cancelled = true;
    }
    QVERIFY(cancelled);

    all[250].samples[77] = std::numeric_limits<float>::quiet_NaN();
    writeVariant(file, headerText(space, space), all);
    std::string reason;
    try {
      ReadOptions refusing;
      refusing.overrides["bad-readouts"] = "refuse";
      (void)readScan(file, refusing, Progress());
    } catch (const Error& e) {
      reason = e.reason();
    }
    QVERIFY2(reason.find("shot 250, sample 77") != std::string::npos, reason.c_str());
  }

  // Shot in encode_step_1, partition in encode_step_2, kx ky kz and seconds as columns.
  void powergridsCountersAndColumns() {
    SimulateOptions options;
    options.trajectory.pattern = Pattern::stackOfSpirals;
    options.trajectory.matrix = {24, 24, 4};
    options.trajectory.shots = 3;
    options.trajectory.planeTurn = 0;
    const auto scan = simulate(options, {});
    std::vector<TestAcquisition> all = acquisitionsOf(*scan);
    constexpr double echo = 0.012, dwell = 5e-6;
    for (std::size_t s = 0; s < all.size(); ++s) {
      TestAcquisition& a = all[s];
      a.head.idx.kspace_encode_step_1 = std::uint16_t(s % 3);
      a.head.idx.kspace_encode_step_2 = std::uint16_t(s / 3);
      a.head.trajectory_dimensions = 4;
      std::vector<float> wider;
      for (std::size_t i = 0; i < a.head.number_of_samples; ++i) {
        wider.insert(wider.end(), a.trajectory.begin() + std::ptrdiff_t(3 * i),
                     a.trajectory.begin() + std::ptrdiff_t(3 * i + 3));
        wider.push_back(float(echo + dwell * double(i)));
      }
      a.trajectory = wider;
    }
    const TestSpace space = spaceOf(*scan);
    writeVariant(path("powergrid.h5"), headerText(space, space), all);
    const auto back = readScan(path("powergrid.h5"), ReadOptions(), Progress());
    QCOMPARE(back->dims(), 3);
    QCOMPARE(back->frames, 1);
    QCOMPARE(back->trajectory(0).shots(), std::int64_t(12));
    QVERIFY(back->geometry.matrix == (Index3{24, 24, 4}));
    const auto& times = back->trajectory(0).times;
    QCOMPARE(times.size(), std::size_t(back->trajectory(0).samples()));
    QVERIFY(std::abs(times.front() - echo) < 1e-8);
    QVERIFY(std::abs(times[1] - times[0] - dwell) < 1e-8);
  }
};

SPOKELAB_TEST(TestCompanionArrays)

}  // namespace test_companion_arrays

#include "test_companion_arrays.moc"
