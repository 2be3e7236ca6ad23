#include "widgets/image/volume/prepared_volume.h"

#include <cstring>

#include <vtkCamera.h>
#include <vtkColorTransferFunction.h>
#include <vtkFixedPointVolumeRayCastMapper.h>
#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPiecewiseFunction.h>
#include <vtkPointData.h>
#include <vtkRenderer.h>
#include <vtkUnsignedShortArray.h>
#include <vtkVolume.h>
#include <vtkVolumeProperty.h>

namespace spokelab {
namespace {

vtkSmartPointer<vtkImageData> makeGrid(VolumeData& data) {
  auto grid = vtkSmartPointer<vtkImageData>::New();
  grid->SetDimensions(int(data.size[0]), int(data.size[1]), int(data.size[2]));
  grid->SetSpacing(data.spacing[0], data.spacing[1], data.spacing[2]);
  vtkNew<vtkUnsignedShortArray> values;
  values->SetNumberOfValues(vtkIdType(data.values.size()));
  std::memcpy(values->GetPointer(0), data.values.data(), data.values.size() * sizeof(std::uint16_t));
  grid->GetPointData()->SetScalars(values);
  data.values = {};  // the grid holds them now
  return grid;
}

// Uses a temporary renderer, volume and transfer functions: the ray caster keeps the normals and
// extremes that it computes from the grid, and uses the real renderer when it renders.
vtkSmartPointer<vtkFixedPointVolumeRayCastMapper> makeCaster(vtkImageData* grid) {
  auto caster = vtkSmartPointer<vtkFixedPointVolumeRayCastMapper>::New();
  caster->SetAutoAdjustSampleDistances(0);
  // The outline box never crosses the volume, and intermixing would read the depth buffer back.
  caster->SetIntermixIntersectingGeometry(0);
  caster->SetInputData(grid);
  caster->SetBlendModeToComposite();
  vtkNew<vtkColorTransferFunction> colour;
  colour->AddRGBPoint(0, 0, 0, 0);
  colour->AddRGBPoint(VolumeData::levels, 1, 1, 1);
  vtkNew<vtkPiecewiseFunction> opacity;
  opacity->AddPoint(0, 0);
  opacity->AddPoint(VolumeData::levels, 1);
  vtkNew<vtkVolumeProperty> property;
  property->SetColor(colour);
  property->SetScalarOpacity(opacity);
  property->ShadeOn();  // makes the caster compute the normals
  vtkNew<vtkVolume> volume;
  volume->SetProperty(property);
  volume->SetMapper(caster);
  vtkNew<vtkCamera> camera;
  vtkNew<vtkRenderer> renderer;
  renderer->SetActiveCamera(camera);
  caster->PerVolumeInitialization(renderer, volume);
  return caster;
}

}  // namespace

PreparedVolume::PreparedVolume() = default;
PreparedVolume::~PreparedVolume() = default;

std::shared_ptr<const PreparedVolume> prepareVolume(VolumeData data, bool forSoftware, double high) {
  auto prepared = std::make_shared<PreparedVolume>();
  prepared->grid = makeGrid(data);
  prepared->surfaceGrid = vtkSmartPointer<vtkImageData>::New();
  prepared->surfaceGrid->ShallowCopy(prepared->grid);
  prepared->high = high;
  if (forSoftware) prepared->caster = makeCaster(prepared->grid);
  prepared->data = std::move(data);
  return prepared;
}

}  // namespace spokelab
