// Real scans (SPOKELAB_DATA) with each of their conventions altered: the right picture, or a
// question whose right answer is among the proposals.
#include <QtTest>

#include <cmath>
#include <fstream>
#include <numbers>

#include "engine/core/error.h"
#include "engine/recon/explore/doctor.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "engine/scan/read/description/propose_description.h"
#include "engine/scan/read/description/scan_description.h"
#include "engine/scan/read/read_scan.h"
#include "tests/engine/scan/read/convention_changes.h"
#include "tests/test_main.h"

namespace test_convention_variants {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// Trajectories are stored as floats, some after a change of unit.
constexpr double samePicture = 2e-3;

Image pictureOf(const Scan& scan) {
  static const std::unique_ptr<Backend> backend = makeCpuBackend();
  ReconOptions options;
  options.density = DensityMethod::none;
  options.prewhitening = Prewhitening::off;  // an invented noise line says nothing about the coils
  options.nufft.accuracy = 1e-3;
  options.nufft.alpha = 2;
  options.nufft.width = 5;
  const Reconstruction r = runJob(*backend, scan, options, nullptr, nullptr, Progress());
  return *r.image;
}

}  // namespace

class TestConventionVariants : public QObject {
  Q_OBJECT

 private:
  std::filesystem::path data_;
  QTemporaryDir folder_;
  std::map<QString, std::pair<std::shared_ptr<const Scan>, Image>> sound_;

  const std::pair<std::shared_ptr<const Scan>, Image>& sound(const QString& file) {
    const auto it = sound_.find(file);
    if (it != sound_.end()) return it->second;
    const auto scan =
        readScan(file.startsWith("powergrid") ? describedPowergrid(file) : data_ / file.toStdString(),
                 ReadOptions(), Progress());
    return sound_.emplace(file, std::pair(scan, pictureOf(*scan))).first->second;
  }

  // powergrid's trajectories with samples, as a scan: the matrix known, the shots told apart.
  std::filesystem::path describedPowergrid(const QString& name) {
    const bool planar = name.endsWith("192");
    std::vector<std::string> notes;
    const auto json = planar ? withSamples("192_192_1_32coils", {192, 192, 1}, notes)
                             : withSamples("DWITestData", {120, 120, 4}, notes);
    std::ifstream in(json);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    ScanDescription d = parseScanDescription(text, json.parent_path(), "");
    d.matrix = planar ? std::vector<std::int64_t>{192, 192} : std::vector<std::int64_t>{120, 120, 4};
    d.fov = {240, 240, planar ? 5.0 : 8.0};
    if (!planar) d.samplesPerShot = 4894;
    std::ofstream(json) << scanDescriptionText(d);
    return json;
  }

  // A description of powergrid's trajectory and of samples made from its image with it.
  std::filesystem::path withSamples(const std::string& name, const Index3& size,
                                    std::vector<std::string>& notes) {
    const std::filesystem::path from = data_ / "powergrid_invivo" / name;
    const std::filesystem::path to = folder_.filePath(QString::fromStdString(name)).toStdString();
    std::filesystem::create_directories(to);
    std::vector<Image> k;
    for (const char* column : {"kx", "ky", "kz", "t"}) {
      const std::string file = std::string(column) + ".npy";
      std::filesystem::copy_file(from / file, to / file, std::filesystem::copy_options::overwrite_existing);
      std::filesystem::permissions(to / file, std::filesystem::perms::owner_all);
      k.push_back(readImage(to / file, Progress()));
    }
    const Image image = readImage(from / "test_pwls.npy", Progress());
    NufftProblem problem;
    problem.dims = size[2] > 1 ? 3 : 2;
    problem.size = size;
    problem.precision = Precision::double64;
    NufftOptions options;
    options.accuracy = 1e-6;
    const auto plan = makeCpuBackend()->plan<double>(problem, options);
    std::vector<double> points;
    for (std::size_t i = 0; i < k[0].data.size(); ++i)
      for (std::size_t d = 0; d < std::size_t(problem.dims); ++d)
        points.push_back(double(k[d].data[i].real()) / double(size[d]));
    plan->setPoints(points);
    std::vector<cdouble> pixels(image.data.begin(), image.data.end()), samples(k[0].data.size());
    plan->forward(pixels.data(), samples.data());
    Image out;
    out.size = {std::int64_t(samples.size()), 1, 1};
    out.geometry.matrix = out.size;
    out.geometry.fov = {1, 1, 1};
    for (const cdouble& s : samples) out.data.push_back(cfloat(s));
    writeImage(out, to / "ksp.npy", WriteOptions(), Progress());
    const ProposedDescription proposal = proposeScanDescription(to / "ksp.npy");
    notes = proposal.notes;
    std::ofstream(to / "scan.json") << scanDescriptionText(proposal.description);
    return to / "scan.json";
  }

