// Programs that were compiled with the header as it was released run with today's library: nothing
// of released/spokelab_abi_N.h has changed or gone, N the ABI of today's header. And the library
// exports what its header declares, all of it and nothing else.
#include <QProcess>
#include <QRegularExpression>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

#include "app/api/spokelab.h"
#include "tests/test_main.h"

namespace test_abi {

namespace {

constexpr int patience = 60'000;  // ms

QString textOf(const QString& path) {
  QFile file(path);
  return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.readAll()) : QString();
}

QStringList matchesOf(const QString& text, const char* pattern, int group = 0) {
  QStringList found;
  auto matches = QRegularExpression(QString::fromLatin1(pattern)).globalMatch(text);
  while (matches.hasNext()) found += matches.next().captured(group);
  return found;
}

QStringList functionsOf(const QString& header) {
  return matchesOf(header, R"((?m)^SPOKELAB_API [^;#]*?(spokelab_\w+)\([^;]*;)", 1);
}

// All that a released header says, once more behind today's: what differs does not compile.
QString comparison(const QString& released) {
  QStringList lines{QStringLiteral("#include \"app/api/spokelab.h\"")};
  lines += matchesOf(released, R"(typedef struct \w+ \w+;)");
  lines += matchesOf(released, R"(typedef [^;{]*\(\*[^;]*;)");
  lines += matchesOf(released, R"((?m)^SPOKELAB_API [^;#]*;)");
  for (const QString& constant : matchesOf(released, R"(SPOKELAB_[A-Z_]+ = \w+)"))
    lines += QStringLiteral("_Static_assert(") +
             QString(constant).replace(QLatin1String(" = "), QLatin1String(" == ")) +
             QStringLiteral(", \"a constant\");");
  return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

}  // namespace

class TestAbi : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;
  QString released_, output_;

  bool run(const QString& program, const QStringList& arguments) {
    QProcess process;
    process.setProcessChannelMode(QProcess::MergedChannels);
    process.start(program, arguments);
    const bool ended = process.waitForFinished(patience);
    output_ = QString::fromUtf8(process.readAll());
    return ended && process.exitStatus() == QProcess::NormalExit && process.exitCode() == 0;
  }
  QString write(const char* name, const QString& text) const {
    QFile file(folder_.filePath(QString::fromLatin1(name)));
    if (!file.open(QIODevice::WriteOnly)) return {};
    file.write(text.toUtf8());
    return file.fileName();
  }
  bool compiles(const QString& text) {
    return run(QStringLiteral("cc"), {QStringLiteral("-std=c11"), QStringLiteral("-Wall"),
                                      QStringLiteral("-Werror"), QStringLiteral("-fsyntax-only"),
                                      QStringLiteral("-I" SPOKELAB_SOURCE_DIR), write("compared.c", text)});
  }
  // A program that knows nothing but `header` names all its functions, and calls one.
  bool linksAndRuns(const QString& header) {
    const QStringList functions = functionsOf(header);
    const QString program = QStringLiteral(
                                "#include <stdio.h>\n#include \"%1\"\n"
                                "typedef void (*any)(void);\n"
                                "static const any all[] = {(any)%2};\n"
                                "int main(void) {\n"
                                "  for (unsigned i = 0; i < sizeof all / sizeof *all; ++i)\n"
                                "    if (!all[i]) return 2;\n"
                                "  return spokelab_abi() == SPOKELAB_ABI ? 0 : 3;\n}\n")
                                .arg(write("released.h", header), functions.join(QLatin1String(", (any)")));
    const QFileInfo library(QStringLiteral(SPOKELAB_LIBRARY));
    const QString executable = folder_.filePath(QStringLiteral("old"));
    return run(QStringLiteral("cc"),
               {QStringLiteral("-std=c11"), write("old.c", program), QStringLiteral("-o"), executable,
                library.filePath(), QStringLiteral("-Wl,-rpath,") + library.path()}) &&
           run(executable, {});
  }

 private Q_SLOTS:
  void initTestCase() {
    if (QStandardPaths::findExecutable(QStringLiteral("cc")).isEmpty()) QSKIP("cc is not installed");
    released_ = textOf(
        QStringLiteral(SPOKELAB_SOURCE_DIR "/tests/app/api/released/spokelab_abi_%1.h").arg(SPOKELAB_ABI));
    QVERIFY2(!released_.isEmpty(), "a new ABI begins with its header in tests/app/api/released");
    QVERIFY(functionsOf(released_).size() > 60);
  }

  void nothingOfTheReleasedHeaderHasChanged() {
    QVERIFY2(compiles(comparison(released_)), qPrintable(output_));
  }

  // The check itself finds changes.
  void changesAreSeen_data() {
    QTest::addColumn<QString>("before");
    QTest::addColumn<QString>("after");
    QTest::newRow("a parameter's type") << QStringLiteral("int64_t count") << QStringLiteral("int32_t count");
    QTest::newRow("a result's type") << QStringLiteral("int spokelab_abi(void)")
                                     << QStringLiteral("long spokelab_abi(void)");
    QTest::newRow("a constant") << QStringLiteral("SPOKELAB_CANCELLED = 2")
                                << QStringLiteral("SPOKELAB_CANCELLED = 9");
    QTest::newRow("a callback") << QStringLiteral("(*spokelab_progress)(double")
                                << QStringLiteral("(*spokelab_progress)(float");
  }
  void changesAreSeen() {
    QFETCH(QString, before);
    QFETCH(QString, after);
    QVERIFY(released_.contains(before));
    QVERIFY(!compiles(comparison(QString(released_).replace(before, after))));
  }

  void programsOfTheReleasedHeaderRun() {
    if (QString::fromLatin1(SPOKELAB_SANITIZERS).size() > 0)
      QSKIP("programs without the sanitizers cannot load a library with them");
    QVERIFY2(linksAndRuns(released_), qPrintable(output_));
    const QString gone = QStringLiteral(
        "SPOKELAB_API int spokelab_abi(void);\n"
        "SPOKELAB_API int spokelab_that_is_gone(void);\n");
    QVERIFY(!linksAndRuns(
        QString(released_).replace(QLatin1String("SPOKELAB_API int spokelab_abi(void);\n"), gone)));
  }

  void theLibraryExportsItsHeader() {
    if (!run(QStringLiteral("nm"),
             {QStringLiteral("-D"), QStringLiteral("--defined-only"), QStringLiteral(SPOKELAB_LIBRARY)}))
      QSKIP("nm is not installed");
    QStringList exported = matchesOf(output_, R"(\bT (spokelab_\w+))", 1),
                declared = functionsOf(textOf(QStringLiteral(SPOKELAB_SOURCE_DIR "/app/api/spokelab.h")));
    exported.sort();
    declared.sort();
    QCOMPARE(exported, declared);
  }
};

SPOKELAB_CORE_TEST(TestAbi)

}  // namespace test_abi

#include "test_abi.moc"
