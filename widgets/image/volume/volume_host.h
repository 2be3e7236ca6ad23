// VTK's render window inside somebody else's OpenGL context: the part of the volume view that deals
// with contexts, framebuffers and OpenGL state. VTK renders into its own framebuffer only when
// something changed; each repaint of the widget copies that picture.
#pragma once

#include <functional>
#include <memory>

#include <QSize>
#include <QString>

class QOpenGLContext;
class QOpenGLWidget;
class vtkRenderWindow;

namespace spokelab {

class VolumeHost {
 public:
  explicit VolumeHost(QOpenGLWidget* widget);
  ~VolumeHost();

  vtkRenderWindow* window() const;
  // In initializeGL: a new context is there (also after the widget was floated or docked).
  void initialize();
  // While the old context is still alive.
  void finalize();
  bool ready() const;
  bool softwareGl() const { return softwareGl_; }
  const QString& renderer() const { return renderer_; }
  void setDirty() { dirty_ = true; }
  void resize(const QSize& size, double pixelRatio);  // device pixels
  // In paintGL. Returns the milliseconds of a new render, or a negative number for a copy.
  double paint();

 private:
  struct Observers;
  void makeCurrent() const;

  QOpenGLWidget* widget_;
  std::unique_ptr<Observers> observers_;
  QString renderer_;
  bool softwareGl_ = false, dirty_ = true;
};

}  // namespace spokelab
