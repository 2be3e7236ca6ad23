#include "widgets/image/time_course.h"

#include <cmath>

namespace spokelab {

std::vector<double> timeCourse(const Image& image, const std::optional<ImageRegion>& region,
                               const Index3& pixel) {
  std::vector<double> course;
  if (image.frames < 2) return course;
  for (std::size_t d = 0; d < 3; ++d)
    if (!region && (pixel[d] < 0 || pixel[d] >= image.size[d])) return course;
  const std::int64_t place = (pixel[2] * image.size[1] + pixel[1]) * image.size[0] + pixel[0];
  for (int frame = 0; frame < image.frames; ++frame)
    course.push_back(region ? regionStatistics(image, frame, *region).magnitudeMean
                            : std::abs(cdouble(image.frame(frame)[place])));
  return course;
}

}  // namespace spokelab
