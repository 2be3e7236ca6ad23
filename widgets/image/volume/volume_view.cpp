#include "widgets/image/volume/volume_view.h"

#include <array>
#include <cmath>
#include <utility>

#include <QGuiApplication>
#include <QOffscreenSurface>
#include <QOpenGLContext>
#include <QPainter>
#include <QSurfaceFormat>
#include <QTimer>

#include <vtkImageData.h>
#include <vtkVersionMacros.h>

#include "widgets/core/image_theme.h"
#include "widgets/image/display/fitting_windows.h"
#include "widgets/image/volume/volume_host.h"
#include "widgets/image/volume/volume_scene.h"
#include "widgets/image/volume/vtk_log.h"

namespace spokelab {
namespace {

// 128^3: turns fluently without a graphics card
constexpr std::int64_t maxSoftwareVoxels = 128LL << 14;
constexpr std::int64_t maxHardwareVoxels = 256LL << 16;  // 256^3
constexpr std::int64_t maxSoftwareTriangles = 80'000, maxHardwareTriangles = 4'000'000;

// VTK before 9.4 finds OpenGL's functions through GLX alone.
constexpr bool needsGlx = VTK_MAJOR_VERSION < 9 || (VTK_MAJOR_VERSION == 9 && VTK_MINOR_VERSION < 4);

constexpr int settleMs = 250;                                       // ms without motion until the fine render
constexpr double movingBudgetMs = 25, stillBudgetMs = 30;           // ms a render may take (software)
constexpr double firstRays = 40'000;                                // while what a ray takes is not known
constexpr double warmRayPixels = 2, maxRayPixels = 4;               // pixels between rays
constexpr double stillStep = 1, movingStep = 2, maxMovingStep = 4;  // voxels between samples of a ray
constexpr std::array modes = {VolumeMode::opacity, VolumeMode::maximum, VolumeMode::surface};

QSurfaceFormat surfaceFormat() {
  QSurfaceFormat format;
  format.setVersion(3, 2);
  format.setProfile(QSurfaceFormat::CoreProfile);
  format.setSamples(0);
  format.setDepthBufferSize(24);
  format.setStencilBufferSize(8);
  return format;
}

bool hasGlx(QOpenGLContext& context) {
#if QT_CONFIG(xcb_glx_plugin)
  return context.nativeInterface<QNativeInterface::QGLXContext>() != nullptr;
#else
  return context.isValid();
#endif
}

}  // namespace

void VolumeView::prepareApplication() {
  QSurfaceFormat::setDefaultFormat(surfaceFormat());
  QCoreApplication::setAttribute(Qt::AA_ShareOpenGLContexts);
  if (needsGlx && qEnvironmentVariableIsSet("DISPLAY")) {
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "xcb");
    if (!qEnvironmentVariableIsSet("QT_XCB_GL_INTEGRATION")) qputenv("QT_XCB_GL_INTEGRATION", "xcb_glx");
  }
}

bool VolumeView::available(QString* why) {
  const auto no = [why](const QString& reason) {
    if (why) *why = reason;
    return false;
  };
  const QString platform = QGuiApplication::platformName();
  for (const char* without : {"offscreen", "minimal", "vnc", "linuxfb"})
    if (platform == QLatin1String(without))
      return no(tr("the platform \u201c%1\u201d that the window runs on has no OpenGL").arg(platform));
  QOpenGLContext context;
  context.setFormat(surfaceFormat());
  if (!context.create()) return no(tr("OpenGL 3.2 could not be started on this display"));
  QOffscreenSurface surface;
  surface.setFormat(context.format());
  surface.create();
  if (!context.makeCurrent(&surface)) return no(tr("OpenGL gave no drawing surface on this display"));
  const auto version = context.format().version();
  context.doneCurrent();
  if (version < qMakePair(3, 2))
    return no(tr("this display offers OpenGL %1.%2; 3.2 is needed").arg(version.first).arg(version.second));
  if (needsGlx && !hasGlx(context))
    return no(
        tr("VTK %1.%2 needs X11 with GLX; start with QT_QPA_PLATFORM=xcb and QT_XCB_GL_INTEGRATION=xcb_glx")
            .arg(VTK_MAJOR_VERSION)
            .arg(VTK_MINOR_VERSION));
  if (why) why->clear();
  return true;
}

VolumeView::VolumeView(QWidget* parent) : QWidget(parent), map_(QStringLiteral("grey")) {
  VtkLog::instance();
  setObjectName(QStringLiteral("volumeView"));
  setAccessibleName(tr("Volume"));
  setWhatsThis(
      tr("Left drag or arrow keys: turn. Middle drag or Shift and arrow keys: move. Wheel or + −: zoom. "
         "Double click or 0: front view."));
  setAttribute(Qt::WA_OpaquePaintEvent);
  setFocusPolicy(Qt::StrongFocus);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
  scene_ = std::make_unique<VolumeScene>();
  host_ = std::make_unique<VolumeHost>();
  settle_ = new QTimer(this);
  settle_->setSingleShot(true);
  settle_->setInterval(settleMs);
  connect(settle_, &QTimer::timeout, this, [this] {
    moving_ = false;
    scheduleRender();
  });
  followScreenTheme(this, [this] {
    scene_->takeTheme();
    scheduleRender();
  });
}

