// The difference of two images on a worker thread; the answer comes back on the thread of the window.
#pragma once

#include <functional>

#include <QObject>
#include <QString>

#include "widgets/image/compare/difference.h"

namespace spokelab {

using DifferenceFunction = std::function<Difference(const Image& image, const Image& reference)>;

// done(difference, failure) runs on the main thread, unless `owner` is gone by then. failure: what the function
// threw, or empty. Neither image may be null.
void runDifference(QObject* owner, DifferenceFunction function, std::shared_ptr<const Image> image,
                   std::shared_ptr<const Image> reference,
                   std::function<void(const Difference& difference, const QString& failure)> done);

}  // namespace spokelab
