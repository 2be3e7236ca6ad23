// Files that cannot be read and places that cannot be written: a clear error, a window that works,
// the last result kept, nothing left half written.
#include <QDir>
#include <QFile>
#include <QSignalSpy>

#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <limits>

#include "app/gui/features/banner.h"
#include "tests/app/gui/workbench.h"
#include "widgets/image/image_panel.h"
#include "widgets/recon/jobs/job_list.h"
#include "widgets/recon/jobs/log_view.h"

using namespace spokelab;

namespace {

constexpr uid_t nobody = 65534;

QByteArray contents(const QString& file) {
  QFile from(file);
  return from.open(QIODevice::ReadOnly) ? from.readAll() : QByteArray();
}

QString writeBytes(const QString& file, const QByteArray& bytes) {
  QFile to(file);
  return to.open(QIODevice::WriteOnly) && to.write(bytes) == bytes.size() ? file : QString();
}

// A sound file in which one sample has become not-a-number.
QString scanWithNan(const QTemporaryDir& folder) {
  SimulateOptions options;
  options.trajectory.matrix = {32, 32, 1};
  Scan scan = *simulate(options, {});
  constexpr float marker = 12345.678F, bad = std::numeric_limits<float>::quiet_NaN();
  scan.samples[0][100] = {marker, 0};
  const QString file = folder.filePath(QStringLiteral("nan.h5"));
  writeScan(scan, file.toStdString(), {});
  QByteArray bytes = contents(file);
  const qsizetype at = bytes.indexOf(QByteArray(reinterpret_cast<const char*>(&marker), sizeof marker));
  if (at < 0) return {};
  std::memcpy(bytes.data() + at, &bad, sizeof bad);
  return writeBytes(file, bytes);
}

// Files may not grow beyond `bytes` while this lives: writing then fails as on a full disk.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) {
    old_ = std::signal(SIGXFSZ, SIG_IGN);
    getrlimit(RLIMIT_FSIZE, &before_);
    rlimit small = before_;
    small.rlim_cur = bytes;
    setrlimit(RLIMIT_FSIZE, &small);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, old_);
  }

 private:
  rlimit before_{};
  void (*old_)(int) = nullptr;
};

// Root may do everything: for as long as this lives the process is an ordinary user.
class OrdinaryUser {
 public:
  OrdinaryUser() {
    if (geteuid() == 0) changed_ = seteuid(nobody) == 0;
  }
  ~OrdinaryUser() {
    if (changed_ && seteuid(0) != 0) std::abort();
  }

 private:
  bool changed_ = false;
};

QStringList filesIn(const QString& folder) {
  return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

}  // namespace

class TestBadInput : public QObject {
  Q_OBJECT

  QTemporaryDir folder_;

  // The banner and the log tell; scan, image and results are those of before; the window still
  // works.
  void verifyStays(Workbench& bench, const std::function<void()>& misdeed, const QStringList& words) {
    const auto image = bench.window.views().image->image();
    const auto scan = bench.session.scan();
    const int results = bench.results().rowCount();
    QVERIFY(image);
    bench.window.views().banner->hide();
    misdeed();
    QTRY_VERIFY_WITH_TIMEOUT(bench.window.views().banner->isVisible(), patience);
    const QString text = bench.window.views().banner->text();
    qInfo("%s", qPrintable(text));
    QVERIFY2(text.count(QLatin1Char('.')) >= 2, qPrintable(text));  // what, why (and what to do)
    for (const QString& word : words) QVERIFY2(text.contains(word, Qt::CaseInsensitive), qPrintable(text));
    QVERIFY(bench.window.views().log->toPlainText().contains(text.left(20)));
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QCOMPARE(bench.window.views().image->image(), image);
    QCOMPARE(bench.session.scan(), scan);
    QCOMPARE(bench.results().rowCount(), results);
    bench.window.features().reconstruct->run();
    QTRY_COMPARE_WITH_TIMEOUT(bench.results().rowCount(), results + 1, patience);
    QVERIFY(!bench.window.views().banner->isVisible());
  }

