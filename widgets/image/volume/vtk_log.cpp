#include "widgets/image/volume/vtk_log.h"

#include <vtkNew.h>
#include <vtkObjectFactory.h>
#include <vtkOutputWindow.h>

namespace spokelab {
namespace {

class SignalOutputWindow : public vtkOutputWindow {
 public:
  static SignalOutputWindow* New();
  vtkTypeMacro(SignalOutputWindow, vtkOutputWindow)
      // May be called on VTK's threads; the log lives on the thread that made it.
      void DisplayText(const char* text) override {
    VtkLog* log = &VtkLog::instance();
    QMetaObject::invokeMethod(log, [log, line = QString::fromLocal8Bit(text).trimmed()] { log->add(line); });
  }
};
vtkStandardNewMacro(SignalOutputWindow)

}  // namespace

VtkLog& VtkLog::instance() {
  static VtkLog* log = [] {
    auto* made = new VtkLog;  // never deleted: VTK may speak while the process ends
    vtkNew<SignalOutputWindow> window;
    vtkOutputWindow::SetInstance(window);
    return made;
  }();
  return *log;
}

void VtkLog::add(const QString& text) {
  if (text.isEmpty()) return;
  ++count_;
  last_ = text;
  Q_EMIT message(text);
}

}  // namespace spokelab
