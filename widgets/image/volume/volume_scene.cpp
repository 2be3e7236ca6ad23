#include "widgets/image/volume/volume_scene.h"

#include <cmath>

#include <vtkActor.h>
#include <vtkCamera.h>
#include <vtkColorTransferFunction.h>
#include <vtkCoordinate.h>
#include <vtkFixedPointVolumeRayCastMapper.h>
#include <vtkGPUVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkMath.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkOutlineSource.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPlane.h>
#include <vtkPolyData.h>
#include <vtkPolyDataMapper.h>
#include <vtkProperty.h>
#include <vtkRenderWindow.h>
#include <vtkRenderer.h>
#include <vtkSmartPointer.h>
#include <vtkTextActor.h>
#include <vtkTextProperty.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

#include "widgets/core/colour_map.h"
#include "widgets/core/image_theme.h"

namespace spokelab {
namespace {

constexpr double maxElevationDegrees = 85;  // keeps the head up
constexpr double closeness = 1.42;          // half the view over half the box: room for its corners
constexpr double letterDistance = 1.1;      // of the box's half size
constexpr int letterPoints = 12;
// light from the viewer's side shows the surfaces' shape
constexpr double ambient = 0.45, diffuse = 0.85;
// of the colour map: its shape is seen, whatever its level
constexpr double surfaceColour = 0.85;
constexpr double surfaceAmbient = 0.2, surfaceDiffuse = 0.8;
constexpr double backRed = 0.75, backRest = 0.4;  // of its colour: the side of the brighter voxels

std::array<double, 3> parts(const QColor& c) {
  return {c.redF(), c.greenF(), c.blueF()};
}

// The GPU ray caster coarsens itself to this many images a second while the view moves.
constexpr double movingRate = 25, stillRate = 0.01;

}  // namespace

struct VolumeScene::Parts {
  // the box is drawn behind the volume, because the volume's picture has no depth
  vtkNew<vtkRenderer> background;
  vtkNew<vtkRenderer> renderer;  // the volume and the letters
  vtkNew<vtkVolume> volume;
  vtkNew<vtkVolumeProperty> property;
  vtkNew<vtkColorTransferFunction> colour;
  vtkNew<vtkPiecewiseFunction> opacity;
  vtkNew<vtkOutlineSource> box;
  vtkNew<vtkPolyDataMapper> boxMapper;
  vtkNew<vtkActor> boxActor;
  vtkNew<vtkPolyDataMapper> surfaceMapper;
  vtkNew<vtkActor> surfaceActor;
  // The surface's inner side, which shows where the surface is cut.
  vtkNew<vtkProperty> surfaceBack;
  std::array<vtkSmartPointer<vtkPlane>, 6> planes;  // the box that is cut out, about the surface
  std::shared_ptr<const SurfaceMesh> surface;
  std::array<vtkSmartPointer<vtkTextActor>, 6> letters;
  vtkSmartPointer<vtkGPUVolumeRayCastMapper> card;  // null with software OpenGL
  vtkSmartPointer<vtkVolumeMapper> mapper;          // the one in use
  std::shared_ptr<const PreparedVolume> shown;
  double step = 1;                          // magnitude of one level
  double voxel = 1;                         // mm, mean
  Vec3 centre{0, 0, 0}, halfSize{1, 1, 1};  // of the box around the volume, LPS
  double azimuth = 0, elevation = 0;

