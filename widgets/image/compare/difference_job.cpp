#include "widgets/image/compare/difference_job.h"

#include <exception>

#include <QCoreApplication>
#include <QPointer>
#include <QThreadPool>

namespace spokelab {

void runDifference(QObject* owner, DifferenceFunction function, std::shared_ptr<const Image> image,
                   std::shared_ptr<const Image> reference,
                   std::function<void(const Difference& difference, const QString& failure)> done) {
  QThreadPool::globalInstance()->start([self = QPointer<QObject>(owner), function = std::move(function),
                                        image = std::move(image), reference = std::move(reference),
                                        done = std::move(done)] {
    Difference difference;
    QString failure;
    try {
      difference = function(*image, *reference);
    } catch (const std::exception& error) {
      failure = QString::fromUtf8(error.what());
    }
    // Back on the window's thread, where `self` is looked at for the first time.
    QMetaObject::invokeMethod(QCoreApplication::instance(), [self, done, difference, failure] {
      if (self) done(difference, failure);
    });
  });
}

}  // namespace spokelab
