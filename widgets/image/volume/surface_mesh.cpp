#include "widgets/image/volume/surface_mesh.h"

#include <vtkBox.h>
#include <vtkClipPolyData.h>
#include <vtkFloatArray.h>
#include <vtkFlyingEdges3D.h>
#include <vtkImageData.h>
#include <vtkMatrix4x4.h>
#include <vtkNew.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>
#include <vtkTransform.h>
#include <vtkTransformPolyDataFilter.h>
#include <vtkUnsignedShortArray.h>

#include <algorithm>
#include <cmath>

#include "engine/core/error.h"

namespace spokelab {
namespace {

vtkSmartPointer<vtkPolyData> contour(vtkImageData* grid, double value) {
  vtkNew<vtkFlyingEdges3D> edges;
  edges->SetInputData(grid);
  edges->SetValue(0, value);
  edges->ComputeNormalsOn();
  edges->ComputeScalarsOff();
  edges->Update();
  return edges->GetOutput();
}

// Two voxels along each axis become one, their mean.
vtkSmartPointer<vtkImageData> halved(vtkImageData* grid) {
  std::array<int, 3> size{}, half{};
  std::array<double, 3> spacing{}, origin{};
  grid->GetDimensions(size.data());
  grid->GetSpacing(spacing.data());
  grid->GetOrigin(origin.data());
  for (std::size_t d = 0; d < 3; ++d) {
    half[d] = std::max(1, size[d] / 2);
    const int blocks = size[d] > 1 ? 2 : 1;
    origin[d] += (blocks - 1) * spacing[d] / 2;
    spacing[d] *= blocks;
  }
  auto coarse = vtkSmartPointer<vtkImageData>::New();
  coarse->SetDimensions(half.data());
  coarse->SetSpacing(spacing.data());
  coarse->SetOrigin(origin.data());
  coarse->AllocateScalars(VTK_UNSIGNED_SHORT, 1);
  auto* out = static_cast<std::uint16_t*>(coarse->GetScalarPointer());
  const auto* in = static_cast<const std::uint16_t*>(grid->GetScalarPointer());
  const auto at = [&](int x, int y, int z) {
    return unsigned(in[(std::size_t(std::min(z, size[2] - 1)) * std::size_t(size[1]) +
                        std::size_t(std::min(y, size[1] - 1))) *
                           std::size_t(size[0]) +
                       std::size_t(std::min(x, size[0] - 1))]);
  };
  constexpr unsigned corners = 8;
  for (int z = 0; z < half[2]; ++z)
    for (int y = 0; y < half[1]; ++y)
      for (int x = 0; x < half[0]; ++x) {
        unsigned sum = corners / 2;
        for (int c = 0; c < int(corners); ++c)
          sum += at(2 * x + (c & 1), 2 * y + (c >> 1 & 1), 2 * z + (c >> 2));
        *out++ = std::uint16_t(sum / corners);
      }
  return coarse;
}

}  // namespace

SurfaceMesh::SurfaceMesh() = default;
SurfaceMesh::~SurfaceMesh() = default;

std::shared_ptr<const SurfaceMesh> makeSurface(vtkImageData* grid, double step, double level,
                                               std::int64_t mostTriangles) {
  auto surface = std::make_shared<SurfaceMesh>();
  surface->level = level;
  vtkSmartPointer<vtkImageData> from = grid;
  for (;;) {
    surface->mesh = contour(from, level / step);
    surface->triangles = surface->mesh->GetNumberOfPolys();
    if (surface->triangles <= mostTriangles) return surface;
    from = halved(from);
    surface->coarser *= 2;
  }
}

vtkSmartPointer<vtkPolyData> patientSurface(const Image& image, int frame, double level,
                                            const std::array<double, 6>& clip, const Progress& progress) {
  constexpr double readShare = 0.3, contourShare = 0.7;
  const PixelAxes axes = pixelAxes(image);
  vtkNew<vtkImageData> grid;
  grid->SetDimensions(int(image.size[0]), int(image.size[1]), int(image.size[2]));
  grid->SetSpacing(axes.spacing[0], axes.spacing[1], axes.spacing[2]);
  vtkNew<vtkFloatArray> values;
  values->SetNumberOfValues(vtkIdType(image.volume()));
  float* const out = values->GetPointer(0);
  const cfloat* const in = image.frame(frame);
  const std::int64_t plane = image.size[0] * image.size[1];
  for (std::int64_t i = 0; i < image.volume(); ++i) {
    if (i % plane == 0) progress.report(readShare * double(i) / double(image.volume()), "Surface");
    const float size = std::abs(in[i]);
    out[i] = std::isfinite(size) ? size : 0;
  }
  grid->GetPointData()->SetScalars(values);
  progress.report(readShare, "Surface");
  vtkSmartPointer<vtkPolyData> mesh = contour(grid, level);
  progress.report(contourShare, "Surface");
  std::array<double, 6> box{};
  bool cuts = false;
  for (std::size_t i = 0; i < box.size(); ++i) {
    cuts = cuts || clip[i] != double(i % 2);
    const std::size_t d = i / 2;
    box[i] = clip[i] * double(image.size[d] - 1) * axes.spacing[d];
  }
  if (cuts) {
    vtkNew<vtkBox> inside;
    inside->SetBounds(box.data());
    vtkNew<vtkClipPolyData> cut;
    cut->SetInputData(mesh);
    cut->SetClipFunction(inside);
    cut->InsideOutOn();
    cut->Update();
    mesh = cut->GetOutput();
  }
  if (mesh->GetNumberOfPolys() == 0)
    throw Error("Cannot make a surface", "nothing in the image crosses its level", "Choose another level");
  vtkNew<vtkTransform> place;
  place->SetMatrix(patientMatrix(axes));
  vtkNew<vtkTransformPolyDataFilter> moved;
  moved->SetTransform(place);
  moved->SetInputData(mesh);
  moved->Update();
  progress.report(1, "Surface");
  return moved->GetOutput();
}

vtkSmartPointer<vtkMatrix4x4> patientMatrix(const PixelAxes& axes) {
  auto matrix = vtkSmartPointer<vtkMatrix4x4>::New();
  for (int axis = 0; axis < 3; ++axis) {
    for (int d = 0; d < 3; ++d)
      matrix->SetElement(d, axis, axes.direction[std::size_t(axis)][std::size_t(d)]);
    matrix->SetElement(axis, 3, axes.origin[std::size_t(axis)]);
  }
  return matrix;
}

}  // namespace spokelab
