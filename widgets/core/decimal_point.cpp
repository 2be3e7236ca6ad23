#include "widgets/core/decimal_point.h"

#include <QLocale>

#include <clocale>

namespace spokelab {

void useDecimalPoint() {
  std::setlocale(LC_NUMERIC, "C");
  QLocale::setDefault(QLocale::c());
}

}  // namespace spokelab
