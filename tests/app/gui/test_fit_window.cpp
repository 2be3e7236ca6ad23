// The fit of delays and field in the window: its values and inconsistency are told, a slider's
// share of the delays is what the picture shows, and both become part of the next reconstruction.
#include <QAction>
#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>
#include <QSlider>

#include "app/gui/features/scan/fit_dialog.h"
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/read/correct/fit_delays.h"
#include "engine/scan/simulate/simulate.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/parameters/parameter_panel.h"

namespace test_fit_window {

using namespace spokelab;

namespace {

// Spokes whose gradients act late, by the file's own points at once; under a field whose Hz
// from edge to edge along x are given.
QString delayedFile(const QTemporaryDir& folder, double fieldHertz = 0) {
  SimulateOptions o;
  o.trajectory.pattern = Pattern::goldenRadial2d;
  o.trajectory.matrix = {48, 48, 1};
  o.trajectory.shots = 60;
  o.trajectory.samplesPerShot = 96;
  o.trajectory.dwellSeconds = 40e-6;
  o.coils = 4;
  Scan scan = *simulate(o, {});
  Trajectory& t = scan.trajectories[0];
  t.points = delayedPoints(t.points, t.shots(), t.shotOffsets[1], t.dims, {-0.6, 0.35, 0});
  for (std::size_t j = 0; j < t.times.size(); ++j) t.points[2 * j] -= fieldHertz * t.times[j];
  // So far from the middle that weak gradients have concomitant terms.
  for (Vec3& place : scan.geometry.slicePositions) place[2] = 2000;
  const QString file = folder.filePath(QStringLiteral("late.h5"));
  writeScan(scan, file.toStdString(), Progress());
  return file;
}

std::string choiceOn(const Scan& scan, const std::string& topic) {
  for (const Decision& d : scan.decisions)
    if (d.topic == topic) return d.choice;
  return "";
}

std::string delaysOf(const Scan& scan) {
  return choiceOn(scan, "gradient-delays");
}

FitDialog* fitDialog(Workbench& bench) {
  auto* action = bench.window.findChild<QAction*>(QStringLiteral("action-fit"));
  if (!action) return nullptr;
  action->trigger();
  for (FitDialog* dialog : bench.window.findChildren<FitDialog*>())
    if (dialog->isVisible()) return dialog;
  return nullptr;
}

void openFile(Workbench& bench, const QString& file) {
  bench.window.open(file);
  QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().image->image() && !bench.window.views().image->showsPreview(),
                           patience);
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

}  // namespace

class TestFitWindow : public QObject {
  Q_OBJECT

