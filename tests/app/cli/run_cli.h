// Runs the command line as users do: as a process, its output in pipes.
#pragma once

#include <QByteArray>
#include <QDir>
#include <QProcess>
#include <QStringList>
#include <QTemporaryDir>
#include <functional>

namespace spokelab::test {

struct CliResult {
  int code = -1;  // exit code; -1: crashed or did not end
  QByteArray out, err;
};

inline QProcessEnvironment cliEnvironment(const QString& folder) {
  QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
  environment.insert("SPOKELAB_WISDOM", folder + "/wisdom.json");
  environment.insert("SPOKELAB_CHOICES", folder + "/choices.json");
  environment.insert("SPOKELAB_CUDA_MODULE", "none");
  return environment;
}

// In `folder`; `prepare` runs in the child before the program (limits).
inline CliResult runCli(const QString& folder, const QStringList& arguments,
                        const std::function<void()>& prepare = {}, const QString& standardOutput = {}) {
  QProcess process;
  process.setProcessEnvironment(cliEnvironment(folder));
  process.setWorkingDirectory(folder);
  if (prepare) process.setChildProcessModifier(prepare);
  if (!standardOutput.isEmpty()) process.setStandardOutputFile(standardOutput);
  process.start(SPOKELAB_CLI, arguments);
  constexpr int patience = 120000;  // ms
  CliResult result;
  if (process.waitForFinished(patience) && process.exitStatus() == QProcess::NormalExit)
    result.code = process.exitCode();
  result.out = process.readAllStandardOutput();
  result.err = process.readAllStandardError();
  return result;
}

// Names in a folder, with hidden and temporary files.
inline QStringList filesIn(const QString& folder) {
  return QDir(folder).entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

}  // namespace spokelab::test
