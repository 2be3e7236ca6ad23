#include "widgets/image/volume/volume_host.h"

#include <cmath>

#include <QElapsedTimer>
#include <QOpenGLContext>
#include <QOpenGLFunctions>
#include <QOpenGLWidget>

#include <vtkCallbackCommand.h>
#include <vtkGenericOpenGLRenderWindow.h>
#include <vtkNew.h>
#include <vtkOpenGLFramebufferObject.h>
#include <vtkOpenGLState.h>

namespace spokelab {

struct VolumeHost::Observers {
  vtkNew<vtkGenericOpenGLRenderWindow> window;
  vtkNew<vtkCallbackCommand> command;
};

VolumeHost::VolumeHost(QOpenGLWidget* widget) : widget_(widget), observers_(std::make_unique<Observers>()) {
  vtkGenericOpenGLRenderWindow* window = observers_->window;
  window->SetOwnContext(0);
  window->SetReadyForRendering(false);
  window->SetFrameBlitModeToNoBlit();
  window->SetMultiSamples(0);
  observers_->command->SetClientData(this);
  observers_->command->SetCallback([](vtkObject*, unsigned long event, void* client, void* data) {
    auto* host = static_cast<VolumeHost*>(client);
    switch (event) {
      case vtkCommand::WindowMakeCurrentEvent:
        host->makeCurrent();
        break;
      case vtkCommand::WindowIsCurrentEvent:
        *static_cast<bool*>(data) =
            host->widget_->context() && QOpenGLContext::currentContext() == host->widget_->context();
        break;
      case vtkCommand::WindowSupportsOpenGLEvent:
        *static_cast<int*>(data) = 1;
        break;
      case vtkCommand::WindowIsDirectEvent:
        *static_cast<int*>(data) = 1;
        break;
      default:
        break;
    }
  });
  for (auto event : {vtkCommand::WindowMakeCurrentEvent, vtkCommand::WindowIsCurrentEvent,
                     vtkCommand::WindowSupportsOpenGLEvent, vtkCommand::WindowIsDirectEvent})
    window->AddObserver(event, observers_->command);
}

VolumeHost::~VolumeHost() {
  finalize();
  observers_->window->RemoveObserver(observers_->command);
}

vtkRenderWindow* VolumeHost::window() const {
  return observers_->window;
}

bool VolumeHost::ready() const {
  return observers_->window->GetReadyForRendering();
}

// The context's own makeCurrent: QOpenGLWidget's would bind Qt's framebuffer too, and VTK would
// draw into that.
void VolumeHost::makeCurrent() const {
  QOpenGLContext* context = widget_->context();
  if (context && context->surface()) context->makeCurrent(context->surface());
}

void VolumeHost::initialize() {
  QOpenGLContext* context = widget_->context();
  const auto* name = reinterpret_cast<const char*>(context->functions()->glGetString(GL_RENDERER));
  renderer_ = QString::fromLatin1(name ? name : "");
  softwareGl_ = false;
  for (const char* rasterizer : {"llvmpipe", "softpipe", "swrast", "SwiftShader"})
    softwareGl_ = softwareGl_ || renderer_.contains(QLatin1String(rasterizer), Qt::CaseInsensitive);

  vtkGenericOpenGLRenderWindow* window = observers_->window;
  window->SetForceMaximumHardwareLineWidth(1);
  window->SetReadyForRendering(true);
  window->OpenGLInitContext();
  window->SetMapped(1);
  dirty_ = true;
}

void VolumeHost::finalize() {
  vtkGenericOpenGLRenderWindow* window = observers_->window;
  if (!window->GetReadyForRendering()) return;
  makeCurrent();
  window->Finalize();
  window->SetReadyForRendering(false);
  dirty_ = true;
}

void VolumeHost::resize(const QSize& size, double pixelRatio) {
  vtkGenericOpenGLRenderWindow* window = observers_->window;
  constexpr double standardDpi = 72;
  const int dpi = int(std::lround(standardDpi * pixelRatio));
  if (window->GetDPI() != dpi) window->SetDPI(dpi);
  if (window->GetSize()[0] == size.width() && window->GetSize()[1] == size.height()) return;
  window->SetSize(size.width(), size.height());
  dirty_ = true;
}

double VolumeHost::paint() {
  vtkGenericOpenGLRenderWindow* window = observers_->window;
  if (!window->GetReadyForRendering() || window->GetSize()[0] < 1 || window->GetSize()[1] < 1) return -1;
  vtkOpenGLState* state = window->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  double milliseconds = -1;
  if (dirty_) {
    dirty_ = false;
    QElapsedTimer timer;
    timer.start();
    window->Render();
    constexpr double nanosecondsPerMillisecond = 1e6;
    milliseconds = double(timer.nsecsElapsed()) / nanosecondsPerMillisecond;
  }
  makeCurrent();
  QOpenGLFunctions* gl = widget_->context()->functions();
  gl->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, widget_->defaultFramebufferObject());
  window->BlitDisplayFramebuffer();
  gl->glBindFramebuffer(GL_FRAMEBUFFER, widget_->defaultFramebufferObject());
  gl->glDisable(GL_SCISSOR_TEST);
  gl->glColorMask(GL_FALSE, GL_FALSE, GL_FALSE, GL_TRUE);
  gl->glClearColor(0, 0, 0, 1);
  gl->glClear(GL_COLOR_BUFFER_BIT);
  gl->glColorMask(GL_TRUE, GL_TRUE, GL_TRUE, GL_TRUE);
  state->Pop();
  return milliseconds;
}

}  // namespace spokelab
