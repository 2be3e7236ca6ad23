// A trajectory that is dropped on a window whose last file held samples without one joins them; the pair is
// kept together by decisions, command lines and sessions.
#include <QClipboard>
#include <QSignalSpy>

#include "app/gui/document/workspace.h"
#include "tests/app/gui/workbench.h"
#include "tests/engine/scan/array_folder.h"
#include "tests/engine/scan/stream_file.h"
#include "widgets/image/image_panel.h"

namespace test_dropped_trajectory {

using namespace spokelab;
using namespace spokelab::test;

namespace {

constexpr int matrix = 24, shots = 17, coils = 2;

// A stream of ISMRMRD messages under a radial header, without coordinates.
std::string bareStream(const Scan& scan) {
  const std::string space =
      "<matrixSize><x>24</x><y>24</y><z>1</z></matrixSize><fieldOfView_mm><x>240</x>"
      "<y>240</y><z>5</z></fieldOfView_mm>";
  const std::string xml =
      "<?xml version=\"1.0\"?><ismrmrdHeader xmlns=\"http://www.ismrm.org/ISMRMRD\"><experimentalConditions>"
      "<H1resonanceFrequency_Hz>0</H1resonanceFrequency_Hz></"
      "experimentalConditions><encoding><encodedSpace>" +
      space + "</encodedSpace><reconSpace>" + space +
      "</reconSpace><encodingLimits></encodingLimits><trajectory>radial</trajectory></encoding></"
      "ismrmrdHeader>";
  std::vector<TestAcquisition> all(shots);
  const std::int64_t samples = scan.trajectory(0).samples() / shots;
  for (std::size_t s = 0; s < all.size(); ++s) {
    TestAcquisition& a = all[s];
    a.head.version = 1;
    a.head.number_of_samples = std::uint16_t(samples);
    a.head.available_channels = a.head.active_channels = coils;
    a.head.read_dir[0] = a.head.phase_dir[1] = a.head.slice_dir[2] = 1;
    a.head.idx.kspace_encode_step_1 = std::uint16_t(s);
    for (int c = 0; c < coils; ++c)
      a.samples.insert(a.samples.end(), scan.data(0, 0, c) + std::int64_t(s) * samples,
                       scan.data(0, 0, c) + std::int64_t(s + 1) * samples);
  }
  return streamOf(xml, all);
}

}  // namespace

class TestDroppedTrajectory : public QObject, private ArrayFolder {
  Q_OBJECT

 private:
  std::shared_ptr<const Scan> scan_ = smallRadial(matrix, shots, coils);

  QString file(const char* name) const { return QString::fromStdString(path(name).string()); }
  // Each in a folder of its own: what lies beside an array would be taken for its trajectory at once.
  void writeFiles() {
    renew();
    for (const char* folder : {"samples", "points"}) std::filesystem::create_directory(path(folder));
    const std::int64_t samples = scan_->trajectory(0).samples() / shots;
    writeNpy("samples/ksp.npy", {coils, shots, samples}, samplesOf(*scan_));
    write("samples/bare.mrd", bareStream(*scan_));
    const auto& points = scan_->trajectory(0).points;
    write("points/spokes.npy",
          npyHeader("<f4", {shots, samples, 2}) + bytesOf(std::vector<float>(points.begin(), points.end())));
    write("points/short.npy", npyHeader("<f4", {3, 5, 2}) + bytesOf(std::vector<float>(30, 0.5F)));
  }
  // Drops samples without a trajectory, and then the trajectory. The window refuses an acquisition
  // by itself, and shows an array by itself as an image.
  void dropBoth(Workbench& bench, const char* samples) {
    QSignalSpy failed(&bench.session, &Session::failed);
    QSignalSpy shown(bench.window.features().scan, &ScanFeature::arrayFound);
    drop(bench.window, file(samples));
    QTRY_VERIFY_WITH_TIMEOUT(failed.count() + shown.count() > 0, patience);
    QVERIFY(!bench.session.scan());
    drop(bench.window, file("points/spokes.npy"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan(), patience);
  }
  void compare(const Scan& scan) {
    QCOMPARE(scan.coils, coils);
    QCOMPARE(scan.trajectory(0).shots(), std::int64_t(shots));
    const auto &a = scan.trajectory(0).points, &b = scan_->trajectory(0).points;
    QCOMPARE(a.size(), b.size());
    for (std::size_t i = 0; i < a.size(); ++i) QVERIFY(std::abs(a[i] - b[i]) < 1e-4);
    QVERIFY(scan.samples == scan_->samples);
  }

 private Q_SLOTS:
  void init() { writeFiles(); }

  void itJoinsTheSamples_data() {
    QTest::addColumn<QByteArray>("samples");
    QTest::newRow("an array") << QByteArray("samples/ksp.npy");
    QTest::newRow("ISMRMRD under a radial header") << QByteArray("samples/bare.mrd");
  }
  void itJoinsTheSamples() {
    QFETCH(QByteArray, samples);
    Workbench bench;
    dropBoth(bench, samples.constData());
    compare(*bench.session.scan());
    QCOMPARE(bench.session.file(), file(samples.constData()));
    QCOMPARE(bench.session.separate().trajectory, path("points/spokes.npy"));
  }

  void anotherDecisionKeepsIt() {
    Workbench bench;
    dropBoth(bench, "samples/ksp.npy");
    const auto before = bench.session.scan();
    bench.window.features().scan->overrideDecision(QStringLiteral("matrix"), QStringLiteral("32x32"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan() != before, patience);
    QCOMPARE(bench.session.scan()->geometry.matrix[0], std::int64_t(32));
    QCOMPARE(bench.session.separate().trajectory, path("points/spokes.npy"));
  }

  void whatDoesNotFitIsRefusedAndTheSamplesWait() {
    Workbench bench;
    QSignalSpy failed(&bench.session, &Session::failed);
    drop(bench.window, file("samples/bare.mrd"));
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    drop(bench.window, file("points/short.npy"));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QVERIFY(!bench.session.scan());
  }

  void theCommandLineAndTheSessionHaveIt() {
    Workbench bench;
    ReconOptions options;
    options.effort = TuneEffort::estimate;
    bench.window.views().parameters->setOptions(options);
    dropBoth(bench, "samples/ksp.npy");
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    bench.window.features().results->copyCommand(0);
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(line.contains(QStringLiteral("--trajectory ")) && line.contains(QStringLiteral("spokes.npy")),
             qPrintable(line));
    const QString session = file("kept.spokelab");
    bench.window.features().workspace->saveTo(session);
    QTRY_VERIFY_WITH_TIMEOUT(QFileInfo::exists(session) && !bench.session.jobs().busy(), patience);
    Workbench again;
    again.window.open(session);
    QTRY_VERIFY_WITH_TIMEOUT(again.session.scan(), patience);
    compare(*again.session.scan());
    QCOMPARE(again.session.separate().trajectory, path("points/spokes.npy"));
  }
};

SPOKELAB_WINDOW_TEST(TestDroppedTrajectory)

}  // namespace test_dropped_trajectory

#include "test_dropped_trajectory.moc"
