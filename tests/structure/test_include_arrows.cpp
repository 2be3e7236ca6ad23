// The tree keeps the directions that README.md's map promises; and the check itself finds what
// breaks them.
#include <QTemporaryDir>
#include <QtTest>
#include <filesystem>
#include <fstream>

#include "tests/structure/include_arrows.h"
#include "tests/structure/planted.h"
#include "tests/test_main.h"

namespace test_include_arrows {

using namespace spokelab::structure;
namespace fs = std::filesystem;

namespace {

void write(const fs::path& path, const std::string& text) {
  fs::create_directories(path.parent_path());
  std::ofstream(path) << text;
}

}  // namespace

class TestIncludeArrows : public QObject {
  Q_OBJECT

 private slots:
  void theTreeKeepsItsArrows() {
    const auto sources = readSources(SPOKELAB_SOURCE_DIR);
    QVERIFY2(!sources.empty(), "no sources were read");
    const auto violations = checkIncludes(SPOKELAB_SOURCE_DIR, sources);
    QVERIFY2(violations.empty(), qPrintable(joined(violations)));
  }

  void theTopLevelHoldsWhatItShould() {
    const auto problems = checkTopLevel(SPOKELAB_SOURCE_DIR);
    QVERIFY2(problems.empty(), qPrintable(joined(problems)));
  }

  void aPlantedIncludeIsJudged_data() {
    QTest::addColumn<QString>("file");
    QTest::addColumn<QString>("include");
    QTest::addColumn<bool>("allowed");
    const auto row = [](const char* file, const char* include, bool allowed) {
      QTest::addRow("%s: %s", file, include) << file << include << allowed;
    };
    const bool yes = true, no = false;
    row("engine/core/a.h", "\"engine/core/b.h\"", yes);
    row("engine/core/a.h", "<vector>", yes);
    row("engine/core/a.h", "\"engine/nufft/b.h\"", no);
    row("engine/core/a.h", "<QString>", no);
    row("engine/core/a.h", "<QtCore/QString>", no);
    row("engine/core/a.h", "<vtkSmartPointer.h>", no);
    row("engine/core/a.h", "<cuda_runtime.h>", no);
    row("engine/core/a.h", "\"b.h\"", no);
    row("engine/core/a.h", "\"../nufft/b.h\"", no);
    row("engine/core/a.h", "\"engine/core/absent.h\"", no);
    row("engine/scan/a.cpp", "\"engine/core/b.h\"", yes);
    row("engine/scan/a.cpp", "<ismrmrd/dataset.h>", yes);
    row("engine/scan/a.cpp", "\"engine/nufft/b.h\"", no);
    row("engine/nufft/a.cpp", "<fftw3.h>", yes);
    row("engine/nufft/a.cpp", "\"engine/scan/b.h\"", no);
    row("engine/nufft/a.cpp", "\"cuda/b.h\"", no);
    row("engine/recon/a.cpp", "\"engine/scan/b.h\"", yes);
    row("engine/recon/a.cpp", "\"engine/nufft/b.h\"", yes);
    row("engine/recon/a.cpp", "\"engine/profile/b.h\"", no);
    row("engine/profile/a.cpp", "\"engine/recon/b.h\"", yes);
    row("engine/profile/a.cpp", "\"app/cli/b.h\"", no);
    row("cuda/nufft/a.cu", "\"engine/nufft/b.h\"", yes);
    row("cuda/nufft/a.cu", "<cufft.h>", yes);
    row("cuda/nufft/a.cu", "\"widgets/image/b.h\"", no);
    row("cuda/nufft/a.cu", "<QObject>", no);
    row("cuda/backend.h", "<cuda_runtime.h>", no);
    row("cuda/backend.h", "\"engine/recon/b.h\"", yes);
    row("widgets/image/a.cpp", "\"engine/recon/b.h\"", yes);
    row("widgets/image/a.cpp", "<QWidget>", yes);
    row("widgets/image/a.cpp", "\"cuda/b.h\"", no);
    row("widgets/image/a.cpp", "\"app/b.h\"", no);
    row("widgets/image/a.cpp", "<hdf5.h>", no);
    row("widgets/image/a.cpp", "<QFile>", no);
    row("app/mpi/a.cpp", "<mpi.h>", yes);
    row("app/mpi/a.cpp", "\"engine/core/b.h\"", yes);
    row("app/mpi/a.cpp", "\"engine/recon/b.h\"", no);
    row("app/mpi/ranks_module.h", "<mpi.h>", no);
    row("engine/core/a.cpp", "<mpi.h>", no);
    row("engine/recon/a.cpp", "\"app/mpi/ranks_module.h\"", no);
    row("app/cli/a.cpp", "<mpi.h>", no);
    row("app/cli/a.cpp", "\"app/mpi/ranks_module.h\"", yes);
    row("widgets/a.cpp", "\"app/mpi/ranks_module.h\"", no);
    row("app/cli/a.cpp", "\"cuda/backend.h\"", yes);
    row("app/cli/a.cpp", "\"cuda/b.h\"", no);
    row("app/cli/a.cpp", "<QString>", no);
    row("app/cli/a.cpp", "\"app/gui/b.h\"", no);
    row("app/gui/a.cpp", "\"widgets/image/b.h\"", yes);
    row("app/gui/a.cpp", "\"app/cli/b.h\"", yes);
    row("app/gui/a.cpp", "<cuda_runtime.h>", no);
  }

  void aPlantedIncludeIsJudged() {
    QFETCH(QString, file);
    QFETCH(QString, include);
    QFETCH(bool, allowed);
    QTemporaryDir temporary;
    const fs::path root = temporary.path().toStdString();
    for (const char* header : {"engine/core/b.h", "engine/scan/b.h", "engine/nufft/b.h", "engine/recon/b.h",
                               "engine/profile/b.h", "cuda/b.h", "cuda/backend.h", "app/mpi/ranks_module.h",
                               "widgets/image/b.h", "app/b.h", "app/cli/b.h", "app/gui/b.h"})
      write(root / header, "#pragma once\n");
    write(root / file.toStdString(), "// first line\n  #  include " + include.toStdString() + "  // why\n");
    const auto sources = readSources(root);
    std::size_t includes = 0;
    for (const Source& source : sources) includes += source.includes.size();
    QCOMPARE(includes, std::size_t(1));
    const auto violations = checkIncludes(root, sources);
    QVERIFY2(violations.empty() == allowed, qPrintable(joined(violations)));
  }

  void aStrayOrMissingTopLevelEntryIsNamed() {
    QTemporaryDir temporary;
    const fs::path root = temporary.path().toStdString();
    for (const char* folder :
         {"app", "engine", "cuda", "widgets", "resources", "tests", "packaging", "build"})
      fs::create_directories(root / folder);
    for (const char* file :
         {"CMakeLists.txt", "CMakePresets.json", "LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml"})
      write(root / file, "");
    write(root / ".gitignore", "/build/\n");
    QVERIFY2(checkTopLevel(root).empty(), qPrintable(joined(checkTopLevel(root))));
    write(root / "notes.txt", "");
    fs::remove(root / "LICENSE");
    QCOMPARE(joined(checkTopLevel(root)),
             QString("LICENSE is missing\nnotes.txt does not belong at the top level"));
  }
};

SPOKELAB_TEST(TestIncludeArrows)

}  // namespace test_include_arrows

#include "test_include_arrows.moc"
