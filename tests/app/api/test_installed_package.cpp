// A program of somebody else finds the installed library, by CMake and by pkg-config, and runs.
#include <QDir>
#include <QProcess>
#include <QProcessEnvironment>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "tests/test_main.h"

namespace test_installed_package {

namespace {

constexpr int patience = 200'000;  // ms

}  // namespace

class TestInstalledPackage : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString prefix_ = folder_.filePath(QStringLiteral("installed"));
  QString examples_ = QStringLiteral(SPOKELAB_SOURCE_DIR "/app/api/examples");
  QString output_, program_;  // of the last run; an example that CMake built

  bool run(const QString& program, const QStringList& arguments) {
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LD_LIBRARY_PATH"), library());
    environment.insert(QStringLiteral("PKG_CONFIG_PATH"), library() + QStringLiteral("/pkgconfig"));
    environment.insert(QStringLiteral("SPOKELAB_WISDOM"), folder_.filePath(QStringLiteral("wisdom.json")));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder_.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    const bool ended = process.waitForFinished(patience);
    output_ = QString::fromUtf8(process.readAll());
    return ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
  }
  QString library() const {
    for (const QString& place : {QStringLiteral("/lib/x86_64-linux-gnu"), QStringLiteral("/lib64"),
                                 QStringLiteral("/lib/aarch64-linux-gnu"), QStringLiteral("/lib")})
      if (QFileInfo::exists(prefix_ + place + QStringLiteral("/libspokelab.so"))) return prefix_ + place;
    return {};
  }

 private Q_SLOTS:
  void initTestCase() {
    if (QString::fromLatin1(SPOKELAB_SANITIZERS).size() > 0)
      QSKIP("programs without the sanitizers cannot load a library with them");
    for (const char* part : {"library", "development"})
      QVERIFY2(run(QStringLiteral("cmake"), {QStringLiteral("--install"), QStringLiteral(SPOKELAB_BINARY_DIR),
                                             QStringLiteral("--prefix"), prefix_,
                                             QStringLiteral("--component"), QString::fromLatin1(part)}),
               qPrintable(output_));
    QVERIFY(!library().isEmpty());
  }

  void foundByCMake() {
    const QString build = folder_.filePath(QStringLiteral("build"));
    QVERIFY2(run(QStringLiteral("cmake"), {QStringLiteral("-S"), examples_, QStringLiteral("-B"), build,
                                           QStringLiteral("-DCMAKE_PREFIX_PATH=") + prefix_}),
             qPrintable(output_));
    QVERIFY2(run(QStringLiteral("cmake"), {QStringLiteral("--build"), build}), qPrintable(output_));
    QVERIFY2(run(build + QStringLiteral("/nufft"), {}), qPrintable(output_));
    QVERIFY2(output_.contains(QLatin1String("of 51200 samples")), qPrintable(output_));
    QVERIFY2(run(build + QStringLiteral("/adjoint"), {}), qPrintable(output_));
    program_ = build + QStringLiteral("/nufft");
    const QString image = folder_.filePath(QStringLiteral("image.npy"));
    QVERIFY2(run(build + QStringLiteral("/reconstruct"),
                 {QStringLiteral("demo"), image, QStringLiteral("accuracy=1e-2")}),
             qPrintable(output_));
    QVERIFY(QFileInfo::exists(image));
    QVERIFY(!run(build + QStringLiteral("/reconstruct"), {QStringLiteral("missing.h5"), image}));
    QVERIFY2(output_.contains(QLatin1String("missing.h5")), qPrintable(output_));
  }

  // Memory that nobody may touch, and that nobody gives back; threads' own is "possibly lost".
  void valgrindFindsNothing() {
    const QString valgrind = QStandardPaths::findExecutable(QStringLiteral("valgrind"));
    if (valgrind.isEmpty()) QSKIP("valgrind is not installed");
    QVERIFY(!program_.isEmpty());
    QVERIFY2(run(valgrind,
                 {QStringLiteral("--quiet"), QStringLiteral("--error-exitcode=9"),
                  QStringLiteral("--leak-check=full"), QStringLiteral("--errors-for-leak-kinds=definite"),
                  QStringLiteral("--show-leak-kinds=definite"), program_}),
             qPrintable(output_));
    QVERIFY2(output_.contains(QLatin1String("of 51200 samples")), qPrintable(output_));
  }

  void foundByPkgConfig() {
    const QString pkgConfig = QStandardPaths::findExecutable(QStringLiteral("pkg-config"));
    if (pkgConfig.isEmpty()) QSKIP("pkg-config is not installed");
    QVERIFY2(
        run(pkgConfig, {QStringLiteral("--cflags"), QStringLiteral("--libs"), QStringLiteral("spokelab")}),
        qPrintable(output_));
    QStringList arguments{QStringLiteral("-std=c99"), examples_ + QStringLiteral("/nufft.c"),
                          QStringLiteral("-o"), folder_.filePath(QStringLiteral("nufft"))};
    arguments += output_.split(QRegularExpression(QStringLiteral("\\s+")), Qt::SkipEmptyParts);
    arguments += QStringLiteral("-lm");
    QVERIFY2(run(QStringLiteral("cc"), arguments), qPrintable(output_));
    QVERIFY2(run(folder_.filePath(QStringLiteral("nufft")), {}), qPrintable(output_));
  }
};

SPOKELAB_CORE_TEST(TestInstalledPackage)

}  // namespace test_installed_package

#include "test_installed_package.moc"
