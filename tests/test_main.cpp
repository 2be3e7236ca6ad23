// main() of all test programs: the first argument names the test, the others are Qt Test's. With
// SPOKELAB_COMMA_LOCALE set, the test runs in a locale with a decimal comma.
#include "tests/test_main.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>

#include "tests/comma_locale.h"

namespace spokelab::test {
namespace {

std::map<std::string, Run>& tests() {
  static std::map<std::string, Run> all;  // by property
  return all;
}

// "test_kernel.cpp" -> "kernel"
std::string propertyOf(const std::string& file) {
  constexpr std::size_t prefix = sizeof("test_") - 1;
  return file.substr(prefix, file.rfind('.') - prefix);
}

int runNamed(int argc, char** argv) {
  const auto named = argc > 1 ? tests().find(argv[1]) : tests().end();
  if (named == tests().end()) {
    std::fprintf(stderr, "usage: %s TEST [Qt Test's arguments], TEST one of\n", argv[0]);
    for (const auto& [property, run] : tests()) std::fprintf(stderr, "  %s\n", property.c_str());
    return 2;
  }
  // Qt takes the application's name from here. Each test has its own, and with it its own folder of
  // settings: tests run at the same time.
  std::string program = std::string(argv[0]) + "_" + named->first;
  argv[1] = program.data();
  return named->second(argc - 1, argv + 1);
}

}  // namespace

bool addTest(const char* file, Run run) {
  return tests().emplace(propertyOf(file), run).second;
}

}  // namespace spokelab::test

int main(int argc, char** argv) {
  setenv("SPOKELAB_PLUGINS", "none", 0);  // the user's plug-ins must not take part
  if (std::getenv("SPOKELAB_COMMA_LOCALE") && !spokelab::test::takeCommaLocale()) {
    std::puts("SKIP: no locale with a decimal comma can be made: install the package locales");
    return 0;
  }
  return spokelab::test::runNamed(argc, argv);
}
