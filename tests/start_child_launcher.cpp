// Every test makes the launcher of child processes and protects raw data when its application object is
// made, as the programs do in main().
#include <QCoreApplication>

#include "engine/core/child/child_launcher.h"
#include "engine/scan/formats/acquisitions/raw_data.h"

namespace spokelab {
Q_COREAPP_STARTUP_FUNCTION(startChildLauncher)
Q_COREAPP_STARTUP_FUNCTION(protectRawData)
}  // namespace spokelab
