// A Python that has NumPy, for tests of the window beside a Python process.
#pragma once

#include <QProcess>
#include <QString>

#include "tests/patience.h"

namespace spokelab {

// Empty: there is none.
inline QString pythonWithNumpy() {
  for (const QString& program :
       {QStringLiteral(SPOKELAB_BINARY_DIR "/python-environment/bin/python"), QStringLiteral("python3")}) {
    QProcess process;
    process.start(program, {QStringLiteral("-c"), QStringLiteral("import numpy")});
    if (process.waitForFinished(patience) && process.exitCode() == 0 &&
        process.exitStatus() == QProcess::NormalExit)
      return program;
  }
  return {};
}

}  // namespace spokelab
