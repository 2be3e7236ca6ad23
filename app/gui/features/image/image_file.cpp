#include "app/gui/features/image/image_file.h"

#include <QCoreApplication>

#include "engine/scan/check/compare_images.h"
#include "engine/scan/formats/images/read_image.h"
#include "widgets/core/number_text.h"

namespace spokelab {

std::shared_ptr<const Reconstruction> readImageResult(const std::filesystem::path& file, const Scan* scan,
                                                      const Progress& progress) {
  auto image = std::make_shared<Image>(readImage(file, progress));
  const std::string name = file.filename().string();
  if (image->name.empty()) image->name = name;
  if (image->geometry.nominal && scan && scan->geometry.matrix == image->size)
    image->geometry = scan->geometry;
  auto result = std::make_shared<Reconstruction>();
  result->image = std::move(image);
  result->origin = ResultOrigin::file;
  result->plan.description = name;
  result->density = "of the file";
  result->notes.push_back("read from " + file.string());
  return result;
}

QString imageText(const Image& image) {
  const auto tr = [](const char* text) { return QCoreApplication::translate("spokelab::ImageFile", text); };
  QStringList parts{sizeLabel(image.size)};
  constexpr int decimals = 2;
  const Vec3 voxel = image.geometry.voxel();
  if (!image.geometry.nominal)
    parts << tr("%1 × %2 × %3 mm")
                 .arg(numberLabel(voxel[0], decimals), numberLabel(voxel[1], decimals),
                      numberLabel(voxel[2], decimals));
  if (image.frames > 1) parts << tr("%1 frames").arg(image.frames);
  parts << (isMagnitude(image) ? tr("magnitude") : tr("complex"));
  return parts.join(QStringLiteral(", "));
}

}  // namespace spokelab