 private slots:
  void theFitBecomesADecision() {
    const QTemporaryDir folder;
    Workbench bench;
    openFile(bench, delayedFile(folder));
    FitDialog* dialog = fitDialog(bench);
    QVERIFY(dialog);
    auto* take = dialog->findChild<QPushButton*>(QStringLiteral("fitTake"));
    auto* slider = dialog->findChild<QSlider*>(QStringLiteral("fitShare"));
    auto* picture = dialog->findChild<QLabel*>(QStringLiteral("fitPicture"));
    QVERIFY(!take->isEnabled() && !slider->isEnabled());
    QSignalSpy fitted(dialog, &FitDialog::fitted), shown(dialog, &FitDialog::pictureShown);
    dialog->findChild<QPushButton*>(QStringLiteral("fitStart"))->click();
    QTRY_VERIFY_WITH_TIMEOUT(fitted.count() > 0, patience);
    QVERIFY2(std::abs(dialog->result()->delays[0] - 0.6) < 0.1 &&
                 std::abs(dialog->result()->delays[1] + 0.35) < 0.1,
             qPrintable(dialog->text()));
    QVERIFY2(dialog->text().contains(QStringLiteral("before")) &&
                 dialog->result()->after < dialog->result()->before,
             qPrintable(dialog->text()));
    QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, patience);
    const QImage whole = picture->pixmap().toImage();
    slider->setValue(0);
    QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 1, patience);
    QVERIFY(picture->pixmap().toImage() != whole);
    QCOMPARE(dialog->shownDelays()[0], 0.0);
    slider->setValue(100);
    take->click();
    QTRY_VERIFY_WITH_TIMEOUT(!delaysOf(*bench.session.scan()).empty(), patience);
    QVERIFY2(delaysOf(*bench.session.scan()).rfind("0.", 0) == 0, delaysOf(*bench.session.scan()).c_str());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);

    // A second fit of the corrected scan adds to its delays.
    dialog = fitDialog(bench);
    QVERIFY(dialog);
    QSignalSpy again(dialog, &FitDialog::fitted);
    dialog->fit();
    QTRY_VERIFY_WITH_TIMEOUT(again.count() > 0, patience);
    QVERIFY2(std::abs(dialog->result()->delays[0]) < 0.1, qPrintable(dialog->text()));
  }

  // Each correction that has a strength: the slider changes the picture, and becomes a decision.
  void theSliderMovesOtherCorrections_data() {
    QTest::addColumn<int>("moved");
    QTest::addColumn<int>("value");
    QTest::addColumn<QString>("topic");
    QTest::addColumn<QString>("choice");
    QTest::newRow("scale of x") << 1 << 1050 << "axis-scales"
                                << "1.05,1";
    QTest::newRow("scale of y") << 2 << 960 << "axis-scales"
                                << "1,0.96";
    QTest::newRow("drift") << 4 << 400 << "k0-drift"
                           << "0.4";
    QTest::newRow("response") << 5 << 150 << "girf"
                              << "*1.5";
    QTest::newRow("shift of samples") << 6 << -700 << "gradient-delays"
                                      << "-0.7,-0.7";
    QTest::newRow("concomitant terms") << 8 << 150 << "concomitant"
                                       << "2";
  }
  void theSliderMovesOtherCorrections() {
    QFETCH(int, moved);
    QFETCH(int, value);
    QFETCH(QString, topic);
    QFETCH(QString, choice);
    const QTemporaryDir folder;
    Workbench bench;
    openFile(bench, delayedFile(folder));
    const QString response = folder.filePath(QStringLiteral("response.csv"));
    QFile file(response);
    QVERIFY(file.open(QIODevice::WriteOnly));
    for (int f = -20000; f <= 20000; f += 1000)  // gradients of x and y that are a tenth too strong
      file.write(QStringLiteral("%1,1.1,0,1.1,0,1,0\n").arg(f).toUtf8());
    file.close();
    FitDialog* dialog = fitDialog(bench);
    QVERIFY(dialog);
    auto* list = dialog->findChild<QComboBox*>(QStringLiteral("fitMoved"));
    auto* slider = dialog->findChild<QSlider*>(QStringLiteral("fitShare"));
    auto* picture = dialog->findChild<QLabel*>(QStringLiteral("fitPicture"));
    QSignalSpy shown(dialog, &FitDialog::pictureShown);
    if (topic == QStringLiteral("girf"))
      dialog->useResponse(response);
    else
      list->setCurrentIndex(moved);
    QCOMPARE(list->currentIndex(), moved);
    QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, patience);
    const QImage before = picture->pixmap().toImage();
    const qsizetype drawn = shown.count();
    slider->setValue(value);
    QTRY_VERIFY_WITH_TIMEOUT(shown.count() > drawn, patience);
    QVERIFY(picture->pixmap().toImage() != before);
    dialog->findChild<QPushButton*>(QStringLiteral("fitTake"))->click();
    const auto chosen = [&] {
      return QString::fromStdString(choiceOn(*bench.session.scan(), topic.toStdString()));
    };
    QTRY_VERIFY_WITH_TIMEOUT(chosen().endsWith(choice), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
  }

  void theFieldBecomesAMap() {
    const QTemporaryDir folder;
    Workbench bench;
    openFile(bench, delayedFile(folder));
    FitDialog* dialog = fitDialog(bench);
    QVERIFY(dialog);
    dialog->findChild<QComboBox*>(QStringLiteral("fitOrder"))->setCurrentIndex(2);
    QSignalSpy fitted(dialog, &FitDialog::fitted), saved(dialog, &FitDialog::fieldSaved);
    dialog->fit();
    QTRY_VERIFY_WITH_TIMEOUT(fitted.count() > 0, patience);
    QVERIFY(dialog->text().contains(QStringLiteral("field x")));
    const QString file = folder.filePath(QStringLiteral("field.nii.gz"));
    dialog->saveField(file);
    QTRY_VERIFY_WITH_TIMEOUT(saved.count() > 0, patience);
    QCOMPARE(bench.window.views().parameters->options().iterative.fieldMap, file.toStdString());
    QVERIFY((readImage(file.toStdString(), Progress()).size == Index3{48, 48, 1}));
  }

  void theSliderMovesTheField() {
    const QTemporaryDir folder;
    Workbench bench;
    openFile(bench, delayedFile(folder, 300));
    FitDialog* dialog = fitDialog(bench);
    QVERIFY(dialog);
    auto* list = dialog->findChild<QComboBox*>(QStringLiteral("fitMoved"));
    auto* slider = dialog->findChild<QSlider*>(QStringLiteral("fitShare"));
    auto* picture = dialog->findChild<QLabel*>(QStringLiteral("fitPicture"));
    list->setCurrentIndex(list->findText(QStringLiteral("Field")));
    QVERIFY(!slider->isEnabled());  // nothing is fitted yet
    QVERIFY2(dialog->text().contains(QStringLiteral("press Fit")), qPrintable(dialog->text()));
    dialog->findChild<QComboBox*>(QStringLiteral("fitOrder"))->setCurrentIndex(2);
    QSignalSpy fitted(dialog, &FitDialog::fitted), shown(dialog, &FitDialog::pictureShown),
        saved(dialog, &FitDialog::fieldSaved);
    dialog->fit();
    QTRY_VERIFY_WITH_TIMEOUT(fitted.count() > 0, patience);
    QTRY_VERIFY_WITH_TIMEOUT(shown.count() > 0, patience);
    QVERIFY(slider->isEnabled());
    QCOMPARE(slider->value(), 100);
    const QImage whole = picture->pixmap().toImage();
    const auto sharpness = [](const QImage& image) {  // a field along x blurs
      double squares = 0, steps = 0;
      for (int y = 0; y < image.height(); ++y)
        for (int x = 1; x < image.width(); ++x) {
          const double a = qGray(image.pixel(x - 1, y)), b = qGray(image.pixel(x, y));
          steps += (b - a) * (b - a), squares += b * b;
        }
      return steps / squares;
    };
    const qsizetype drawn = shown.count();
    slider->setValue(0);
    QTRY_VERIFY_WITH_TIMEOUT(shown.count() > drawn, patience);
    QVERIFY(picture->pixmap().toImage() != whole);
    QVERIFY2(sharpness(picture->pixmap().toImage()) < sharpness(whole), "the field does not blur");
    slider->setValue(50);
    const QString file = folder.filePath(QStringLiteral("half.nii.gz"));
    dialog->saveField(file);
    QTRY_VERIFY_WITH_TIMEOUT(saved.count() > 0, patience);
    const Image half = readImage(file.toStdString(), Progress());
    const Image& field = *dialog->result()->field;
    QCOMPARE(half.data.size(), field.data.size());
    QVERIFY(std::abs(field.data.front()) > 100);  // rad/s
    QVERIFY(std::abs(half.data.front() - 0.5F * field.data.front()) < 1e-3F * std::abs(field.data.front()));
  }

  void withoutAScanItSaysSo() {
    Workbench bench;
    QSignalSpy failed(&bench.session, &Session::failed);
    QVERIFY(!fitDialog(bench));
    QCOMPARE(failed.count(), 1);
  }
};

SPOKELAB_WINDOW_TEST(TestFitWindow)

}  // namespace test_fit_window

#include "test_fit_window.moc"
