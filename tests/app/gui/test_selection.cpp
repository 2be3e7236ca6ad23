// Shots, coils and times picked in the window, with mouse and keys: what is reconstructed, drawn,
// told, undone and kept.
#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QLineEdit>
#include <QMouseEvent>
#include <QPushButton>
#include <QToolButton>
#include <QUndoStack>

#include "app/gui/document/undo.h"
#include "app/gui/features/banner.h"
#include "engine/profile/session/saved_session.h"
#include "engine/recon/prepare/sample_selection.h"
#include "engine/recon/run/reconstruction.h"
#include "engine/recon/run/run_job.h"
#include "engine/recon/sense/backend_cpu.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/trajectory/range_slider.h"
#include "widgets/trajectory/selection_bar.h"
#include "widgets/trajectory/trajectory_view.h"

namespace test_selection {

using namespace spokelab;

namespace {

ReconOptions quick() {
  ReconOptions options;
  options.nufft.alpha = 2;
  options.nufft.width = 5;
  options.backend = "cpu";
  return options;
}

// Where the outer end of a shot is drawn.
QPoint endOf(const TrajectoryView& view, int shot) {
  const Trajectory& t = *view.trajectory();
  return view.project(kspacePoint(t, t.shotOffsets[std::size_t(shot) + 1] - 1)).toPoint();
}

void send(QWidget& w, QEvent::Type type, const QPoint& at, Qt::MouseButton button, Qt::MouseButtons held,
          Qt::KeyboardModifiers modifiers) {
  QMouseEvent event(type, at, w.mapToGlobal(at), button, held, modifiers);
  QCoreApplication::sendEvent(&w, &event);
}

void drag(QWidget& w, const QPoint& from, const QPoint& to, Qt::KeyboardModifiers modifiers) {
  send(w, QEvent::MouseButtonPress, from, Qt::LeftButton, Qt::LeftButton, modifiers);
  send(w, QEvent::MouseMove, (from + to) / 2, Qt::NoButton, Qt::LeftButton, modifiers);
  send(w, QEvent::MouseMove, to, Qt::NoButton, Qt::LeftButton, modifiers);
  send(w, QEvent::MouseButtonRelease, to, Qt::LeftButton, Qt::NoButton, modifiers);
}

}  // namespace

class TestSelection : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  struct Selecting : Workbench {
    explicit Selecting(const QTemporaryDir& folder) { openSmall(*this, folder, quick()); }
    TrajectoryView& view() { return *window.views().trajectory; }
    SelectionBar& bar() { return *window.views().selection; }
    std::string shots() { return window.views().parameters->options().shots; }
    template <class Widget>
    Widget* child(const char* name) {
      auto* found = bar().findChild<Widget*>(QString::fromUtf8(name));
      if (!found) qFatal("there is no %s", name);
      return found;
    }
    void openFields() { QTest::mouseClick(child<QToolButton>("selectionOpen"), Qt::LeftButton); }
    void write(const char* name, const QString& text) {
      auto* edit = child<QLineEdit>(name);
      edit->setFocus();
      edit->selectAll();
      QTest::keyClicks(edit, text);
      QTest::keyClick(edit, Qt::Key_Return);
    }
    const Reconstruction& shown() { return *results().find(results().shown())->result; }
  };

 private Q_SLOTS:
  // Options of another scan may select: there is still nothing to reconstruct.
  void nothingIsOfferedWithoutAScan() {
    SelectionBar bar;
    ReconOptions some;
    some.shots = "0-3";
    bar.setOptions(some);
    for (const QPushButton* button : bar.findChildren<QPushButton*>())
      QVERIFY2(!button->isEnabled(), qPrintable(button->text()));
    const auto* all = bar.findChild<QPushButton*>(QStringLiteral("selectAll"));
    const auto scan = radialScan(8, 1, 4);
    bar.setScan(scan);
    QVERIFY(all->isEnabled());
    bar.setOptions({});
    QVERIFY(!all->isEnabled());
    bar.setOptions(some);
    bar.setScan(nullptr);
    QVERIFY(!all->isEnabled());
  }

