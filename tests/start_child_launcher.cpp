// Every test makes the launcher of child processes when its application object is made, as the
// programs do in main().
#include <QCoreApplication>

#include "engine/scan/child/child_launcher.h"

namespace spokelab {
Q_COREAPP_STARTUP_FUNCTION(startChildLauncher)
}
