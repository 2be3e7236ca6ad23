// The dialog asks for what the pattern has; the density view shows each method's point spread
// function.
#include <QtTest>

#include <QComboBox>
#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

#include "tests/test_main.h"
#include "widgets/recon/density_view.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/scan/simulate_dialog.h"

namespace test_simulation_views {

using namespace spokelab;

class TestSimulationViews : public QObject {
  Q_OBJECT

  static void choose(SimulateDialog& dialog, const char* name, const QString& value) {
    OptionEditor* editor = dialog.editor(name);
    editor->setValue(value);
    Q_EMIT editor->edited();
  }
  static QPushButton* button(SimulateDialog& dialog) {
    for (QPushButton* b : dialog.findChildren<QPushButton*>())
      if (b->text() == QStringLiteral("Simulate")) return b;
    return nullptr;
  }

 private slots:
  void itStartsWithTheDefaults() {
    SimulateDialog dialog;
    QVERIFY(dialog.isValid());
    QVERIFY(dialog.options().trajectory.pattern == Pattern::radial2d);
    QVERIFY(resolvedMatrix(dialog.options().trajectory) == (Index3{128, 128, 1}));
  }

  void rowsFollowThePattern() {
    SimulateDialog dialog;
    QVERIFY(!dialog.editor("turns")->isEnabled() && !dialog.editor("cluster-size")->isEnabled());
    choose(dialog, "pattern", "cones");
    QVERIFY(dialog.editor("turns")->isEnabled() && !dialog.editor("shots")->isEnabled());
    choose(dialog, "turns", "7");
    QCOMPARE(dialog.options().trajectory.spiralTurns, 7);
    choose(dialog, "pattern", "clustered");  // the turns now say nothing, and are not asked for
    QCOMPARE(dialog.options().trajectory.spiralTurns, 0);
    QVERIFY(dialog.editor("cluster-size")->isEnabled());
  }

  void nonsenseCannotBeAskedFor() {
    SimulateDialog dialog;
    QSignalSpy asked(&dialog, &SimulateDialog::simulateRequested);
    choose(dialog, "matrix", "12y");
    QVERIFY(!dialog.isValid());
    QVERIFY(!button(dialog)->isEnabled());
    choose(dialog, "matrix", "48x32");
    QVERIFY(dialog.isValid());
    button(dialog)->click();
    QCOMPARE(asked.count(), 1);
    const auto options = asked[0][0].value<SimulateOptions>();
    QVERIFY(resolvedMatrix(options.trajectory) == (Index3{48, 32, 1}));
    QCOMPARE(asked[0][1].toBool(), true);
  }

  void studiesSetSizes() {
    SimulateDialog dialog;
    auto* presets = dialog.findChild<QComboBox*>(QStringLiteral("presets"));
    QVERIFY(presets && !presets->isEnabled());
    choose(dialog, "pattern", "stack-of-spirals");
    QCOMPARE(presets->count(), 6);
    presets->setCurrentIndex(1);
    Q_EMIT presets->activated(1);
    QCOMPARE(dialog.options().trajectory.shots, 32);
    QCOMPARE(dialog.options().trajectory.samplesPerShot, 256);
    QVERIFY(resolvedMatrix(dialog.options().trajectory) == (Index3{128, 128, 128}));
  }

  void spreadPicturesAreInDecibels() {
    Image image;
    image.size = {4, 3, 1};
    image.data.assign(12, cfloat(0));
    image.data[1 * 4 + 2] = 1;         // the centre: 0 dB
    image.data[1 * 4 + 1] = 0.01F;     // -40 dB
    image.data[0] = cfloat(0, 1e-6F);  // below the range
    const QImage picture = spreadPicture(image, 80, 1);
    QCOMPARE(picture.size(), QSize(4, 3));
    QCOMPARE(qGray(picture.pixel(2, 1)), 255);
    QVERIFY(std::abs(qGray(picture.pixel(1, 1)) - 128) <= 1);
    QCOMPARE(qGray(picture.pixel(0, 0)), 0);
    QCOMPARE(spreadPicture(image, 80, 2).size(), QSize(2, 1));
    QCOMPARE(qGray(spreadPicture(image, 80, 2).pixel(1, 0)), 255);
  }

  void eachMethodHasItsColumn() {
    auto trials = std::make_shared<DensityTrials>();
    for (DensityMethod method : {DensityMethod::file, DensityMethod::analytic, DensityMethod::voronoi}) {
      DensityTrial trial;
      trial.method = method;
      if (method == DensityMethod::file) {
        trial.refused = "the file has none";
      } else {
        trial.weights.origin = "somewhere";
        trial.spread.image.size = {8, 8, 1};
        trial.spread.image.data.assign(64, cfloat(1));
        trial.spread.fwhm = {1.41, 1.42, 0};
        trial.spread.sideLobe = 0.1;
        trial.spread.peak = 0.785;
        trial.agreement.rms = 0.02;
      }
      trials->trials.push_back(trial);
    }
    DensityView view;
    view.setTrials(trials);
    QVERIFY(!view.findChild<QLabel*>(QStringLiteral("psf-file")));
    QVERIFY(view.findChild<QLabel*>(QStringLiteral("refused"))
                ->text()
                .contains(QStringLiteral("the file has none")));
    for (const char* name : {"psf-analytic", "psf-voronoi"})
      QVERIFY(view.findChild<QLabel*>(QString::fromUtf8(name)));
    const QString numbers = view.findChild<QLabel*>(QStringLiteral("numbers-voronoi"))->text();
    QVERIFY2(numbers.contains(QStringLiteral("1.41 × 1.42")) &&
                 numbers.contains(QStringLiteral("-20.0 dB")) && numbers.contains(QStringLiteral("2.0 %")),
             qPrintable(numbers));
    QVERIFY(!view.findChild<QLabel*>(QStringLiteral("numbers-analytic"))
                 ->text()
                 .contains(QStringLiteral("Differs")));
    view.setTrials(nullptr);
    QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
    QVERIFY(!view.findChild<QLabel*>(QStringLiteral("psf-voronoi")));
  }
};

SPOKELAB_GUI_TEST(TestSimulationViews)

}  // namespace test_simulation_views

#include "test_simulation_views.moc"
