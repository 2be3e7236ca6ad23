// The magnitude volume in 3-D: VTK renders off the screen, and the view paints its picture.
//   left drag   turn    middle drag   move    wheel   zoom    double click   back to the first view
// The world is the patient's (LPS, mm), seen from the front: nothing is mirrored.
// Software OpenGL gets the fixed-point ray caster, hardware the GPU one.
#pragma once

#include <memory>

#include <QImage>
#include <QWidget>

#include "engine/scan/scan.h"
#include "widgets/core/display_mode.h"
#include "widgets/core/latest_job.h"
#include "widgets/image/volume/volume_style.h"

class QTimer;

namespace spokelab {

struct PreparedVolume;
struct SurfaceMesh;
class VolumeHost;
class VolumeScene;
struct RayDistances;

class VolumeView : public QWidget {
  Q_OBJECT

 public:
  // Call before QApplication is made: the surface format and the platform that VTK needs.
  static void prepareApplication();
  // True if this process can show the view (needs a QGuiApplication); `why` tells the user where it
  // cannot.
  static bool available(QString* why = nullptr);

  explicit VolumeView(QWidget* parent = nullptr);
  ~VolumeView() override;

  // The voxels are prepared on a worker thread; the view changes when they are ready (volumeReady).
  void setImage(std::shared_ptr<const Image> image, int frame = 0);
  void setWindow(const DisplayWindow& window);  // of the magnitude
  void setColourMap(const QString& name);
  const VolumeStyle& volumeStyle() const { return style_; }
  void setVolumeStyle(const VolumeStyle& style);
  bool maximumIntensity() const { return style_.mode == VolumeMode::maximum; }
  // Switching it off restores the mode before it, which is opacity at first.
  void setMaximumIntensity(bool on);
  void resetCamera();
  void turn(double azimuth, double elevation);  // degrees, as the mouse does

  // The place of a point of the patient (LPS, mm), in widget coordinates.
  QPointF project(const Vec3& mm) const;
  bool hasVolume() const;
  // White of the image's window, the automatic level of its surface (magnitudes), and the number of
  // triangles of the drawn surface; 0 without image or surface.
  double imageHigh() const { return high_; }
  double surfaceLevel() const { return style_.level > 0 ? style_.level : automaticLevel * high_; }
  std::int64_t surfaceTriangles() const { return triangles_; }
  static constexpr double automaticLevel = 0.35;
  // The visible picture, in device pixels.
  QImage picture();
  // The name of the OpenGL renderer, once there is a context.
  QString renderer() const;

  QSize sizeHint() const override { return {320, 320}; }
  QSize minimumSizeHint() const override { return {64, 64}; }

 Q_SIGNALS:
  void volumeReady();
  // The surface that is drawn has this level. Made on a worker; while a slider moves, some levels
  // are passed over.
  void surfaceReady(double level, qint64 triangles);
  void rendered(double milliseconds);  // VTK has rendered anew (not each expose)

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;
  void mousePressEvent(QMouseEvent* event) override;
  void mouseMoveEvent(QMouseEvent* event) override;
  void mouseDoubleClickEvent(QMouseEvent* event) override;
  void wheelEvent(QWheelEvent* event) override;
  void keyPressEvent(QKeyEvent* event) override;

 private:
  void initialize();
  void renderPicture();
  void warmUp();
  void wantSurface();
  QSize pixels() const;  // of the device
  void scheduleRender();
  void renderSoon();
  void startMoving();
  void moveBy(const QPointF& pixels);
  void zoomBy(double factor);
  RayDistances rayDistances() const;
  double raysAt(double distance) const;  // the number of rays that are `distance` pixels apart

  std::unique_ptr<VolumeScene> scene_;
  std::unique_ptr<VolumeHost> host_;
  std::shared_ptr<const Image> image_;
  int frame_ = 0;
  std::shared_ptr<const PreparedVolume> prepared_;
  double high_ = 0;
  std::int64_t triangles_ = 0;
  double drawnLevel_ = -1;  // of the surface in the scene; negative: none
  LatestJob<std::shared_ptr<const PreparedVolume>> preparation_;
  LatestJob<std::shared_ptr<const SurfaceMesh>> surfaceJob_;
  DisplayWindow window_;
  QString map_;
  VolumeStyle style_;
  // The mode before maximum intensity.
  VolumeMode otherMode_ = VolumeMode::opacity;
  QPointF last_;
  QTimer* settle_ = nullptr;
  std::size_t warmed_ = 0;  // ways to draw a volume that this context has used
  bool initialized_ = false, warmDue_ = false, warmAsked_ = false;
  // Tiny objects that warmUp() renders once in each mode, because the first render of a mode is
  // slow.
  std::shared_ptr<const PreparedVolume> nothing_;
  std::shared_ptr<const SurfaceMesh> speck_;
  LatestJob<std::pair<std::shared_ptr<const PreparedVolume>, std::shared_ptr<const SurfaceMesh>>> warmUpJob_;
  bool moving_ = false;  // coarser until the view has been still for a moment
  bool renderAwaited_ = false;
  double rayCost_ = 0;  // ms that a ray with a sample in each voxel takes; 0: not known yet
};

}  // namespace spokelab