  void placeCamera();
  void placeLetters(bool nominal);
  void chooseMapper();
  void clip(const VolumeStyle& style);
  void clipSurface(const VolumeStyle& style);
};

VolumeScene::VolumeScene() : parts_(std::make_unique<Parts>()) {
  Parts& p = *parts_;
  p.property->SetColor(p.colour);
  p.property->SetScalarOpacity(p.opacity);
  p.property->SetInterpolationTypeToLinear();
  p.property->ShadeOn();
  p.property->SetAmbient(ambient);
  p.property->SetDiffuse(diffuse);
  p.property->SetSpecular(0);
  p.volume->SetProperty(p.property);
  p.boxMapper->SetInputConnection(p.box->GetOutputPort());
  p.boxActor->SetMapper(p.boxMapper);
  p.boxActor->GetProperty()->LightingOff();
  p.boxActor->VisibilityOff();
  p.background->AddActor(p.boxActor);
  p.surfaceMapper->ScalarVisibilityOff();
  for (auto& plane : p.planes) {  // always all: the same program of the graphics card, cut or whole
    plane = vtkSmartPointer<vtkPlane>::New();
    p.surfaceMapper->AddClippingPlane(plane);
  }
  p.surfaceActor->SetMapper(p.surfaceMapper);
  p.surfaceActor->GetProperty()->SetAmbient(surfaceAmbient);
  p.surfaceActor->GetProperty()->SetDiffuse(surfaceDiffuse);
  p.surfaceBack->DeepCopy(p.surfaceActor->GetProperty());
  p.surfaceActor->SetBackfaceProperty(p.surfaceBack);
  p.surfaceActor->VisibilityOff();
  p.renderer->AddActor(p.surfaceActor);
  for (auto& letter : p.letters) {
    letter = vtkSmartPointer<vtkTextActor>::New();
    vtkTextProperty* style = letter->GetTextProperty();
    style->SetFontSize(letterPoints);
    style->SetBold(true);
    style->SetShadow(true);
    style->SetJustificationToCentered();
    style->SetVerticalJustificationToCentered();
    // drawn over the volume, never inside it
    letter->GetPositionCoordinate()->SetCoordinateSystemToWorld();
    letter->VisibilityOff();
    p.renderer->AddActor2D(letter);
  }
  p.renderer->GetActiveCamera()->ParallelProjectionOn();
  p.renderer->SetLayer(1);
  p.background->SetActiveCamera(p.renderer->GetActiveCamera());
  takeTheme();
}

VolumeScene::~VolumeScene() = default;

void VolumeScene::takeTheme() {
  Parts& p = *parts_;
  const auto line = parts(ImageTheme::frame().lighter()), ground = parts(ImageTheme::background()),
             text = parts(ImageTheme::letters());
  p.boxActor->GetProperty()->SetColor(line[0], line[1], line[2]);
  p.background->SetBackground(ground[0], ground[1], ground[2]);
  for (auto& letter : p.letters) letter->GetTextProperty()->SetColor(text[0], text[1], text[2]);
}

void VolumeScene::attach(vtkRenderWindow* window, bool softwareGl) {
  Parts& p = *parts_;
  if (!window->HasRenderer(p.renderer)) {
    window->SetNumberOfLayers(2);
    window->AddRenderer(p.background);
    window->AddRenderer(p.renderer);
  }
  if (softwareGl) {
    p.card = nullptr;
  } else if (!p.card) {
    p.card = vtkSmartPointer<vtkGPUVolumeRayCastMapper>::New();
    p.card->SetAutoAdjustSampleDistances(1);
  }
  p.chooseMapper();
}

void VolumeScene::Parts::chooseMapper() {
  mapper = nullptr;
  if (shown && card) {
    card->SetInputData(shown->grid);
    mapper = card;
  } else if (shown) {
    mapper = shown->caster;
  }
  volume->SetMapper(mapper);
}

void VolumeScene::prepare(const RayDistances& distances, bool moving) {
  Parts& p = *parts_;
  if (vtkRenderWindow* window = p.renderer->GetRenderWindow()) {
    window->SetDesiredUpdateRate(moving ? movingRate : stillRate);
    // The ray caster takes the renderer's aspect, which VTK 9.1 leaves at 1 where its
    // (uninitialised) memory of the last window size happens to hold this one.
    const int* size = window->GetSize();
    const double aspect = double(size[0]) / std::max(1, size[1]);
    for (vtkRenderer* renderer : {p.background.Get(), p.renderer.Get()}) {
      renderer->ComputeAspect();
      renderer->SetAspect(aspect, 1);
    }
  }
  auto* mapper = vtkFixedPointVolumeRayCastMapper::SafeDownCast(p.mapper);
  if (!mapper) return;
  mapper->SetImageSampleDistance(float(distances.pixels));
  mapper->SetSampleDistance(float(p.voxel * distances.voxels));
}

bool VolumeScene::hasVolume() const {
  return parts_->shown != nullptr;
}

void VolumeScene::setVolume(std::shared_ptr<const PreparedVolume> prepared) {
  Parts& p = *parts_;
  const bool had = hasVolume();
  if (had) p.renderer->RemoveVolume(p.volume);
  setSurface(nullptr);
  p.shown = std::move(prepared);
  p.chooseMapper();
  p.boxActor->SetVisibility(hasVolume());
  for (auto& letter : p.letters) letter->SetVisibility(hasVolume());
  if (!hasVolume()) return;
  const VolumeData& data = p.shown->data;

  const auto place = patientMatrix(data.axes);
  p.volume->SetUserMatrix(place);
  p.boxActor->SetUserMatrix(place);
  p.surfaceActor->SetUserMatrix(place);
  const auto& s = data.spacing;
  p.box->SetBounds(-s[0] / 2, (double(data.size[0]) - 0.5) * s[0], -s[1] / 2,
                   (double(data.size[1]) - 0.5) * s[1], -s[2] / 2, (double(data.size[2]) - 0.5) * s[2]);
  p.renderer->AddVolume(p.volume);

  const Vec3 before = p.halfSize;
  const double* bounds = p.boxActor->GetBounds();
  for (std::size_t d = 0; d < 3; ++d) {
    p.centre[d] = (bounds[2 * d] + bounds[2 * d + 1]) / 2;
    p.halfSize[d] = (bounds[2 * d + 1] - bounds[2 * d]) / 2;
  }
  p.step = data.step;
  p.voxel = std::cbrt(s[0] * s[1] * s[2]);
  p.property->SetScalarOpacityUnitDistance(p.voxel);
  p.placeLetters(data.axes.nominal);
  if (!had || before != p.halfSize) resetCamera();
}

void VolumeScene::setSurface(std::shared_ptr<const SurfaceMesh> surface) {
  Parts& p = *parts_;
  p.surface = std::move(surface);
  p.surfaceMapper->SetInputData(p.surface ? p.surface->mesh.Get() : nullptr);
  p.surfaceActor->SetVisibility(p.surface && p.surface->triangles > 0 && !p.volume->GetVisibility());
}

void VolumeScene::Parts::placeLetters(bool nominal) {
  for (std::size_t i = 0; i < letters.size(); ++i) {
    const std::size_t axis = i / 2;
    const double sign = i % 2 == 0 ? -1 : 1;
    Vec3 direction{0, 0, 0};
    direction[axis] = sign;
    Vec3 at = centre;
    at[axis] += sign * letterDistance * halfSize[axis];
    letters[i]->SetInput(sideLetters(direction, nominal).toUtf8().constData());
    letters[i]->GetPositionCoordinate()->SetValue(at[0], at[1], at[2]);
  }
}

void VolumeScene::setTransfer(const DisplayWindow& window, const QString& colourMap,
                              const VolumeStyle& style) {
  Parts& p = *parts_;
  const double low = window.low() / p.step, high = std::max(window.high() / p.step, low + 1);
  const ColourMap& map = ColourMap::sequential(colourMap);
  constexpr int stops = 33;
  p.colour->RemoveAllPoints();
  for (int i = 0; i < stops; ++i) {
    const double t = double(i) / (stops - 1);
    const QColor c(map.at(t));
    p.colour->AddRGBPoint(std::lerp(low, high, t), c.redF(), c.greenF(), c.blueF());
  }
  p.opacity->RemoveAllPoints();
  const auto add = [&](double value, double opacity) {
    p.opacity->AddPoint(std::lerp(low, high, value), opacity);
  };
  if (style.mode == VolumeMode::maximum) {
    add(0, 0);
    add(1, 1);
  } else {
    for (const OpacityPoint& point : style.opacity) add(point.value, point.opacity);
  }
  const bool surface = style.mode == VolumeMode::surface;
  p.volume->SetVisibility(!surface);
  p.surfaceActor->SetVisibility(surface && p.surface && p.surface->triangles > 0);
  const QColor c(map.at(surfaceColour));
  p.surfaceActor->GetProperty()->SetColor(c.redF(), c.greenF(), c.blueF());
  p.surfaceBack->SetColor(backRed * c.redF(), backRest * c.greenF(), backRest * c.blueF());
  // A maximum has no light; its table of light would be made anew for every frame.
  p.property->SetShade(style.mode != VolumeMode::maximum);
  if (!p.mapper) return;
  p.clipSurface(style);
  if (style.mode == VolumeMode::maximum)
    p.mapper->SetBlendModeToMaximumIntensity();
  else
    p.mapper->SetBlendModeToComposite();
  p.clip(style);
}

// The box in mm along the array's axes, as the mapper's input has them.
void VolumeScene::Parts::clip(const VolumeStyle& style) {
  mapper->SetCropping(style.clips());
  if (!style.clips() || !shown) return;
  std::array<double, 6> planes{};
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::size_t axis = i / 2;
    const double size = double(shown->data.size[axis] - 1) * shown->data.spacing[axis];
    planes[i] = style.clip[i] * size;
  }
  mapper->SetCroppingRegionPlanes(planes.data());
  mapper->SetCroppingRegionFlagsToSubVolume();
}

