// Runs the command line under mpirun, for each MPI whose launcher and module are here.
#pragma once

#include <QFile>
#include <QFileInfo>
#include <QStandardPaths>
#include <QTest>
#include <vector>

#include "tests/app/cli/run_cli.h"

namespace spokelab::test {

struct MpiLauncher {
  QString name, program;
  QStringList options;
};

// Launchers that are present with their module.
inline std::vector<MpiLauncher> mpiLaunchers() {
  std::vector<MpiLauncher> found;
  const auto add = [&](const QString& name, const QString& module, const QStringList& programs,
                       const QByteArray& version, const QStringList& options) {
    if (!QFile::exists(QFileInfo(SPOKELAB_CLI).path() + "/libspokelab_" + module + ".so")) return;
    for (const QString& program : programs) {
      const QString path = QStandardPaths::findExecutable(program);
      if (path.isEmpty()) continue;
      QProcess process;
      process.start(path, {"--version"});
      if (!process.waitForFinished() || !process.readAllStandardOutput().contains(version)) continue;
      found.push_back({name, path, options});
      return;
    }
  };
  add("Open MPI", "openmpi", {"mpirun.openmpi", "mpirun"}, "Open MPI", {"--oversubscribe"});
  add("MPICH", "mpich", {"mpirun.mpich", "mpirun"}, "HYDRA", {});
  return found;
}

// Rows "launcher"; SKIPs without one.
inline void addLauncherRows() {
  QTest::addColumn<int>("launcher");
  const auto launchers = mpiLaunchers();
  if (launchers.empty()) QSKIP("no MPI: neither Open MPI nor MPICH was found with its module");
  for (std::size_t i = 0; i < launchers.size(); ++i) QTest::newRow(qPrintable(launchers[i].name)) << int(i);
}

inline QProcessEnvironment mpiEnvironment(const QString& folder) {
  QProcessEnvironment environment = cliEnvironment(folder);
  // Containers run tests as root.
  environment.insert("OMPI_ALLOW_RUN_AS_ROOT", "1");
  environment.insert("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
  environment.insert("ASAN_OPTIONS", "detect_leaks=0");  // MPI keeps memory to the end
  return environment;
}

// Each rank writes its process id to pid.RANK in `folder`, goes to the folder CDTO if it is the
// rank CDRANK, has no more than LIMIT kB of memory if it is the rank LIMITRANK, and becomes the
// program. PORTABLERANK takes itself for a processor without vector instructions.
inline QString writeRankScript(const QString& folder) {
  const QString name = folder + "/rank.sh";
  QFile script(name);
  if (!script.open(QIODevice::WriteOnly)) return {};
  script.write(R"(#!/bin/sh
rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
echo $$ > pid.$rank.new && mv pid.$rank.new pid.$rank
[ "$LIMITRANK" != "$rank" ] || ulimit -v "$LIMIT"
[ "$PORTABLERANK" != "$rank" ] || export SPOKELAB_SIMD=portable
case " $CDRANK " in *" $rank "*) cd "$CDTO" ;; esac
exec )" + QByteArray(SPOKELAB_CLI) +
               R"( "$@"
)");
  script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return name;
}

inline QStringList mpiArguments(const MpiLauncher& launcher, int ranks, const QString& program,
                                const QStringList& arguments) {
  return launcher.options + QStringList{"-n", QString::number(ranks), program} + arguments;
}

inline CliResult runMpi(const MpiLauncher& launcher, int ranks, const QString& folder,
                        const QStringList& arguments, const QProcessEnvironment& environment,
                        const QString& program = SPOKELAB_CLI) {
  QProcess process;
  process.setProcessEnvironment(environment);
  process.setWorkingDirectory(folder);
  process.start(launcher.program, mpiArguments(launcher, ranks, program, arguments));
  constexpr int patience = 120000;  // ms
  CliResult result;
  if (process.waitForFinished(patience) && process.exitStatus() == QProcess::NormalExit)
    result.code = process.exitCode();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  return result;
}

}  // namespace spokelab::test