 private slots:
  void initTestCase() {
    const QByteArray folder = qgetenv("SPOKELAB_DATA");
    if (folder.isEmpty()) QSKIP("convention variants of real scans: SPOKELAB_DATA is not set");
    data_ = folder.toStdString();
  }

  void altered_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<int>("change");
    if (data_.empty()) return;
    for (const char* file :
         {"cardiac_radial_12ch/cardiac_radial_12ch.h5", "xenon_3d_radial/xenon_gas_3d_radial.h5",
          "jemris_spiral_ismrmrd/signals_spiralout_clean_slc90.h5",
          "jemris_spiral_ismrmrd/signals_spiralout_CS_slc90.h5",
          "jemris_spiral_ismrmrd/signals_spiralout_Susc70Mhz_slc90.h5", "powergrid 192", "powergrid DWI"})
      for (std::size_t i = 0; i < changes().size(); ++i)
        QTest::addRow("%s: %s", file, changes()[i].name) << QString(file) << int(i);
  }
  void altered() {
    if (data_.empty()) QSKIP("convention variants of real scans: SPOKELAB_DATA is not set");
    QFETCH(QString, file);
    QFETCH(int, change);
    const auto& [scan, picture] = sound(file);
    const NamedChange& named = changes()[std::size_t(change)];
    Variant variant(*scan);
    named.change(variant);
    const std::filesystem::path path = folder_.filePath("variant.h5").toStdString();
    writeVariant(path, headerText(variant.encoded, variant.recon, variant.limits), variant.all);

    const auto back = readScan(path, ReadOptions(), Progress());
    QCOMPARE(back->dims(), scan->dims());
    QVERIFY(back->geometry.matrix == scan->geometry.matrix);
    const double first = nrmse(pictureOf(*back), picture);
    if (first < samePicture) return;
    QVERIFY2(named.expected == Answer::proposed, qPrintable(QString("NRMSE %1").arg(first)));
    double best = first;
    for (const Decision& d : back->decisions)
      for (const std::string& choice : d.alternatives) {
        // those that concern the change; the others would only take time
        if (d.topic != "axes" && d.topic != "reversed" && d.topic != "fov-shift") continue;
        ReadOptions options;
        options.overrides[d.topic] = choice;
        try {
          best = std::min(best, nrmse(pictureOf(*readScan(path, options, Progress())), picture));
        } catch (const Error&) {
          // Four partitions cannot be the 120 columns: the doctor calls such a reading not
          // possible.
          continue;
        }
      }
    QVERIFY2(best < samePicture,
             qPrintable(QString("NRMSE %1, of the proposals at best %2").arg(first).arg(best)));
  }

  void powergridOpensFromItsProposal_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<int>("n");
    QTest::addColumn<int>("nz");
    QTest::newRow("192") << "192_192_1_32coils" << 192 << 1;
    QTest::newRow("DWI") << "DWITestData" << 120 << 4;
  }
  void powergridOpensFromItsProposal() {
    if (data_.empty()) QSKIP("powergrid's scans: SPOKELAB_DATA is not set");
    QFETCH(QString, name);
    QFETCH(int, n);
    QFETCH(int, nz);
    std::vector<std::string> notes;
    const auto file = withSamples(name.toStdString(), {n, n, nz}, notes);
    const auto scan = readScan(file, ReadOptions(), Progress());
    QCOMPARE(scan->dims(), nz > 1 ? 3 : 2);
    QVERIFY2(scan->geometry.matrix == (Index3{n, n, nz}), qPrintable(QString("%1 x %2 x %3")
                                                                         .arg(scan->geometry.matrix[0])
                                                                         .arg(scan->geometry.matrix[1])
                                                                         .arg(scan->geometry.matrix[2])));
    QVERIFY(!scan->trajectory(0).times.empty());
    // the points and samples are the ones that the test made
    const std::filesystem::path from = data_ / "powergrid_invivo" / name.toStdString();
    const std::size_t dims = nz > 1 ? 3 : 2;
    for (std::size_t d = 0; d < dims; ++d) {
      const Image stored = readImage(from / (std::string(1, "xyz"[d]).insert(0, "k") + ".npy"), Progress());
      QCOMPARE(scan->trajectory(0).samples(), std::int64_t(stored.data.size()));
      for (std::size_t j = 0; j < stored.data.size(); ++j)
        QVERIFY(std::abs(scan->trajectory(0).points[j * dims + d] - double(stored.data[j].real())) < 1e-4);
    }
    const Image samples = readImage(file.parent_path() / "ksp.npy", Progress());
    QVERIFY(scan->samples[0] == samples.data);
    // and the picture is nearer to the one that the samples were made from than any swapped or
    // mirrored one (gridding one coil at R = 2 comes no closer than this)
    Image reference = readImage(from / "test_pwls.npy", Progress());
    reference.size = {n, n, nz};
    ReconOptions options;
    options.density = DensityMethod::pipeMenon;
    options.nufft.accuracy = 1e-3;
    options.nufft.alpha = 2;
    options.nufft.width = 5;
    const auto distance = [&](const Scan& s) {
      return nrmse(*runJob(*makeCpuBackend(), s, options, nullptr, nullptr, Progress()).image, reference);
    };
    const double right = distance(*scan);
    for (const char* axes : {"yx", "-xy", "x-y"}) {
      ReadOptions other;
      other.overrides["axes"] = nz > 1 ? std::string(axes) + "z" : axes;
      const double wrong = distance(*readScan(file, other, Progress()));
      QVERIFY2(right < 0.95 * wrong, qPrintable(QString("NRMSE %1; %2: %3").arg(right).arg(axes).arg(wrong)));
    }
  }

  // The doctor's small pictures hold the right one.
  void doctorShowsTheRightReading() {
    if (data_.empty()) QSKIP("doctor on real scans: SPOKELAB_DATA is not set");
    const auto& [scan, picture] = sound("xenon_3d_radial/xenon_gas_3d_radial.h5");
    Variant variant(*scan);
    for (TestAcquisition& a : variant.all)
      for (std::size_t i = 0; i < a.trajectory.size(); i += 3)
        std::swap(a.trajectory[i], a.trajectory[i + 2]);
    const std::filesystem::path path = folder_.filePath("variant.h5").toStdString();
    writeVariant(path, headerText(variant.encoded, variant.recon), variant.all);
    const auto backend = makeCpuBackend();
    const auto expected = otherReadings(data_ / "xenon_3d_radial/xenon_gas_3d_radial.h5", ReadOptions(),
                                        *backend, DoctorOptions(), Progress())
                              .front();
    int seen = 0;
    const auto readings = otherReadings(path, ReadOptions(), *backend, DoctorOptions(), Progress(),
                                        [&](const Reading&) { ++seen; });
    QCOMPARE(seen, int(readings.size()));
    double best = HUGE_VAL;
    std::string which;
    for (const Reading& r : readings) {
      if (!r.image || r.image->size != expected.image->size) continue;
      const double difference = nrmse(*r.image, *expected.image);
      if (difference < best) {
        best = difference;
        which = r.topic + "=" + r.choice;
      }
    }
    QCOMPARE(which, std::string("axes=zyx"));
    QVERIFY(best < samePicture);
  }
};

SPOKELAB_TEST(TestConventionVariants)

}  // namespace test_convention_variants

#include "test_convention_variants.moc"
