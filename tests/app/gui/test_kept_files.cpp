// The window writes over nothing that was opened in it (scans, their arrays, references), and over no raw
// data.
#include <QFile>
#include <QSignalSpy>

#include "app/gui/features/recon/forward_feature.h"
#include "engine/core/atomic_file.h"
#include "engine/core/document.h"
#include "engine/scan/formats/images/write_image.h"
#include "tests/app/gui/workbench.h"

namespace test_kept_files {

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

  void rawDataStay() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    QByteArray raw =
        QByteArray::fromStdString(readDocument(folder.filePath(QStringLiteral("small.h5")).toStdString()));
    const std::string own = folder.filePath(QStringLiteral("own.h5")).toStdString();
    writeFileAtomically(own, raw.toStdString());
    QCOMPARE(raw.count("<systemVendor>Spokelab<"), qsizetype(1));
    raw.replace("<systemVendor>Spokelab<", "<systemVendor>ScanMark<");
    const QString scanner = folder.filePath(QStringLiteral("raw.h5"));
    const std::string link = folder.filePath(QStringLiteral("link.h5")).toStdString();
    writeFileAtomically(scanner.toStdString(), raw.toStdString());
    std::filesystem::create_symlink("raw.h5", link);

    QSignalSpy failures(&bench.session, &Session::failed), saved(&bench.session, &Session::saved);
    const auto refused = [&] {
      QTRY_COMPARE_WITH_TIMEOUT(failures.count(), 1, patience);
      const auto failure = failures.takeFirst().at(0).value<Failure>();
      QVERIFY2(failure.reason.contains(QStringLiteral("holds raw data")), qPrintable(failure.reason));
      QVERIFY(failure.remedy.contains(QStringLiteral("delete it yourself")));
      QVERIFY(readDocument(scanner.toStdString()) == raw.toStdString());
      QVERIFY(std::filesystem::is_symlink(link));
    };
    const Features& features = bench.window.features();
    const HistoryEntry entry = *bench.session.shown();
    const ReconOptions options = bench.window.views().parameters->options();
    for (const std::string& target : {scanner.toStdString(), link}) {
      features.results->saveImage(entry, target, {});
      refused();
      features.scan->save(target);
      refused();
      features.forward->save(entry, options, target);
      refused();
      features.volume->saveSurface(entry.result->image, 0, 1, {0, 1, 0, 1, 0, 1}, target);
      refused();
    }
    features.results->saveImage(entry, own, {});
    refused();
    QCOMPARE(saved.count(), 0);
    const std::string before = readDocument(own);
    features.forward->save(entry, options, own);  // raw data of Spokelab's own are made again
    QTRY_COMPARE_WITH_TIMEOUT(saved.count(), 1, patience);
    QVERIFY(readDocument(own) != before);
  }
};

SPOKELAB_WINDOW_TEST(TestKeptFiles)

}  // namespace test_kept_files

#include "test_kept_files.moc"
