// A surface is where the image has its level: in the patient, in anisotropic voxels, cut by the
// box, thinned if too large.
#include <vtkImageData.h>
#include <vtkMassProperties.h>
#include <vtkNew.h>
#include <vtkPolyData.h>

#include <QtTest>

#include <cmath>
#include <numbers>

#include "engine/core/error.h"
#include "tests/test_main.h"
#include "tests/widgets/image/sample_images.h"
#include "widgets/image/volume/prepared_volume.h"
#include "widgets/image/volume/surface_mesh.h"

namespace test_surface_mesh {

using namespace spokelab;

namespace {

constexpr double radius = 50;  // mm

// |m| falls by 1 per 50 mm from 2 at the middle of the matrix: the level 1 is a ball of 50 mm about
// that.
std::shared_ptr<Image> cone(const Index3& size, const Vec3& voxel) {
  auto image = samples::blank(size, voxel);
  std::size_t i = 0;
  for (std::int64_t z = 0; z < size[2]; ++z)
    for (std::int64_t y = 0; y < size[1]; ++y)
      for (std::int64_t x = 0; x < size[0]; ++x, ++i) {
        const double r = std::hypot((double(x) - double(size[0]) / 2) * voxel[0],
                                    (double(y) - double(size[1]) / 2) * voxel[1],
                                    (double(z) - double(size[2]) / 2) * voxel[2]);
        image->data[i] = std::polar(float(std::max(0.0, 2 - r / radius)), float(i % 7));
      }
  return image;
}

std::array<double, 6> boundsOf(vtkPolyData* mesh) {
  std::array<double, 6> bounds{};
  mesh->GetBounds(bounds.data());
  return bounds;
}

constexpr std::array<double, 6> whole{0, 1, 0, 1, 0, 1};

}  // namespace

class TestSurfaceMesh : public QObject {
  Q_OBJECT

 private Q_SLOTS:
  void aBallHasItsRadiusAreaAndVolume() {
    const auto image = cone({40, 60, 30}, {3, 2, 4});
    const auto mesh = patientSurface(*image, 0, 1, whole, {});
    const Vec3 centre = pixelAxes(*image).position(Vec3{20, 30, 15});
    double farthest = 0, nearest = 1e9;
    for (vtkIdType i = 0; i < mesh->GetNumberOfPoints(); ++i) {
      const double* p = mesh->GetPoint(i);
      const double r = std::hypot(p[0] - centre[0], p[1] - centre[1], p[2] - centre[2]);
      farthest = std::max(farthest, r);
      nearest = std::min(nearest, r);
    }
    QVERIFY2(nearest > radius - 0.2 && farthest < radius + 0.2,
             qPrintable(QStringLiteral("%1 ... %2 mm").arg(nearest).arg(farthest)));
    vtkNew<vtkMassProperties> properties;
    properties->SetInputData(mesh);
    const double volume = 4 * std::numbers::pi / 3 * std::pow(radius, 3), area = 3 * volume / radius;
    QVERIFY(std::abs(properties->GetVolume() / volume - 1) < 0.01);
    QVERIFY(std::abs(properties->GetSurfaceArea() / area - 1) < 0.01);
  }

  void itLiesWhereThePatientIs() {
    auto image = samples::blank({32, 32, 32}, {10, 10, 10});
    samples::fillBox(*image, {22, 7, 20}, {26, 10, 25}, cfloat(0, 1));
    // Half a voxel beyond the outermost ones: half of their value.
    const std::array<double, 6> expected{55, 105, -95, -55, 35, 95};
    const auto straight = boundsOf(patientSurface(*image, 0, 0.5, whole, {}));
    for (std::size_t i = 0; i < 6; ++i) QVERIFY(std::abs(straight[i] - expected[i]) < 1e-3);
    image->geometry.readDirection = {0, 1, 0};  // x to the back, y to the head, z to the right
    image->geometry.phaseDirection = {0, 0, 1};
    image->geometry.sliceDirection = {-1, 0, 0};
    const std::array<double, 6> turned{-95, -35, 55, 105, -95, -55};
    const auto bounds = boundsOf(patientSurface(*image, 0, 0.5, whole, {}));
    for (std::size_t i = 0; i < 6; ++i) QVERIFY(std::abs(bounds[i] - turned[i]) < 1e-3);
  }

  void theBoxCutsIt() {
    const auto image = cone({40, 40, 40}, {3, 3, 3});
    const auto cut = boundsOf(patientSurface(*image, 0, 1, {0.5, 1, 0, 1, 0, 0.75}, {}));
    const Vec3 low = pixelAxes(*image).position(Vec3{19.5, 0, 0}),
               high = pixelAxes(*image).position(Vec3{0, 0, 29.25});
    QVERIFY(std::abs(cut[0] - low[0]) < 1e-3 && std::abs(cut[5] - high[2]) < 1e-3);
    const double middle = pixelAxes(*image).position(Vec3{0, 20, 0})[1];
    QVERIFY(std::abs(cut[2] - (middle - radius)) < 0.3 && std::abs(cut[3] - (middle + radius)) < 0.3);
  }

  void aLevelThatNothingCrossesIsSaid() {
    const auto image = cone({20, 20, 20}, {6, 6, 6});
    QVERIFY_EXCEPTION_THROWN(patientSurface(*image, 0, 7, whole, {}), Error);
    QVERIFY_EXCEPTION_THROWN(patientSurface(*image, 0, 1, {0, 0.02, 0, 0.02, 0, 0.02}, {}), Error);
  }

  void tooManyTrianglesMakeItCoarser() {
    const auto image = cone({64, 64, 64}, {2, 2, 2});
    const auto volume = prepareVolume(reduceVolume(*image, 0, 64 * 64 * 64, 2), false, 2);
    const auto fine = makeSurface(volume->surfaceGrid, volume->data.step, 1, 1'000'000);
    QCOMPARE(fine->coarser, 1);
    QVERIFY(fine->triangles > 10000);
    const auto coarse = makeSurface(volume->surfaceGrid, volume->data.step, 1, fine->triangles / 3);
    QVERIFY(coarse->coarser >= 2 && coarse->triangles <= fine->triangles / 3 && coarse->triangles > 100);
    const auto a = boundsOf(fine->mesh), b = boundsOf(coarse->mesh);
    for (std::size_t i = 0; i < 6; ++i) {
      QVERIFY(std::abs(a[i] - (64 + (i % 2 == 0 ? -radius : radius))) < 0.3);
      QVERIFY2(std::abs(a[i] - b[i]) < 1, qPrintable(QStringLiteral("%1, %2").arg(a[i]).arg(b[i])));
    }
  }
};

SPOKELAB_CORE_TEST(TestSurfaceMesh)

}  // namespace test_surface_mesh

#include "test_surface_mesh.moc"
