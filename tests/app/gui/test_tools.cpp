// Tools of the window: simulated scans beside their truth, density weights compared, plain arrays
// described and opened, other readings chosen, remembered and forgotten, images saved in every
// format.
#include <QAction>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QFileDialog>
#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QTextBrowser>

#include "app/gui/features/banner.h"
#include "app/gui/features/scan/readings_dialog.h"
#include "engine/recon/explore/density_comparison.h"
#include "engine/scan/formats/images/read_image.h"
#include "engine/scan/simulate/simulate_options.h"
#include "tests/app/gui/workbench.h"
#include "tests/app/gui/written_arrays.h"
#include "tests/engine/scan/array_containers.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/density_view.h"
#include "widgets/recon/parameters/option_editor.h"
#include "widgets/recon/scan/describe_dialog.h"
#include "widgets/recon/scan/reading_list.h"
#include "widgets/recon/scan/simulate_dialog.h"

namespace test_tools {

using namespace spokelab;

namespace {

void trigger(MainWindow& window, const char* name) {
  auto* action = window.findChild<QAction*>(QString::fromUtf8(name));
  QVERIFY(action);
  action->trigger();
}

template <class Dialog>
Dialog* shown(MainWindow& window) {
  for (Dialog* dialog : window.findChildren<Dialog*>())
    if (dialog->isVisible()) return dialog;
  return nullptr;
}

void openAndWait(Workbench& bench, const QString& file) {
  bench.window.open(file);
  QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().image->image() && !bench.window.views().image->showsPreview(),
                           patience);
  QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
}

// Both arrays in one archive, in their place.
void packArrays(const QTemporaryDir& folder, const QString& archive) {
  spokelab::test::Members members;
  for (const char* name : {"ksp.npy", "traj.npy"}) {
    QFile file(folder.filePath(QString::fromLatin1(name)));
    QVERIFY(file.open(QIODevice::ReadOnly));
    members.emplace_back(name, file.readAll().toStdString());
    QVERIFY(file.remove());
  }
  QVERIFY(spokelab::test::writeZip(folder.filePath(archive).toStdString(), members, true));
}

}  // namespace

