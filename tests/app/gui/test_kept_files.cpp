// The window writes over nothing that was opened in it: scans, their arrays, references.
#include <QFile>
#include <QSignalSpy>

#include "engine/core/document.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/workbench.h"

using namespace spokelab;

class TestKeptFiles : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void whatWasOpenedStays() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    const QString scan = folder.filePath(QStringLiteral("small.h5"));
    const std::string link = folder.filePath(QStringLiteral("link.h5")).toStdString();
    std::filesystem::create_symlink("small.h5", link);
    const std::string before = readDocument(scan.toStdString());
    QSignalSpy failures(&bench.session, &Session::failed), saved(&bench.session, &Session::saved);
    const auto refused = [&] {
      QTRY_VERIFY_WITH_TIMEOUT(failures.count() == 1, patience);
      const auto failure = failures.takeFirst().at(0).value<Failure>();
      QVERIFY2(failure.reason.contains(QStringLiteral("read")), qPrintable(failure.reason));
      QVERIFY(failure.remedy.contains(QStringLiteral("another name")));
      QVERIFY(readDocument(scan.toStdString()) == before);
      QVERIFY(std::filesystem::is_symlink(link));
    };
    const Features& features = bench.window.features();
    const HistoryEntry entry = *bench.session.shown();
    features.results->saveImage(entry, scan.toStdString(), {});
    refused();
    features.results->saveImage(entry, link, {});
    refused();
    features.scan->save(scan.toStdString());
    refused();
    QCOMPARE(saved.count(), 0);

    // A reference is kept as well, and an image that is none is replaced.
    const std::string image = folder.filePath(QStringLiteral("image.npy")).toStdString();
    features.results->saveImage(entry, image, {});
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    features.results->saveImage(entry, image, {});
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 2, patience);
    features.compare->openReference(QString::fromStdString(image));
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), 2, patience);
    features.results->saveImage(entry, image, {});
    refused();
    QCOMPARE(saved.count(), 2);
  }
};

SPOKELAB_WINDOW_TEST(TestKeptFiles)
#include "test_kept_files.moc"
