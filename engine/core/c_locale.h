// Keeps the decimal point in files. Our own functions (core/text, std::from_chars) ignore the
// locale; libraries that call strtod or printf follow the locale that the program or the library's
// host has set. Hold a CLocale around calls of such libraries.
#pragma once

#include <locale.h>

namespace spokelab {

// Sets the C locale for this thread; the destructor restores the former one.
class CLocale {
 public:
  CLocale() : earlier_(::uselocale(cLocale())) {}
  ~CLocale() { ::uselocale(earlier_); }
  CLocale(const CLocale&) = delete;
  CLocale& operator=(const CLocale&) = delete;

 private:
  static ::locale_t cLocale() {
    static const ::locale_t locale = ::newlocale(LC_ALL_MASK, "C", ::locale_t{});
    return locale;
  }

  ::locale_t earlier_;
};

}  // namespace spokelab
