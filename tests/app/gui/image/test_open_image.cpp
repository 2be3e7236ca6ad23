// Images in files: looked at by themselves with and without a scan, as the reference of a comparison
// on another grid, refused with the reason, never at the cost of what is open.
#include <QAction>
#include <QLabel>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>

#include <cmath>
#include <fstream>
#include <thread>

#include "app/gui/features/banner.h"
#include "app/gui/features/image/open_image_feature.h"
#include "engine/scan/check/resample_image.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/compare/compare_view.h"
#include "widgets/image/image_panel.h"
#include "widgets/image/slice/slice_view.h"

namespace test_open_image {

using namespace spokelab;

namespace {

// A ball of `radius` mm about the origin, with a phase that grows from left to right.
Image ball(const Index3& size, const Vec3& voxel, const Vec3& centre = {0, 0, 0}) {
  constexpr double radius = 60, radiansPerMm = 0.01;
  Image image = nominalImage(size, "ball");
  image.geometry.nominal = false;
  for (std::size_t d = 0; d < 3; ++d) image.geometry.fov[d] = voxel[d] * double(size[d]);
  image.geometry.slicePositions = {centre};
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x) {
        const Vec3 mm{centre[0] + double(x - size[0] / 2) * voxel[0],
                      centre[1] + double(y - size[1] / 2) * voxel[1],
                      centre[2] + double(z - size[2] / 2) * voxel[2]};
        const double distance = std::hypot(mm[0], mm[1], mm[2]);
        image.data.push_back(
            std::polar(float(std::max(0.0, 1 - distance / radius)), float(radiansPerMm * mm[0])));
      }
  return image;
}

QString written(const QTemporaryDir& folder, const char* name, const Image& image) {
  const QString file = folder.filePath(QString::fromUtf8(name));
  writeImage(image, file.toStdString(), {}, {});
  return file;
}

QString failureAfter(Workbench& bench, const std::function<void()>& act) {
  QSignalSpy failed(&bench.session, &Session::failed);
  act();
  if (failed.isEmpty() && !failed.wait(patience)) return {};
  return bench.window.views().banner->text();
}

// Makes way for what the user waits for, as every sweep does.
JobQueue::Delivery sweepWithoutEnd(const JobContext& context) {
  while (true) {
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    context.progress.checkpoint();
    context.seen({});
  }
}

}  // namespace

