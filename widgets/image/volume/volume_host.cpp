#include "widgets/image/volume/volume_host.h"

#include <cmath>
#include <utility>

#include <QElapsedTimer>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QOpenGLFramebufferObject>
#include <QOpenGLFunctions>

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

VolumeHost::VolumeHost() : observers_(std::make_unique<Observers>()) {
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
            host->context_ && QOpenGLContext::currentContext() == host->context_.get();
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
  vtkGenericOpenGLRenderWindow* window = observers_->window;
  if (ready()) {
    makeCurrent();
    window->Finalize();
    window->SetReadyForRendering(false);
    frame_.reset();
    context_->doneCurrent();
  }
  window->RemoveObserver(observers_->command);
}

vtkRenderWindow* VolumeHost::window() const {
  return observers_->window;
}

bool VolumeHost::ready() const {
  return observers_->window->GetReadyForRendering();
}

void VolumeHost::makeCurrent() const {
  if (context_) context_->makeCurrent(surface_.get());
}

bool VolumeHost::initialize(const QSurfaceFormat& format) {
  auto context = std::make_unique<QOpenGLContext>();
  context->setFormat(format);
  if (!context->create()) return false;
  surface_ = std::make_unique<QOffscreenSurface>();
  surface_->setFormat(context->format());
  surface_->create();
  if (!context->makeCurrent(surface_.get())) return false;
  context_ = std::move(context);
  const auto* name = reinterpret_cast<const char*>(context_->functions()->glGetString(GL_RENDERER));
  renderer_ = QString::fromLatin1(name ? name : "");
  for (const char* rasterizer : {"llvmpipe", "softpipe", "swrast", "SwiftShader"})
    softwareGl_ = softwareGl_ || renderer_.contains(QLatin1String(rasterizer), Qt::CaseInsensitive);

  vtkGenericOpenGLRenderWindow* window = observers_->window;
  window->SetForceMaximumHardwareLineWidth(1);
  window->SetReadyForRendering(true);
  window->OpenGLInitContext();
  window->SetMapped(1);
  return true;
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
  if (!dirty_ || !ready() || window->GetSize()[0] < 1 || window->GetSize()[1] < 1) return -1;
  makeCurrent();
  // Before VTK looks at the state: making it binds and releases framebuffers.
  const QSize size(window->GetSize()[0], window->GetSize()[1]);
  if (!frame_ || frame_->size() != size) frame_ = std::make_unique<QOpenGLFramebufferObject>(size);
  vtkOpenGLState* state = window->GetState();
  state->Reset();
  state->Push();
  state->vtkglDepthFunc(GL_LEQUAL);
  dirty_ = false;
  QElapsedTimer timer;
  timer.start();
  window->Render();
  makeCurrent();
  readPicture();
  constexpr double nanosecondsPerMillisecond = 1e6;
  const double milliseconds = double(timer.nsecsElapsed()) / nanosecondsPerMillisecond;
  state->Pop();
  context_->doneCurrent();
  return milliseconds;
}

void VolumeHost::readPicture() {
  vtkGenericOpenGLRenderWindow* window = observers_->window;
  context_->functions()->glBindFramebuffer(GL_DRAW_FRAMEBUFFER, frame_->handle());
  window->BlitDisplayFramebuffer();
  picture_ = frame_->toImage();
  picture_.reinterpretAsFormat(QImage::Format_RGB32);  // it hides what is behind the view
}

}  // namespace spokelab
