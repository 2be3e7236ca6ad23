// Points to points in the window: the sweep fills the charts without a scan, the transform writes
// what sums made here say, and what is wrong is told.
#include <QLineEdit>
#include <QPushButton>
#include <QSignalSpy>

#include <numbers>
#include <random>

#include "app/gui/features/recon/points_dialog.h"
#include "app/gui/features/recon/points_feature.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "tests/app/gui/workbench.h"
#include "widgets/profile/charts/chart_panel.h"

namespace test_points {

using namespace spokelab;

namespace {

constexpr std::size_t sourceCount = 200, targetCount = 150;

class PointFiles {
 public:
  PointFiles() {
    std::mt19937_64 random(2);
    std::uniform_real_distribution<double> unit(-1, 1);
    for (std::size_t i = 0; i < 2 * sourceCount; ++i) sources.push_back(80 * unit(random));
    for (std::size_t i = 0; i < 2 * targetCount; ++i) targets.push_back(0.1 * unit(random));
    for (std::size_t i = 0; i < sourceCount; ++i) values.emplace_back(unit(random), unit(random));
    write("x.npy", "<f8", {sourceCount, 2}, sources);
    write("s.npy", "<f8", {targetCount, 2}, targets);
    write("c.npy", "<c16", {sourceCount}, values);
  }

  PointsJob job() const { return {path("x.npy"), path("s.npy"), path("c.npy"), false, -1}; }
  QString path(const char* name) const { return folder_.filePath(QString::fromUtf8(name)); }

  double differenceOf(const char* name) const {
    const Buffer<cdouble> found = ArrayFile(path(name).toStdString()).readAll<cdouble>({}, "");
    if (found.size() != targetCount) return HUGE_VAL;
    double difference = 0, norm = 0;
    for (std::size_t k = 0; k < targetCount; ++k) {
      cdouble sum = 0;
      for (std::size_t j = 0; j < sourceCount; ++j)
        sum +=
            values[j] *
            std::polar(1.0, -2 * std::numbers::pi *
                                (sources[2 * j] * targets[2 * k] + sources[2 * j + 1] * targets[2 * k + 1]));
      difference += std::norm(found[k] - sum);
      norm += std::norm(sum);
    }
    return std::sqrt(difference / norm);
  }

  std::vector<double> sources, targets;
  std::vector<cdouble> values;

 private:
  template <class T>
  void write(const char* name, const char* type, const std::vector<std::int64_t>& shape,
             const std::vector<T>& numbers) {
    QFile file(path(name));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string header = npyHeaderText(type, shape);
    file.write(header.data(), qint64(header.size()));
    file.write(reinterpret_cast<const char*>(numbers.data()), qint64(numbers.size() * sizeof(T)));
  }

  QTemporaryDir folder_;
};

}  // namespace

class TestPoints : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aSweepFillsTheChartsWithoutAScan() {
    const PointFiles files;
    Workbench bench;
    ReconOptions options;
    options.tuning.trials = 1;
    bench.window.views().parameters->setOptions(options);
    bench.window.features().points->sweep(files.job());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    const auto& swept = bench.window.views().charts->data().candidates;
    QVERIFY(swept.size() >= 4);
    for (const Candidate& c : swept)
      QVERIFY(c.timed() && *c.measuredError <= options.nufft.accuracy && c.options.width > 0);
    // A click makes no image: the plans are not the scan's.
    QSignalSpy failed(&bench.session, &Session::failed);
    Q_EMIT bench.window.views().charts->candidateChosen(0);
    QCOMPARE(failed.count(), 1);
  }

  void theFileHoldsTheSums() {
    const PointFiles files;
    Workbench bench;
    QSignalSpy saved(&bench.session, &Session::saved);
    bench.window.features().points->transform(files.job(), files.path("out.npy").toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    QVERIFY(files.differenceOf("out.npy") <= ReconOptions().nufft.accuracy);
    // What is read is not written over, and points of other dimensions are refused.
    QSignalSpy failed(&bench.session, &Session::failed);
    bench.window.features().points->transform(files.job(), files.path("x.npy").toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
    PointsJob wrong = files.job();
    wrong.targets = files.path("c.npy");
    bench.window.features().points->transform(wrong, files.path("other.npy").toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 2, patience);
    QVERIFY(!QFile::exists(files.path("other.npy")));
  }

  void theDialogAsksForFiles() {
    Workbench bench;
    bench.window.features().points->action()->trigger();
    auto* dialog = bench.window.findChild<PointsDialog*>();
    QVERIFY(dialog && dialog->isVisible());
    const auto line = [&](const char* name) {
      return dialog->findChild<QLineEdit*>(QString::fromUtf8(name));
    };
    auto *sweep = dialog->findChild<QPushButton*>(QStringLiteral("pointsSweep")),
         *transform = dialog->findChild<QPushButton*>(QStringLiteral("pointsTransform"));
    QVERIFY(!sweep->isEnabled() && !transform->isEnabled());
    line("pointsSources")->setText(QStringLiteral("x.npy"));
    line("pointsTargets")->setText(QStringLiteral("s.npy"));
    QVERIFY(sweep->isEnabled() && !transform->isEnabled());
    line("pointsValues")->setText(QStringLiteral("c.npy"));
    QVERIFY(transform->isEnabled());
    QCOMPARE(dialog->job().targets, QStringLiteral("s.npy"));
  }
};

SPOKELAB_WINDOW_TEST(TestPoints)

}  // namespace test_points

#include "test_points.moc"