// The same box about the surface, by VTK's planes; uncut sides are a voxel beyond its ends.
void VolumeScene::Parts::clipSurface(const VolumeStyle& style) {
  if (!shown) return;
  const VolumeData& data = shown->data;
  for (std::size_t i = 0; i < planes.size(); ++i) {
    const std::size_t axis = i / 2;
    // VTK keeps the side to which the normal points.
    const double towards = i % 2 == 0 ? 1 : -1;
    const bool cuts = style.clip[i] != double(i % 2);
    const double at = style.clip[i] * double(data.size[axis] - 1) * data.spacing[axis] -
                      (cuts ? 0 : towards * data.spacing[axis]);
    const Vec3& direction = data.axes.direction[axis];
    Vec3 origin = data.axes.origin, normal{};
    for (std::size_t d = 0; d < 3; ++d) {
      origin[d] += at * direction[d];
      normal[d] = towards * direction[d];
    }
    planes[i]->SetOrigin(origin.data());
    planes[i]->SetNormal(normal.data());
  }
}

void VolumeScene::Parts::placeCamera() {
  constexpr double toRadians = vtkMath::Pi() / 180;
  const double a = azimuth * toRadians, e = elevation * toRadians;
  // (0, 0) looks from the front (anterior, -y in LPS); azimuth turns to the patient's left.
  const Vec3 from{std::sin(a) * std::cos(e), -std::cos(a) * std::cos(e), std::sin(e)};
  vtkCamera* camera = renderer->GetActiveCamera();
  std::array<double, 3> focus;
  camera->GetFocalPoint(focus.data());
  const double distance = 4 * std::hypot(halfSize[0], halfSize[1], halfSize[2]);
  camera->SetPosition(focus[0] + distance * from[0], focus[1] + distance * from[1],
                      focus[2] + distance * from[2]);
  camera->SetViewUp(0, 0, 1);
  camera->SetClippingRange(distance / 2,
                           3 * distance / 2);  // the box reaches a quarter of it, however it turns
}