VolumeView::~VolumeView() = default;

void VolumeView::initialize() {
  if (std::exchange(initialized_, true) || !host_->initialize(surfaceFormat())) return;
  scene_->attach(host_->window(), host_->softwareGl());
  scene_->setTransfer(window_, map_, style_);
}

// The first volume in a context makes OpenGL compile its programs and VTK its letters. An empty
// volume does it once, and is painted over at once. A worker prepares it. Each way to draw it is a
// separate event, later than the event that shows the view, so no event takes long.
void VolumeView::warmUp() {
  const auto next = [this] {
    warmDue_ = true;
    renderSoon();
  };
  if (!std::exchange(warmAsked_, true)) {
    const auto make = [software = host_->softwareGl()](std::stop_token) {
      constexpr std::int64_t n = 8;
      VolumeData nothing;
      nothing.size = {n, n, n};
      nothing.values.assign(n * n * n, 0);
      const auto volume = prepareVolume(std::move(nothing), software);
      auto* values = static_cast<std::uint16_t*>(volume->surfaceGrid->GetScalarPointer());
      values[n * n * n / 2 + n * n / 2 + n / 2] = 2;  // a speck, so that there is a surface
      return std::pair(volume, makeSurface(volume->surfaceGrid, 1, 1, maxSoftwareTriangles));
    };
    warmUpJob_.start(make, [this, next](auto made) {
      nothing_ = std::move(made.first);
      speck_ = std::move(made.second);
      next();
    });
  }
  if (!std::exchange(warmDue_, false)) return;
  VolumeStyle style;
  style.mode = modes[warmed_++];
  if (!scene_->hasVolume()) {
    scene_->setVolume(nothing_);
    scene_->setSurface(speck_);
    scene_->setTransfer(window_, map_, style);
    scene_->prepare({warmRayPixels, movingStep}, true);
    host_->setDirty();
    host_->paint();
    scene_->setVolume(nullptr);
    scene_->setTransfer(window_, map_, style_);
    host_->setDirty();
  }
  if (warmed_ < modes.size()) {
    QTimer::singleShot(0, this, next);
    return;
  }
  nothing_.reset();
  speck_.reset();
}

QSize VolumeView::pixels() const {
  const double ratio = devicePixelRatioF();
  return {int(std::lround(width() * ratio)), int(std::lround(height() * ratio))};
}

void VolumeView::renderPicture() {
  initialize();
  host_->resize(pixels(), devicePixelRatioF());
  if (host_->ready() && warmed_ < modes.size()) warmUp();
  const RayDistances distances = rayDistances();
  scene_->prepare(distances, moving_);
  const double milliseconds = host_->paint();
  if (milliseconds < 0) return;
  if (scene_->hasVolume() && style_.mode != VolumeMode::surface)
    rayCost_ = milliseconds * distances.voxels / raysAt(distances.pixels);
  Q_EMIT rendered(milliseconds);
}

QImage VolumeView::picture() {
  renderPicture();
  return host_->picture();
}

void VolumeView::resizeEvent(QResizeEvent* event) {
  QWidget::resizeEvent(event);
  if (!host_->picture().isNull()) startMoving();
}

void VolumeView::scheduleRender() {
  host_->setDirty();
  renderSoon();
}

// In a later event: another theme or size often repaints the whole window.
void VolumeView::renderSoon() {
  if (std::exchange(renderAwaited_, true)) return;
  QTimer::singleShot(0, this, [this] {
    renderAwaited_ = false;
    if (!isVisible()) return;  // when it is shown
    renderPicture();
    update();
  });
}

// Until there is a new picture the last one is shown, stretched where the view has another size.
void VolumeView::paintEvent(QPaintEvent*) {
  if (host_->picture().isNull())
    renderPicture();
  else if (warmDue_ || host_->isDirty() || host_->picture().size() != pixels())
    renderSoon();
  QPainter painter(this);
  if (host_->picture().isNull())
    painter.fillRect(rect(), ImageTheme::background());
  else
    painter.drawImage(rect(), host_->picture());
  if (hasFocus()) {
    painter.setPen(ImageTheme::focus());
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
  }
}

double VolumeView::raysAt(double distance) const {
  return std::max(1.0, double(pixels().width()) * double(pixels().height()) / (distance * distance));
}

