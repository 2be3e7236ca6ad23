// Numbers in files have a decimal point wherever they are read and written. Our own functions
// (core/text, std::from_chars) know no locale; libraries that use strtod or printf follow the one
// that the program, or the host of the library, has set.
#pragma once

#include <locale.h>

namespace spokelab {

// This thread is in the C locale as long as the object lives.
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
