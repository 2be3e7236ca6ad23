// Compare: two results beside each other, with the difference and its number as defined; chosen by
// the tool bar, the lists and the history; left again where there is nothing to compare.
#include <QAction>
#include <QComboBox>
#include <QLabel>
#include <QToolButton>

#include <cmath>

#include "engine/scan/formats/acquisitions/write_scan.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_comparison {

using namespace spokelab;

namespace {

QAction* action(MainWindow& window, const QString& text) {
  for (QAction* found : window.findChildren<QAction*>())
    if (found->text() == text) return found;
  return nullptr;
}

// ||s a - b|| / ||b|| with the least-squares scale, by the definition.
double nrmse(const Image& a, const Image& b) {
  cdouble cross = 0;
  double power = 0, reference = 0, error = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    cross += std::conj(cdouble(a.data[i])) * cdouble(b.data[i]);
    power += std::norm(cdouble(a.data[i]));
    reference += std::norm(cdouble(b.data[i]));
  }
  for (std::size_t i = 0; i < a.data.size(); ++i)
    error += std::norm(cross / power * cdouble(a.data[i]) - cdouble(b.data[i]));
  return std::sqrt(error / reference);
}

// Two results: one of low accuracy, then the exact sum.
void makeTwo(Workbench& bench, const QTemporaryDir& folder) {
  ReconOptions options;
  options.nufft.accuracy = 1e-2;
  bench.window.views().parameters->setOptions(options);
  bench.window.open(smallScan(folder));
  QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
  options.exact = true;
  bench.window.views().parameters->setOptions(options);
  bench.window.features().reconstruct->run();
  QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

}  // namespace

class TestComparison : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void oneResultCannotBeCompared() {
    const QTemporaryDir folder;
    Workbench bench;
    QAction* compare = action(bench.window, QStringLiteral("Compare"));
    QVERIFY(compare);
    QVERIFY(!compare->isEnabled());
    bench.window.open(smallScan(folder));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QVERIFY(!compare->isEnabled());
    bench.window.features().compare->setComparing(true);
    QVERIFY(!bench.window.views().comparing());
    QVERIFY(!compare->isChecked());
  }

  void theToolBarShowsTheResultBesideTheOneBefore() {
    const QTemporaryDir folder;
    Workbench bench;
    makeTwo(bench, folder);
    QAction* compare = action(bench.window, QStringLiteral("Compare"));
    QVERIFY(compare->isEnabled());
    compare->trigger();
    CompareView& view = *bench.window.views().comparison;
    QVERIFY(bench.window.views().comparing() && view.isVisible());
    QCOMPARE(view.shown(), 2);
    QCOMPARE(view.reference(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(view.difference(), patience);
    const Image& a = *bench.results().find(2)->result->image;
    const Image& b = *bench.results().find(1)->result->image;
    const double expected = nrmse(a, b);
    QVERIFY(expected > 1e-6 && expected < 2e-2);
    QVERIFY2(std::abs(view.nrmse() / expected - 1) < 1e-5, qPrintable(QString::number(view.nrmse())));
    QCOMPARE(view.view(CompareView::shownSide)->image().get(), &a);
    QCOMPARE(view.view(CompareView::referenceSide)->image().get(), &b);
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("compareNrmse"))->text().startsWith("NRMSE 0.00"));
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("detailsShown"))->text().contains("exact sum"));
    compare->trigger();
    QVERIFY(!bench.window.views().comparing() && bench.window.views().image->isVisible());
  }

  void swappingAndChoosingChangeThePair() {
    const QTemporaryDir folder;
    Workbench bench;
    makeTwo(bench, folder);
    bench.window.features().compare->setComparing(true);
    CompareView& view = *bench.window.views().comparison;
    view.findChild<QToolButton*>(QStringLiteral("compareSwap"))->click();
    QCOMPARE(view.shown(), 1);
    QCOMPARE(view.reference(), 2);
    QCOMPARE(bench.results().shown(), 1);
    QCOMPARE(bench.results().reference(), 2);
    // The same on both sides says nothing: the other one gives way.
    auto* box = view.findChild<QComboBox*>(QStringLiteral("compareShown"));
    QCOMPARE(box->count(), 2);
    const int two = box->findData(2);
    box->setCurrentIndex(two);
    Q_EMIT box->activated(two);
    QCOMPARE(view.shown(), 2);
    QCOMPARE(view.reference(), 1);
    QTRY_VERIFY_WITH_TIMEOUT(view.difference(), patience);
    // A new result takes the place of the shown one; the chosen reference stays.
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 3, patience);
    QCOMPARE(view.shown(), 3);
    QCOMPARE(view.reference(), 1);
  }

  void viewsShareCursorWindowModeAndZoom() {
    const QTemporaryDir folder;
    Workbench bench;
    makeTwo(bench, folder);
    bench.window.features().compare->setComparing(true);
    CompareView& view = *bench.window.views().comparison;
    QTRY_VERIFY_WITH_TIMEOUT(view.difference(), patience);
    SliceView &a = *view.view(CompareView::shownSide), &b = *view.view(CompareView::referenceSide),
              &d = *view.view(CompareView::differenceSide);
    QCOMPARE(a.window(), b.window());
    QVERIFY(d.window().width < a.window().width);  // the difference has its own
    QTest::mouseClick(&a, Qt::LeftButton, {}, a.voxelToWidget({5, 9, 0}).toPoint());
    for (SliceView* other : {&a, &b, &d}) QCOMPARE(other->cursorIndex(), (Index3{5, 9, 0}));
    QTest::keyClick(&b, Qt::Key_R);
    for (SliceView* other : {&a, &b, &d}) QCOMPARE(other->mode(), DisplayMode::real);
    QWheelEvent zoom(QPointF(30, 40), b.mapToGlobal(QPointF(30, 40)), {}, {0, 240}, Qt::NoButton,
                     Qt::ControlModifier, Qt::NoScrollPhase, false);
    QCoreApplication::sendEvent(&b, &zoom);
    QVERIFY(b.zoom() > 1.1);
    for (SliceView* other : {&a, &d}) {
      QCOMPARE(other->zoom(), b.zoom());
      QCOMPARE(other->pan(), b.pan());
    }
  }

  void anotherScanEndsTheComparison() {
    const QTemporaryDir folder, other;
    Workbench bench;
    makeTwo(bench, folder);
    bench.window.features().compare->setComparing(true);
    QVERIFY(bench.window.views().comparing());
    SimulateOptions options;
    options.trajectory.matrix = {48, 48, 1};
    const QString file = other.filePath(QStringLiteral("larger.h5"));
    writeScan(*simulate(options, {}), file.toStdString(), {});
    bench.window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 3, patience);
    QVERIFY(!bench.window.views().comparing());
    QVERIFY(!action(bench.window, QStringLiteral("Compare"))->isEnabled());
    // A report of the earlier scan's result would be told with the wrong scan.
    bench.window.features().report->write(*bench.results().find(2), (other.path() + "/report").toStdString());
    QVERIFY(!QFile::exists(other.path() + "/report"));
  }
};

SPOKELAB_WINDOW_TEST(TestComparison)

}  // namespace test_comparison

#include "test_comparison.moc"