// Rays so far apart that a render keeps its budget; while moving, their samples, too.
RayDistances VolumeView::rayDistances() const {
  const double step = moving_ ? movingStep : stillStep;
  if (rayCost_ <= 0) return {std::clamp(std::sqrt(raysAt(1) / firstRays), 1.0, maxRayPixels), step};
  const double over = raysAt(1) * rayCost_ / step / (moving_ ? movingBudgetMs : stillBudgetMs);
  const double pixels = std::clamp(std::sqrt(over), 1.0, maxRayPixels);
  const double left = moving_ ? over / (pixels * pixels) : 1;
  return {pixels, std::clamp(step * left, step, moving_ ? maxMovingStep : step)};
}

// Turning, moving and windowing are drawn coarsely; a finer picture follows when they stop.
void VolumeView::startMoving() {
  if (!hasVolume()) return;
  moving_ = true;
  settle_->start();
}

void VolumeView::setImage(std::shared_ptr<const Image> image, int frame) {
  if (!isShowable(image.get())) image.reset();
  if (image == image_ && frame == frame_) return;
  preparation_.drop();
  image_ = std::move(image);
  frame_ = frame;
  if (!image_) {
    scene_->setVolume(nullptr);
    prepared_ = nullptr;
    high_ = 0;
    triangles_ = 0;
    drawnLevel_ = -1;
    scheduleRender();
    return;
  }
  const bool software = host_->softwareGl() || !host_->ready();
  const std::int64_t maxVoxels = software ? maxSoftwareVoxels : maxHardwareVoxels;
  const int shown = std::clamp(frame, 0, image_->frames - 1);
  const auto prepare = [maxVoxels, software, shown, shownImage = image_](std::stop_token) {
    const double high = fittingWindows(*shownImage, shown).magnitude.high();
    return prepareVolume(reduceVolume(*shownImage, shown, maxVoxels, high), software, high);
  };
  preparation_.start(prepare, [this](std::shared_ptr<const PreparedVolume> volume) {
    scene_->setVolume(volume);
    rayCost_ = 0;  // the cost of another volume says nothing about this one
    scene_->setTransfer(window_, map_, style_);
    prepared_ = volume;
    high_ = volume->high;
    triangles_ = 0;
    drawnLevel_ = -1;
    wantSurface();
    startMoving();
    scheduleRender();
    Q_EMIT volumeReady();
  });
}

// Makes the current surface if needed, one at a time; a changed level or volume follows.
void VolumeView::wantSurface() {
  const double level = surfaceLevel();
  if (style_.mode != VolumeMode::surface || !prepared_ || surfaceJob_.isRunning() || level == drawnLevel_)
    return;
  const std::int64_t maxTriangles =
      host_->softwareGl() || !host_->ready() ? maxSoftwareTriangles : maxHardwareTriangles;
  const auto make = [volume = prepared_, level, maxTriangles](std::stop_token) {
    return makeSurface(volume->surfaceGrid, volume->data.step, level, maxTriangles);
  };
  surfaceJob_.start(make, [this, volume = prepared_](std::shared_ptr<const SurfaceMesh> surface) {
    if (prepared_ == volume) {
      scene_->setSurface(surface);
      drawnLevel_ = surface->level;
      triangles_ = surface->triangles;
      scheduleRender();
      Q_EMIT surfaceReady(surface->level, surface->triangles);
    }
    wantSurface();
  });
}

bool VolumeView::hasVolume() const {
  return scene_->hasVolume();
}

QString VolumeView::renderer() const {
  return host_->renderer();
}

void VolumeView::setWindow(const DisplayWindow& window) {
  if (window == window_) return;
  window_ = window;
  scene_->setTransfer(window_, map_, style_);
  startMoving();
  scheduleRender();
}

void VolumeView::setColourMap(const QString& name) {
  if (name == map_) return;
  map_ = name;
  scene_->setTransfer(window_, map_, style_);
  startMoving();
  scheduleRender();
}

void VolumeView::setMaximumIntensity(bool on) {
  VolumeStyle style = style_;
  style.mode = on ? VolumeMode::maximum : otherMode_;
  setVolumeStyle(style);
}

void VolumeView::setVolumeStyle(const VolumeStyle& style) {
  if (style == style_) return;
  if (style.mode != style_.mode) rayCost_ = 0;  // the cost of another mode says nothing about this one
  style_ = style;
  if (style.mode != VolumeMode::maximum) otherMode_ = style.mode;
  scene_->setTransfer(window_, map_, style_);
  wantSurface();
  startMoving();
  scheduleRender();
}

void VolumeView::resetCamera() {
  scene_->resetCamera();
  scheduleRender();
}

void VolumeView::turn(double azimuth, double elevation) {
  startMoving();
  scene_->turn(azimuth, elevation);
  scheduleRender();
}

QPointF VolumeView::project(const Vec3& mm) const {
  const Vec3 at = scene_->project(mm, double(width()) / std::max(1, height()));
  return {(at[0] + 1) / 2 * width(), (1 - at[1]) / 2 * height()};
}

}  // namespace spokelab