class TestTools : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aSimulatedScanIsReconstructedAndComparedWithItsTruth() {
    Workbench bench;
    trigger(bench.window, "action-simulate");
    auto* dialog = shown<SimulateDialog>(bench.window);
    QVERIFY(dialog);
    OptionEditor* matrix = dialog->editor("matrix");
    matrix->setValue(QStringLiteral("48"));
    Q_EMIT matrix->edited();
    for (QPushButton* button : dialog->findChildren<QPushButton*>())
      if (button->text() == QStringLiteral("Simulate")) button->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QVERIFY(!dialog->isVisible());
    QVERIFY(bench.session.scan()->geometry.matrix == (Index3{48, 48, 1}));
    const HistoryEntry* made = bench.results().find(bench.results().shown());
    const HistoryEntry* truth = bench.results().find(bench.results().reference());
    QVERIFY(made && truth);
    QVERIFY(truth->result->origin == ResultOrigin::phantom);
    QCOMPARE(made->result->plan.backend, std::string("cpu"));
    QCOMPARE(truth->result->image->size, made->result->image->size);
    QVERIFY(bench.window.views().image->reference() == truth->result->image);
    // Nothing was read, so nothing was decided.
    bench.window.features().scan->overrideDecision(QStringLiteral("matrix"), QStringLiteral("64x64"));
    QVERIFY(bench.window.views().banner->isVisible());
    QVERIFY(bench.window.views().banner->text().contains(QStringLiteral("simulated")));
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("kept.h5"));
    QSignalSpy saved(&bench.session, &Session::saved);
    bench.window.features().scan->save(file.toStdString());
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    Workbench other;
    openAndWait(other, file);
    QVERIFY(other.session.scan()->geometry.matrix == (Index3{48, 48, 1}));
  }

  void densityWeightsAreComparedSideBySide() {
    const QTemporaryDir folder;
    Workbench bench;
    trigger(bench.window, "action-density");  // without a scan: a sentence
    QVERIFY(bench.window.views().banner->isVisible());
    openAndWait(bench, smallScan(folder));
    trigger(bench.window, "action-density");
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.findChild<DensityView*>(), patience);
    auto* view = bench.window.findChild<DensityView*>();
    for (const char* method : {"analytic", "pipe-menon", "voronoi"}) {
      auto* picture = view->findChild<QLabel*>(QStringLiteral("psf-") + QString::fromUtf8(method));
      QVERIFY2(picture && !picture->pixmap().isNull(), method);
      // The peak is in the middle, and most of the rest is dark.
      const QImage image = picture->pixmap().toImage();
      QVERIFY(qGray(image.pixel(image.width() / 2, image.height() / 2)) > 250);
      QVERIFY(qGray(image.pixel(image.width() / 2 + image.width() / 5, image.height() / 2)) < 200);
    }
    QVERIFY(!view->findChild<QLabel*>(QStringLiteral("psf-file")));  // the file has none
  }

  void droppedArraysAreDescribedAndOpened_data() {
    QTest::addColumn<QString>("dropped");
    QTest::newRow("one of two files") << "ksp.npy";
    QTest::newRow("an archive of both") << "scan.npz";
  }
  void droppedArraysAreDescribedAndOpened() {
    QFETCH(QString, dropped);
    const QTemporaryDir folder;
    const auto made = writeArrays(folder);
    if (dropped == QStringLiteral("scan.npz")) packArrays(folder, dropped);
    Workbench bench;
    drop(bench.window, folder.filePath(dropped));
    QTRY_VERIFY_WITH_TIMEOUT(shown<DescribeDialog>(bench.window), patience);
    auto* dialog = shown<DescribeDialog>(bench.window);
    QVERIFY(!bench.session.scan());
    QVERIFY(dialog->isValid());
    QVERIFY(dialog->findChild<QTextBrowser*>(QStringLiteral("notes"))
                ->toPlainText()
                .contains(QStringLiteral("traj")));
    const QString text = dialog->editor()->toPlainText();
    dialog->editor()->setPlainText(text + QStringLiteral("}"));
    QVERIFY(!dialog->isValid() && !dialog->openButton()->isEnabled());
    QString wrong = text;
    wrong.replace(QStringLiteral("\"coil\""), QStringLiteral("\"spool\""));
    dialog->editor()->setPlainText(wrong);
    QVERIFY(!dialog->isValid());
    dialog->editor()->setPlainText(text);
    QVERIFY(dialog->isValid());
    dialog->saveButton()->click();
    auto* place = shown<QFileDialog>(bench.window);
    QVERIFY(place);
    Q_EMIT place->fileSelected(folder.filePath(QStringLiteral("scan.json")));
    place->close();
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    const Scan& scan = *bench.session.scan();
    QCOMPARE(scan.coils, 2);
    QCOMPARE(scan.trajectory(0).shots(), made->trajectory(0).shots());
    QVERIFY(scan.geometry.matrix == (Index3{32, 32, 1}));
    QVERIFY(std::equal(scan.samples[0].begin(), scan.samples[0].end(), made->samples[0].begin()));
  }

  void anArrayWithoutPartnerIsToldSo() {
    const QTemporaryDir folder;
    writeArrays(folder);
    QVERIFY(QFile::remove(folder.filePath(QStringLiteral("traj.npy"))));
    Workbench bench;
    drop(bench.window, folder.filePath(QStringLiteral("ksp.npy")));
    QTRY_VERIFY_WITH_TIMEOUT(shown<QMessageBox>(bench.window), patience);
    QVERIFY(shown<QMessageBox>(bench.window)->text().contains(QStringLiteral("trajectory")));
    QVERIFY(!shown<DescribeDialog>(bench.window));
    shown<QMessageBox>(bench.window)->reject();  // it is no image either
    QVERIFY(bench.results().rowCount() == 0 && !bench.session.scan());
  }

  // Axes are boxes, each reading has a picture, and Open needs no place to be named.
  void arraysAreDescribedInAForm() {
    const QTemporaryDir folder;
    const auto made = writeArrays(folder);
    Workbench bench;
    bench.window.open(folder.filePath(QStringLiteral("ksp.npy")));
    QTRY_VERIFY_WITH_TIMEOUT(shown<DescribeDialog>(bench.window), patience);
    auto* dialog = shown<DescribeDialog>(bench.window);
    auto* first = dialog->findChild<QComboBox*>(QStringLiteral("samples-axis0"));
    QVERIFY(first);
    QCOMPARE(first->currentData().toString(), QStringLiteral("coil"));
    QVERIFY(first->currentText().startsWith(QStringLiteral("2 ")));       // its size
    QTRY_VERIFY_WITH_TIMEOUT(dialog->readings()->count() > 1, patience);  // the present one, other units
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QVERIFY(!dialog->readings()->item(0)->icon().isNull());

    const auto choose = [](QComboBox& box, const QString& what) {
      box.setCurrentIndex(box.findData(what));
      Q_EMIT box.activated(box.currentIndex());
    };
    choose(*first, QStringLiteral("time"));
    QVERIFY(dialog->editor()->toPlainText().contains(QStringLiteral("\"time\"")));
    QVERIFY(dialog->isValid());
    choose(*first, QStringLiteral("coil"));
    choose(*dialog->findChild<QComboBox*>(QStringLiteral("describeUnit")), QStringLiteral("cycles/FOV"));
    QVERIFY(dialog->editor()->toPlainText().contains(QStringLiteral("cycles/FOV")));
    Q_EMIT dialog->readings()->chosen(QStringLiteral("k-unit"), QStringLiteral("1/m"));
    QVERIFY(dialog->editor()->toPlainText().contains(QStringLiteral("\"1/m\"")));
    Q_EMIT dialog->readings()->chosen(QStringLiteral("k-unit"), QStringLiteral("cycles/FOV"));
    Q_EMIT dialog->readings()->chosen(QStringLiteral("array-axes"), QStringLiteral("slice,shot,sample"));
    QCOMPARE(dialog->findChild<QComboBox*>(QStringLiteral("samples-axis0"))->currentData().toString(),
             QStringLiteral("slice"));
    choose(*dialog->findChild<QComboBox*>(QStringLiteral("samples-axis0")), QStringLiteral("coil"));
    auto* matrix = dialog->findChild<QLineEdit*>(QStringLiteral("describeMatrix"));
    matrix->clear();
    QTest::keyClicks(matrix, QStringLiteral("32 x 32"));
    keepPicture(*dialog, "describe");
    dialog->openButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    QCOMPARE(bench.session.scan()->coils, 2);
    QCOMPARE(bench.session.file(), folder.filePath(QStringLiteral("ksp.json")));
    QVERIFY(std::equal(made->samples[0].begin(), made->samples[0].end(),
                       bench.session.scan()->samples[0].begin()));
  }

  void anotherReadingIsChosenRememberedAndForgotten() {
    const QTemporaryDir folder;
    const QString file = smallScan(folder);
    Workbench bench;
    bench.session.setChoicesFile(folder.filePath(QStringLiteral("choices.json")).toStdString());
    openAndWait(bench, file);
    const auto decisionOn = [](const Scan& scan, const std::string& topic) {
      for (const Decision& d : scan.decisions)
        if (d.topic == topic) return d.choice;
      return std::string();
    };
    const std::string before = decisionOn(*bench.session.scan(), "axes");
    trigger(bench.window, "action-readings");
    auto* dialog = shown<ReadingsDialog>(bench.window);
    QVERIFY(dialog);
    QVERIFY(!dialog->forgetButton()->isEnabled() && !dialog->takeButton()->isEnabled());
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(dialog->list()->count() > 2, patience);
    QListWidgetItem* swapped = nullptr;
    for (int i = 0; i < dialog->list()->count(); ++i)
      if (dialog->list()->item(i)->text() == QStringLiteral("axes\nyx")) swapped = dialog->list()->item(i);
    QVERIFY(swapped && !swapped->icon().isNull());
    swapped->setSelected(true);
    dialog->takeButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(decisionOn(*bench.session.scan(), "axes") == "yx", patience);
    QVERIFY(before != "yx");

    // Kept for the file, also under another name.
    const QString copy = folder.filePath(QStringLiteral("copy.h5"));
    QVERIFY(QFile::copy(file, copy));
    Workbench later;
    later.session.setChoicesFile(bench.session.choicesFile());
    openAndWait(later, copy);
    QCOMPARE(decisionOn(*later.session.scan(), "axes"), std::string("yx"));
    trigger(later.window, "action-readings");
    dialog = shown<ReadingsDialog>(later.window);
    QVERIFY(dialog && dialog->forgetButton()->isEnabled());
    dialog->forgetButton()->click();
    QTRY_VERIFY_WITH_TIMEOUT(decisionOn(*later.session.scan(), "axes") == before, patience);
  }

  void cancelledReadingsSaySo() {
    const QTemporaryDir folder;
    Workbench bench;
    openAndWait(bench, smallScan(folder));
    trigger(bench.window, "action-readings");
    auto* dialog = shown<ReadingsDialog>(bench.window);
    bench.session.jobs().cancelAll();
    QVERIFY(dialog->status()->text().contains(QStringLiteral("Cancelled")));
  }

  void imagesAreSavedInEveryFormatOfTheDialog() {
    const QTemporaryDir folder;
    Workbench bench;
    openAndWait(bench, smallScan(folder));
    trigger(bench.window, "action-save");
    auto* dialog = shown<QFileDialog>(bench.window);
    QVERIFY(dialog);
    const QStringList filters = dialog->nameFilters();
    QVERIFY(filters.size() >= 8);
    dialog->close();
    QSignalSpy saved(&bench.session, &Session::saved);
    const auto image = bench.results().newest()->result->image;
    int number = 0;
    for (const QString& filter : filters) {
      trigger(bench.window, "action-save");
      auto* save = shown<QFileDialog>(bench.window);
      save->selectNameFilter(filter);
      Q_EMIT save->fileSelected(folder.filePath(QStringLiteral("image%1").arg(++number)));
      save->close();
      QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
      QTRY_COMPARE_WITH_TIMEOUT(saved.count(), number, patience);
      const std::filesystem::path file = saved.last().front().toString().toStdString();
      QVERIFY2(std::filesystem::exists(file), file.c_str());
      // ISMRMRD images are read back by engine.scan.image_formats.
      if (filter.contains(QStringLiteral("ISMRMRD"))) continue;
      if (filter.contains(QStringLiteral("icture"))) {
        QVERIFY(!filter.contains(QStringLiteral("folder")) || std::filesystem::is_directory(file));
        continue;
      }
      const Image back = readImage(file, Progress());
      QCOMPARE(back.size, image->size);
      const std::size_t pixel = 16 * 32 + 16;
      const cfloat value = image->data[pixel];
      const float expected = filter.contains(QStringLiteral("phase")) ? std::arg(value) : std::abs(value);
      const float got = filter.contains(QStringLiteral("phase")) || filter.contains(QStringLiteral("magn"))
                            ? back.data[pixel].real()
                            : std::abs(back.data[pixel]);
      QVERIFY2(std::abs(got - expected) < 1e-5F, qPrintable(filter));
    }
  }
};

SPOKELAB_WINDOW_TEST(TestTools)

}  // namespace test_tools

#include "test_tools.moc"