 private Q_SLOTS:
  void whatCannotBeRead_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QStringList>("words");
    QVERIFY(folder_.isValid());
    const QByteArray sound = contents(smallScan(folder_));
    QVERIFY(sound.size() > 10000);
    const auto add = [&](const char* name, const QString& file, const QStringList& words) {
      QVERIFY(!file.isEmpty());
      QTest::newRow(name) << file << words;
    };
    const auto write = [&](const char* name, const QByteArray& bytes) {
      return writeBytes(folder_.filePath(QString::fromUtf8(name)), bytes);
    };
    add("half a file", write("half.h5", sound.left(sound.size() / 2)), {QStringLiteral("half.h5")});
    add("all but the end", write("almost.h5", sound.left(sound.size() - 64)), {QStringLiteral("almost.h5")});
    add("an empty file", write("empty.h5", {}), {QStringLiteral("empty.h5"), QStringLiteral("empty")});
    add("a directory", folder_.path(), {QStringLiteral("folder")});
    add("not-a-number", scanWithNan(folder_), {QStringLiteral("nan.h5"), QStringLiteral("finite")});
    const QString closed = write("closed.h5", sound);
    QVERIFY(QFile::setPermissions(closed, QFileDevice::Permissions()));
    add("no permission", closed, {QStringLiteral("closed.h5"), QStringLiteral("permission")});
  }

  void whatCannotBeRead() {
    QFETCH(QString, file);
    QFETCH(QStringList, words);
    QTemporaryDir other;
    Workbench bench;
    bench.window.open(smallScan(other));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    // Readable by the ordinary user, but for the file itself.
    using std::filesystem::perms;
    for (const QString& path : {folder_.path(), other.path()})
      std::filesystem::permissions(path.toStdString(), perms::all);
    const OrdinaryUser user;
    verifyStays(
        bench, [&] { drop(bench.window, file); }, words);
  }

  void aFullDiskLeavesNoFile() {
    QTemporaryDir place;
    Workbench bench;
    bench.window.open(smallScan(place));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    const QStringList before = filesIn(place.path());
    constexpr rlim_t room = 512;  // bytes
    for (const char* name : {"image.nii.gz", "image.npy", "image.png"}) {
      const QString file = place.filePath(QString::fromUtf8(name));
      verifyStays(bench,
                  [&] {
                    const FullDisk disk(room);
                    bench.window.features().results->saveImage(*bench.results().newest(), file.toStdString());
                    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
                  },
                  {QString::fromUtf8(name)});
      QCOMPARE(filesIn(place.path()), before);
    }
    verifyStays(bench,
                [&] {
                  const FullDisk disk(room);
                  QSignalSpy failed(&bench.session, &Session::failed);
                  bench.window.features().report->write(*bench.results().newest(),
                                                        (place.path() + "/report").toStdString());
                  QTRY_COMPARE_WITH_TIMEOUT(failed.count(), 1, patience);
                },
                {});
    QCOMPARE(filesIn(place.path()), before);
  }

  void aFolderThatMayNotBeWrittenLeavesNoFile() {
    QTemporaryDir place;
    Workbench bench;
    bench.window.open(smallScan(place));
    QTRY_VERIFY_WITH_TIMEOUT(
        bench.window.views().image->image() && !bench.window.views().image->showsPreview(), patience);
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    const QStringList before = filesIn(place.path());
    using std::filesystem::perms;
    constexpr perms closed = perms::owner_read | perms::owner_exec | perms::group_read | perms::group_exec |
                             perms::others_read | perms::others_exec;
    std::filesystem::permissions(place.path().toStdString(), closed);
    {
      const OrdinaryUser user;
      verifyStays(bench,
                  [&] {
                    bench.window.features().results->saveImage(
                        *bench.results().newest(), place.filePath(QStringLiteral("x.nii.gz")).toStdString());
                  },
                  {QStringLiteral("permission")});
    }
    QCOMPARE(filesIn(place.path()), before);
    std::filesystem::permissions(place.path().toStdString(), perms::owner_all);
  }
};

SPOKELAB_WINDOW_TEST(TestBadInput)
#include "engine/scan/formats/acquisitions/write_scan.h"
#include "test_bad_input.moc"