class TestOpenImage : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void anImageIsSeenWithoutAScan_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"ball.nii.gz", "ball.h5"}) QTest::newRow(name) << QString::fromUtf8(name);
  }
  void anImageIsSeenWithoutAScan() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    const Image made = ball({40, 36, 20}, {4, 4, 5});
    Workbench bench;
    drop(bench.window, written(folder, name.toUtf8().constData(), made));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    ImagePanel& panel = *bench.window.views().image;
    const auto seen = panel.image();
    QVERIFY(seen && !bench.session.scan());
    QCOMPARE(seen->size, made.size);
    QVERIFY(!seen->geometry.nominal && std::abs(seen->geometry.voxel()[2] - 5) < 1e-4);
    QCOMPARE(titleOf(*bench.session.shown()), name);
    panel.setMode(DisplayMode::phase);
    QVERIFY(std::abs(std::arg(seen->data[std::size_t((10 * 36 + 18) * 40 + 30)]) - 0.4) < 1e-3);
    QVERIFY(bench.window.features().results->saveAction()->isEnabled());
    if (name == QStringLiteral("ball.nii.gz")) keepPicture(bench.window, "image-alone");
  }

  void aScanAndItsResultsStayBesideAnImage() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const auto scan = bench.session.scan();
    bench.window.open(written(folder, "ball.nii", ball({20, 20, 10}, {8, 8, 10})));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QCOMPARE(bench.session.scan(), scan);
    QCOMPARE(bench.window.views().image->image()->size, (Index3{20, 20, 10}));
    bench.session.choose(1);
    QCOMPARE(bench.window.views().image->image(), bench.results().find(1)->result->image);
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 3, patience);
  }

  void anImageOnAnotherGridIsComparedInThePatient() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(written(folder, "fine.nii.gz", ball({64, 64, 32}, {2.5, 2.5, 5})));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    bench.window.features().compare->openReference(
        written(folder, "coarse.nii.gz", ball({30, 34, 24}, {5, 5, 6}, {3, -4, 2})));
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().comparing(), patience);
    CompareView& view = *bench.window.views().comparison;
    QTRY_VERIFY_WITH_TIMEOUT(view.difference(), patience);
    const Image& shown = *bench.results().find(1)->result->image;
    const auto laid = view.view(CompareView::referenceSide)->image();
    QCOMPARE(laid->size, shown.size);
    QCOMPARE(view.view(CompareView::referenceSide)->cursorIndex(),
             view.view(CompareView::shownSide)->cursorIndex());                // though it came later
    QVERIFY2(view.nrmse() < 0.03, qPrintable(QString::number(view.nrmse())));  // linear interpolation's
    const QString details = view.findChild<QLabel*>(QStringLiteral("detailsReference"))->text();
    QVERIFY2(details.contains(QStringLiteral("resampled (linear) from 30 x 34 x 24")), qPrintable(details));
    QCOMPARE(bench.window.views().image->reference(), laid);  // for the difference in the slices, too
    // The result itself keeps its pixels.
    QCOMPARE(bench.results().find(2)->result->image->size, (Index3{30, 34, 24}));
    keepPicture(bench.window, "image-resampled");
    // Swapped, the fine one is laid onto the coarse grid.
    Q_EMIT view.pairChosen(2, 1);
    QTRY_VERIFY_WITH_TIMEOUT(view.difference() && view.difference()->size == (Index3{30, 34, 24}), patience);
    QVERIFY(view.nrmse() < 0.03);
  }

  void whileComparingAnOpenedImageIsTheReference() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(written(folder, "a.nii.gz", ball({16, 16, 8}, {10, 10, 10})));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    bench.window.open(written(folder, "b.nii.gz", ball({16, 16, 8}, {10, 10, 10})));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    bench.window.features().compare->setComparing(true);
    QVERIFY(bench.window.views().comparing());
    bench.window.open(written(folder, "c.nii.gz", ball({16, 16, 8}, {10, 10, 10})));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 3, patience);
    QCOMPARE(bench.results().shown(), 2);
    QCOMPARE(bench.results().reference(), 3);
  }

  void whatDoesNotOverlapIsRefusedAndNothingIsLost() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(written(folder, "here.nii.gz", ball({16, 16, 8}, {10, 10, 10})));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    const QString away = written(folder, "away.nii.gz", ball({16, 16, 8}, {10, 10, 10}, {0, 0, 900}));
    QString told = failureAfter(bench, [&] { bench.window.features().compare->openReference(away); });
    QVERIFY2(told.contains(QStringLiteral("do not overlap")), qPrintable(told));
    QCOMPARE(bench.results().rowCount(), 1);
    QCOMPARE(bench.results().shown(), 1);
    // By itself it can be seen; the menu of results refuses to compare it.
    bench.window.open(away);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    QCOMPARE(bench.results().reference(), 0);  // nothing is said where nobody asked
    told = failureAfter(bench, [&] { bench.session.setReference(1, true); });
    QVERIFY2(told.contains(QStringLiteral("do not overlap")), qPrintable(told));
    QVERIFY(!bench.window.features().compare->action()->isEnabled());
  }

  void damagedAndVanishedFilesLeaveAllAsItWas_data() {
    QTest::addColumn<QString>("name");
    QTest::addColumn<QString>("words");
    QTest::newRow("cut off") << "cut.nii"
                             << "promises";
    QTest::newRow("cut off, compressed") << "cut.nii.gz"
                                         << "compression is damaged";
    QTest::newRow("no number of axes") << "axes.nii"
                                       << "number of axes";
    QTest::newRow("gone") << "gone.nii"
                          << "no such file";
  }
  void damagedAndVanishedFilesLeaveAllAsItWas() {
    QFETCH(QString, name);
    QFETCH(QString, words);
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const auto scan = bench.session.scan();
    const auto image = bench.window.views().image->image();
    const QString file = written(folder, name.toUtf8().constData(), ball({32, 32, 16}, {5, 5, 5}));
    QFile raw(file);
    if (name.startsWith(QStringLiteral("cut"))) QVERIFY(raw.resize(raw.size() / 2));
    if (name.startsWith(QStringLiteral("gone"))) QVERIFY(raw.remove());
    if (name.startsWith(QStringLiteral("axes"))) {
      QVERIFY(raw.open(QIODevice::ReadWrite) && raw.seek(40) && raw.write("\x63\x00", 2) == 2);
      raw.close();
    }
    const QString told = failureAfter(bench, [&] { bench.window.open(file); });
    QVERIFY2(told.contains(words), qPrintable(told));
    QVERIFY(told.contains(name));
    QCOMPARE(bench.session.scan(), scan);
    QCOMPARE(bench.window.views().image->image(), image);
    QCOMPARE(bench.results().rowCount(), 1);
  }

  void anArrayIsAskedAbout() {
    const QTemporaryDir folder;
    Workbench bench;
    bench.window.open(written(folder, "picture.npy", ball({24, 24, 1}, {5, 5, 5})));
    const auto box = [&] { return bench.window.findChild<QMessageBox*>(QStringLiteral("array-or-image")); };
    QTRY_VERIFY_WITH_TIMEOUT(box() && box()->isVisible(), patience);
    QVERIFY(box()->text().contains(QStringLiteral("trajectory")));
    QCOMPARE(bench.results().rowCount(), 0);
    for (QAbstractButton* button : box()->buttons())
      if (box()->buttonRole(button) == QMessageBox::AcceptRole) button->click();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QCOMPARE(bench.window.views().image->image()->size, (Index3{24, 24, 1}));
  }

  void jobsGoOnUntilAScanTakesTheScansPlace_data() {
    QTest::addColumn<QString>("name");
    for (const char* name : {"ball.h5", "ball.npy", "ball.cfl"})
      QTest::newRow(name) << QString::fromUtf8(name);
  }
  void jobsGoOnUntilAScanTakesTheScansPlace() {
    QFETCH(QString, name);
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const auto scan = bench.session.scan();
    JobQueue& jobs = bench.session.jobs();
    const int sweep = jobs.submit(JobKind::sweep, QStringLiteral("endless"), sweepWithoutEnd);
    QSignalSpy told(&jobs, &JobQueue::jobChanged);
    const auto cancelled = [&] {
      return std::any_of(told.begin(), told.end(), [&](const QList<QVariant>& change) {
        const auto state = change.front().value<JobState>();
        return state.id == sweep && state.status == JobStatus::cancelled;
      });
    };
    bench.window.open(written(folder, name.toUtf8().constData(), ball({24, 24, 4}, {5, 5, 5})));
    const auto box = [&] { return bench.window.findChild<QMessageBox*>(QStringLiteral("array-or-image")); };
    QTRY_VERIFY_WITH_TIMEOUT(box() || bench.results().rowCount() == 2, patience);
    QVERIFY(!cancelled() && jobs.busy(JobKind::sweep));
    QCOMPARE(bench.session.scan(), scan);
    bench.window.open(smallScan(folder));
    QTRY_VERIFY_WITH_TIMEOUT(bench.session.scan() != scan, patience);
    QVERIFY(cancelled());
  }

  void aSessionOfImagesAloneComesBack() {
    const QTemporaryDir folder;
    const QString file = folder.filePath(QStringLiteral("images.spokelab"));
    {
      Workbench bench;
      bench.window.open(written(folder, "ball.nii.gz", ball({16, 16, 8}, {10, 10, 10})));
      QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
      QSignalSpy saved(bench.window.features().workspace, &Workspace::saved);
      bench.window.features().workspace->saveTo(file);
      QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    }
    Workbench bench;
    bench.window.open(file);
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 1, patience);
    QCOMPARE(titleOf(*bench.session.shown()), QStringLiteral("ball.nii.gz"));
    QCOMPARE(bench.window.views().image->image()->size, (Index3{16, 16, 8}));
  }
};

SPOKELAB_WINDOW_TEST(TestOpenImage)

}  // namespace test_open_image

#include "test_open_image.moc"
