// A session as scripts: what they hold, and that the shell repeats it.
#include <QAction>
#include <QProcess>

#include <fstream>
#include <iterator>

#include "app/gui/document/session_script.h"
#include "tests/app/gui/workbench.h"

namespace test_session_script {

using namespace spokelab;

class TestSessionScript : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void theShellRepeatsTheSession() {
    const QTemporaryDir folder;
    Workbench bench;
    openSmall(bench, folder);
    ReconOptions options = bench.window.views().parameters->options();
    options.nufft.accuracy = 1e-1;
    bench.window.views().parameters->setOptions(options);
    bench.window.features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    SessionScript& script = *bench.window.features().script;
    const QString python = QString::fromStdString(script.python());
    QCOMPARE(python.count(QStringLiteral("spokelab.read_scan(")), 1);  // the scan stayed open
    QCOMPARE(python.count(QStringLiteral("spokelab.reconstruct(")), 2);
    QVERIFY2(
        python.contains(QStringLiteral("accuracy=0.01")) && python.contains(QStringLiteral("accuracy=0.1")),
        qPrintable(python));
    QVERIFY(python.contains(QStringLiteral("image-1.nii.gz")) &&
            python.contains(QStringLiteral("image-2.nii.gz")));
    const QString file = folder.filePath(QStringLiteral("session.sh"));
    script.save(file);
    QTRY_VERIFY_WITH_TIMEOUT(QFile::exists(file) && !bench.session.jobs().busy(), patience);
    QVERIFY(QFileInfo(file).isExecutable());
#ifdef SPOKELAB_CLI
    // The command line alone, under the program's name.
    QVERIFY(QFile::link(QStringLiteral(SPOKELAB_CLI), folder.filePath(QStringLiteral("spokelab"))));
    QProcess process;
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("PATH"),
                       folder.path() + QLatin1Char(':') + qEnvironmentVariable("PATH"));
    environment.insert(QStringLiteral("SPOKELAB_WISDOM"), folder.filePath(QStringLiteral("wisdom.json")));
    process.setProcessEnvironment(environment);
    process.setWorkingDirectory(folder.path());
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(file, QStringList());
    QVERIFY(process.waitForFinished(patience));
    QVERIFY2(process.exitCode() == 0, process.readAll().constData());
    for (const char* image : {"image-1.nii.gz", "image-2.nii.gz"})
      QVERIFY(QFile::exists(folder.filePath(QString::fromUtf8(image))));
#endif
  }

  // Without being asked to, and up to date.
  void eachSessionIsKeptAsScripts() {
    const QTemporaryDir folder;
    const std::filesystem::path scripts = folder.filePath(QStringLiteral("scripts")).toStdString();
    std::filesystem::create_directories(scripts);
    for (int old = 0; old < 150; ++old)
      std::ofstream(scripts / ("session-20200101-" + std::to_string(100000 + old) + ".sh")) << "#\n";
    std::ofstream(scripts / "mine.sh") << "#\n";
    Workbench bench;
    SessionScript& script = *bench.window.features().script;
    QVERIFY(!script.folderAction()->isEnabled());
    script.keepIn(scripts);
    QVERIFY(script.folderAction()->isEnabled() && script.keptShell().empty());
    openSmall(bench, folder);
    const auto content = [](const std::filesystem::path& file) {
      std::ifstream in(file);
      return std::string(std::istreambuf_iterator<char>(in), {});
    };
    const std::filesystem::path shell = script.keptShell();
    std::filesystem::path python = shell;
    python.replace_extension(".py");
    QTRY_COMPARE_WITH_TIMEOUT(content(shell), script.shell(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(content(python), script.python(), patience);
    QVERIFY(QFileInfo(QString::fromStdString(shell.string())).isExecutable());
    bench.window.features().reconstruct->run();
    QTRY_VERIFY_WITH_TIMEOUT(bench.results().rowCount() == 2 && !bench.session.jobs().busy(), patience);
    QTRY_COMPARE_WITH_TIMEOUT(content(shell), script.shell(), patience);
    QCOMPARE(script.keptShell(), shell);
    QVERIFY(std::filesystem::exists(scripts / "mine.sh"));
    QVERIFY(!std::filesystem::exists(scripts / "session-20200101-100000.sh"));
    QVERIFY(std::filesystem::exists(scripts / "session-20200101-100149.sh"));
  }

  void whatWasCancelledIsNotRepeated() {
    Workbench bench;
    bench.window.open(QStringLiteral("demo"));
    bench.session.jobs().cancelAll();
    QTRY_VERIFY_WITH_TIMEOUT(!bench.session.jobs().busy(), patience);
    QVERIFY(bench.window.features().script->shell().find("reconstruct") == std::string::npos);
  }
};

SPOKELAB_WINDOW_TEST(TestSessionScript)

}  // namespace test_session_script

#include "test_session_script.moc"