void VolumeScene::resetCamera() {
  Parts& p = *parts_;
  constexpr double startAzimuth = 25, startElevation = 15;
  p.azimuth = startAzimuth;
  p.elevation = startElevation;
  vtkCamera* camera = p.renderer->GetActiveCamera();
  camera->SetFocalPoint(p.centre[0], p.centre[1], p.centre[2]);
  camera->SetParallelScale(closeness * std::max({p.halfSize[0], p.halfSize[1], p.halfSize[2]}));
  p.placeCamera();
}

void VolumeScene::turn(double azimuth, double elevation) {
  parts_->azimuth = std::remainder(parts_->azimuth + azimuth, 360);
  parts_->elevation = std::clamp(parts_->elevation + elevation, -maxElevationDegrees, maxElevationDegrees);
  parts_->placeCamera();
}

void VolumeScene::zoom(double factor) {
  vtkCamera* camera = parts_->renderer->GetActiveCamera();
  camera->SetParallelScale(camera->GetParallelScale() / factor);
}

void VolumeScene::pan(double right, double down, double viewHeight) {
  vtkCamera* camera = parts_->renderer->GetActiveCamera();
  const double mmPerPixel = 2 * camera->GetParallelScale() / std::max(1.0, viewHeight);
  const vtkMatrix4x4* view = camera->GetViewTransformMatrix();
  std::array<double, 3> focus;
  camera->GetFocalPoint(focus.data());
  for (int d = 0; d < 3; ++d)
    focus[std::size_t(d)] += mmPerPixel * (-right * view->GetElement(0, d) + down * view->GetElement(1, d));
  camera->SetFocalPoint(focus.data());
  parts_->placeCamera();
}

Vec3 VolumeScene::project(const Vec3& mm, double aspect) const {
  vtkCamera* camera = parts_->renderer->GetActiveCamera();
  vtkMatrix4x4* matrix = camera->GetCompositeProjectionTransformMatrix(aspect, -1, 1);
  const std::array<double, 4> in{mm[0], mm[1], mm[2], 1};
  std::array<double, 4> out{};
  matrix->MultiplyPoint(in.data(), out.data());
  return {out[0] / out[3], out[1] / out[3], out[2] / out[3]};
}

}  // namespace spokelab