  void shotsArePickedWithTheMouse() {
    Selecting bench(folder_);
    TrajectoryView& view = bench.view();
    const int shots = int(view.trajectory()->shots());
    const QString all = QStringLiteral("all %1 shots").arg(shots);
    QTRY_COMPARE_WITH_TIMEOUT(bench.bar().summary(), all, patience);
    QTest::mouseClick(&view, Qt::LeftButton, {}, endOf(view, 7));
    QCOMPARE(bench.shots(), std::string("7"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.bar().summary(), QStringLiteral("1 of %1 shots").arg(shots), patience);
    const auto& offsets = view.trajectory()->shotOffsets;
    QVERIFY(view.isChosen(offsets[7]) && view.isChosen(offsets[8] - 1));
    QVERIFY(!view.isChosen(offsets[6]) && !view.isChosen(offsets[8]));
    // What is not selected is still there, but faded to a grey.
    const QImage picture = view.grab().toImage();
    const auto brightest = [&](int shot) {
      int most = 0;
      const QPoint at = endOf(view, shot);
      for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x) most = std::max(most, qGray(picture.pixel(at + QPoint(x, y))));
      return most;
    };
    QVERIFY2(brightest(20) < 60 && brightest(7) > brightest(20) + 10,
             qPrintable(QStringLiteral("%1, %2").arg(brightest(20)).arg(brightest(7))));

    QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, endOf(view, 12));
    QCOMPARE(bench.shots(), std::string("7,12"));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, endOf(view, 7));
    QCOMPARE(bench.shots(), std::string("12"));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier, endOf(view, 12));
    QCOMPARE(bench.shots(), std::string("12"));  // the last one stays
    QTest::mouseClick(&view, Qt::LeftButton, {}, endOf(view, 4));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ShiftModifier, endOf(view, 9));
    QCOMPARE(bench.shots(), std::string("4-9"));
    QTest::mouseClick(&view, Qt::LeftButton, Qt::ControlModifier | Qt::ShiftModifier, endOf(view, 2));
    QCOMPARE(bench.shots(), std::string("2-9"));

    // A drag turns or moves, and picks nothing.
    drag(view, view.rect().center(), view.rect().center() + QPoint(30, 5), {});
    QCOMPARE(bench.shots(), std::string("2-9"));
    QTest::mouseDClick(&view, Qt::LeftButton, {}, view.rect().center());
    QCOMPARE(bench.shots(), std::string("2-9"));
  }

  void aRectangleTakesTheShotsThatCrossIt() {
    Selecting bench(folder_);
    TrajectoryView& view = bench.view();
    const Trajectory& t = *view.trajectory();
    // A thin upright rectangle at the right edge of the pattern.
    const QPoint corner = view.project({13, 6, 0}).toPoint(), opposite = view.project({17, -6, 0}).toPoint();
    drag(view, corner, opposite, Qt::ShiftModifier);
    std::vector<char> expected(std::size_t(t.shots()), 0);
    const QRectF band = QRectF(corner, opposite).normalized();
    for (std::int64_t i = 0; i < t.samples(); ++i)
      if (band.contains(view.project(kspacePoint(t, i)))) expected[std::size_t(shotOf(t, i))] = 1;
    const std::vector<int> picked = selection(bench.shots(), int(t.shots()), "shots");
    QVERIFY(!picked.empty() && int(picked.size()) < int(t.shots()) / 2);
    for (int s = 0; s < int(t.shots()); ++s)
      QCOMPARE(bool(expected[std::size_t(s)]), std::find(picked.begin(), picked.end(), s) != picked.end());
    const std::size_t before = picked.size();
    drag(view, view.project({-6, 17, 0}).toPoint(), view.project({6, 13, 0}).toPoint(),
         Qt::ShiftModifier | Qt::ControlModifier);
    const std::vector<int> more = selection(bench.shots(), int(t.shots()), "shots");
    QVERIFY(more.size() > before);
    QVERIFY(std::includes(more.begin(), more.end(), picked.begin(), picked.end()));
  }

  void keysDoTheSame() {
    Selecting bench(folder_);
    TrajectoryView& view = bench.view();
    view.setFocus();
    for (int i = 0; i < 3; ++i) QTest::keyClick(&view, Qt::Key_PageDown);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(bench.shots(), std::string("2"));
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ShiftModifier);
    QTest::keyClick(&view, Qt::Key_PageDown, Qt::ShiftModifier);
    QCOMPARE(bench.shots(), std::string("2-4"));
    QTest::keyClick(&view, Qt::Key_PageUp);
    QTest::keyClick(&view, Qt::Key_Space);
    QCOMPARE(bench.shots(), std::string("2,4"));
    QTest::keyClick(&view, Qt::Key_A, Qt::ControlModifier);
    QCOMPARE(bench.shots(), std::string());
  }

  void theSelectionIsReconstructedUndoneAndKept() {
    Selecting bench(folder_);
    const auto scan = bench.session.scan();
    bench.openFields();
    bench.write("select-shots", QStringLiteral("0-:3"));
    bench.write("select-coils", QStringLiteral("1"));
    QCOMPARE(bench.shots(), std::string("0-:3"));
    QTRY_COMPARE_WITH_TIMEOUT(bench.bar().summary(), QStringLiteral("17 of 51 shots, 1 of 2 coils"),
                              patience);
    const ReconOptions chosen = bench.window.views().parameters->options();
    QTest::mouseClick(bench.child<QPushButton>("reconstructSelected"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    const Reconstruction direct = runJob(*makeCpuBackend(), *scan, chosen, nullptr, nullptr, {});
    QCOMPARE(bench.shown().image->data, direct.image->data);
    QCOMPARE(QString::fromStdString(bench.shown().notes.front()),
             QStringLiteral("selected: 17 of 51 shots, 1 of 2 coils"));
    bench.window.features().results->copyCommand(0);
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(line.contains(QStringLiteral("--shots 0-:3")) && line.contains(QStringLiteral("--coils 1")),
             qPrintable(line));
    QCOMPARE(bench.window.features().state->capture().options.at("shots"), std::string("0-:3"));

    bench.window.features().undo->stack()->undo();
    QCOMPARE(bench.window.views().parameters->options().coils, std::string());
    bench.window.features().undo->stack()->undo();
    QCOMPARE(bench.shots(), std::string());
    QCOMPARE(bench.child<QLineEdit>("select-shots")->text(), QString());
    bench.window.features().undo->stack()->redo();
    QCOMPARE(bench.shots(), std::string("0-:3"));
    QTest::mouseClick(bench.child<QPushButton>("selectAll"), Qt::LeftButton);
    QCOMPARE(bench.shots(), std::string());
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 3, patience);
    QVERIFY(!bench.child<QPushButton>("selectAll")->isEnabled());
  }

  void windowsOfTimeHaveTwoHandles() {
    Selecting bench(folder_);
    bench.openFields();
    auto* slider = bench.child<RangeSlider>("select-readout-time");
    QVERIFY(slider->isVisible() && !bench.child<RangeSlider>("select-scan-time")->isVisible());
    slider->setFocus();
    for (int i = 0; i < 20; ++i) QTest::keyClick(slider, Qt::Key_Right);
    const std::string value = bench.window.views().parameters->options().readoutWindow;
    QVERIFY2(value.size() > 1 && value.back() == '-', value.c_str());
    const double low = slider->low();
    QVERIFY(std::abs(low - 0.2 * slider->maximum()) < 0.02 * slider->maximum());
    const QPoint handle = slider->highHandle().toPoint();
    drag(*slider, handle, handle - QPoint(slider->width() / 4, 0), {});
    QVERIFY(slider->high() < 0.85 * slider->maximum() && slider->low() == low);
    const auto& t = bench.session.scan()->trajectory(0);
    QTRY_VERIFY_WITH_TIMEOUT(bench.bar().summary().contains(QStringLiteral("of their")), patience);
    for (std::int64_t i = 0; i < t.samples(); ++i) {
      const double ms = 1e3 * t.times[std::size_t(i)];
      if (ms < slider->low() - 1e-3 || ms > slider->high() + 1e-3) QVERIFY(!bench.view().isChosen(i));
    }
    QTest::keyClick(slider, Qt::Key_Home);
    QCOMPARE(bench.window.views().parameters->options().readoutWindow, std::string());
  }

  void mistakesAreExplained() {
    Selecting bench(folder_);
    bench.openFields();
    bench.write("select-shots", QStringLiteral("3-1"));
    QVERIFY(bench.window.views().banner->isVisible());
    QVERIFY(bench.window.views().banner->text().contains(QStringLiteral("not a list of numbers")));
    QCOMPARE(bench.shots(), std::string());
    bench.write("select-shots", QStringLiteral("0-400"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.bar().summary().contains(QStringLiteral("the scan has 51 (0 to 50)")),
                             patience);
    QTest::mouseClick(bench.child<QPushButton>("reconstructSelected"), Qt::LeftButton);
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().banner->text().contains(QStringLiteral("0 to 50")),
                             patience);
    // Another scan without these numbers begins with all of its own.
    bench.window.open(QStringLiteral("demo"));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan() && bench.session.scan()->name == "demo", patience);
    QCOMPARE(bench.shots(), std::string("0-400"));  // which the demo has
    bench.write("select-shots", QStringLiteral("0-1000"));
    bench.session.jobs().cancelAll();
    bench.window.open(smallScan(folder_));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan()->name == "small.h5", patience);
    QCOMPARE(bench.shots(), std::string());
    bench.session.jobs().cancelAll();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
  }

  void thePointSpreadIsAnImageOfItsOwn() {
    Selecting bench(folder_);
    QTest::mouseClick(&bench.view(), Qt::LeftButton, {}, endOf(bench.view(), 3));
    QTest::mouseClick(&bench.view(), Qt::LeftButton, Qt::ShiftModifier, endOf(bench.view(), 14));
    QTest::mouseClick(bench.child<QPushButton>("pointSpread"), Qt::LeftButton);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    const Image& image = *bench.shown().image;
    QCOMPARE(image.size, (Index3{64, 64, 1}));
    QCOMPARE(std::abs(image.data[std::size_t(32 * 64 + 32)]), 1.0F);
    QCOMPARE(bench.window.views().image->image().get(), &image);
    QVERIFY(
        QString::fromStdString(bench.shown().plan.description).contains(QStringLiteral("12 of 51 shots")));
    bench.window.features().results->copyCommand(0);
    const QString line = QGuiApplication::clipboard()->text();
    QVERIFY2(line.contains(QStringLiteral("density")) && line.contains(QStringLiteral("--psf")) &&
                 line.contains(QStringLiteral("--shots 3-14")),
             qPrintable(line));
    QTest::qWait(200);  // the list of results is laid out
    keepPicture(bench.window, "selection");
  }
};

SPOKELAB_WINDOW_TEST(TestSelection)

}  // namespace test_selection

#include "test_selection.moc"
