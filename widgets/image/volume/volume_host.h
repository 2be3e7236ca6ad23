// VTK's render window in a separate OpenGL context, off the screen: the part of the volume view
// that deals with contexts, framebuffers and OpenGL state. Its picture is an image that the view
// paints. A widget with OpenGL would make Qt compose the whole window by OpenGL at each repaint of
// any view, which takes 100 ms without a graphics card.
#pragma once

#include <memory>

#include <QImage>
#include <QSize>
#include <QString>

class QOffscreenSurface;
class QOpenGLContext;
class QOpenGLFramebufferObject;
class QSurfaceFormat;
class vtkRenderWindow;

namespace spokelab {

class VolumeHost {
 public:
  VolumeHost();
  ~VolumeHost();

  vtkRenderWindow* window() const;
  // Makes the context; false if OpenGL is missing.
  bool initialize(const QSurfaceFormat& format);
  bool ready() const;
  bool softwareGl() const { return softwareGl_; }
  const QString& renderer() const { return renderer_; }
  void setDirty() { dirty_ = true; }
  bool isDirty() const { return dirty_; }
  void resize(const QSize& size, double pixelRatio);  // device pixels; the ratio scales VTK's texts
  // Renders if something changed. Returns the milliseconds that it took; negative: it did not
  // render.
  double paint();
  const QImage& picture() const { return picture_; }

 private:
  struct Observers;
  void makeCurrent() const;
  void readPicture();

  std::unique_ptr<QOffscreenSurface> surface_;
  std::unique_ptr<QOpenGLContext> context_;
  std::unique_ptr<QOpenGLFramebufferObject> frame_;
  std::unique_ptr<Observers> observers_;
  QImage picture_;
  QString renderer_;
  bool softwareGl_ = false, dirty_ = true;
};

}  // namespace spokelab
