// A locale in which numbers are written with a decimal comma, as a program that uses the engine, or
// Qt's application object, may set one.
#pragma once

namespace spokelab::test {

// Takes such a locale, for this process and those that it starts. Where the system has none it is
// made once, in the build folder, of the package "locales". False where that is missing, too.
bool takeCommaLocale();

}  // namespace spokelab::test
