// Every command of the developers' table of the papers runs, at small size.
#include <QtTest>

#include <fstream>
#include <set>

#include "engine/profile/study/study.h"
#include "engine/scan/formats/arrays/array_file.h"
#include "tests/app/cli/run_cli.h"
#include "tests/test_main.h"

namespace test_papers_page {

using namespace spokelab;
using namespace spokelab::test;

namespace {

// The last but one column of each row of the table.
std::set<std::string> commands() {
  std::ifstream file(SPOKELAB_SOURCE_DIR "/resources/developer/papers.md");
  std::set<std::string> found;
  for (std::string line; std::getline(file, line);) {
    const QStringList columns = QString::fromStdString(line).split(QStringLiteral(" | "));
    constexpr int wanted = 6;
    if (columns.size() != wanted || !columns[wanted - 2].startsWith(QLatin1Char('`'))) continue;
    found.insert(columns[wanted - 2].chopped(1).mid(1).toStdString());
  }
  return found;
}

}  // namespace

class TestPapersPage : public QObject {
  Q_OBJECT
  QTemporaryDir folder_;

  template <class T>
  void write(const char* name, const char* type, const std::vector<std::int64_t>& shape,
             const std::vector<T>& values) {
    QFile file(folder_.filePath(QLatin1String(name)));
    QVERIFY(file.open(QIODevice::WriteOnly));
    const std::string header = npyHeaderText(type, shape);
    file.write(header.data(), qint64(header.size()));
    file.write(reinterpret_cast<const char*>(values.data()), qint64(values.size() * sizeof(T)));
  }

 private Q_SLOTS:
  void initTestCase() {
    const auto made = runCli(folder_.path(), {"simulate", "-o", "scan.h5", "--matrix", "24"});
    QVERIFY2(made.code == 0, made.err);
    write("image.npy", "<c16", {24, 24}, std::vector<std::complex<double>>(24 * 24, 1));
    write("x.npy", "<f8", {3, 2}, std::vector<double>{0, 0.1, -0.2, 0.3, 0.4, -0.1});
    write("s.npy", "<f8", {2, 2}, std::vector<double>{1, 2, -3, 4});
    write("c.npy", "<c16", {3}, std::vector<std::complex<double>>(3, 1));
    write("p4.npy", "<f8", {2, 4}, std::vector<double>{0, 0.1, -0.2, 0.3, 0.4, -0.1, 0.2, 0.25});
    write("i4.npy", "<c16", {3, 4, 5, 6}, std::vector<std::complex<double>>(360, 1));
    write("t.npy", "<f8", {2}, std::vector<double>{0, 0.001});
  }

  void everyCommandRuns_data() {
    QTest::addColumn<QString>("command");
    for (const std::string& command : commands())
      QTest::newRow(command.c_str()) << QString::fromStdString(command);
  }
  void everyCommandRuns() {
    QFETCH(QString, command);
    QStringList arguments = command.split(QLatin1Char(' '));
    if (arguments.front() == QLatin1String("study")) {
      const QString name = arguments[1];
      arguments << QStringLiteral("--sizes")
                << (name == QLatin1String("entry-slopes") ? QStringLiteral("8,9,10") : QStringLiteral("8"));
      for (const StudyInfo& info : studies()) {
        if (info.name != name.toStdString()) continue;
        if (info.uses.trials) arguments << QStringLiteral("--trials") << QStringLiteral("1");
        if (info.uses.patterns && name != QLatin1String("preprocessing"))
          arguments << QStringLiteral("--patterns") << QStringLiteral("random");
        if (info.uses.threads) arguments << QStringLiteral("--threads") << QStringLiteral("1");
      }
    }
    const auto result = runCli(folder_.path(), arguments);
    QVERIFY2(result.code == 0, result.err);
  }
};

SPOKELAB_CORE_TEST(TestPapersPage)

}  // namespace test_papers_page

#include "test_papers_page.moc"
