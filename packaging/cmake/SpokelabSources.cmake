# spokelab_glob(VARIABLE pattern…): the files that match here and in all folders below, sorted; new files are
# noticed at the next build.
function(spokelab_glob variable)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${ARGN})
  list(SORT sources)
  set(${variable} "${sources}" PARENT_SCOPE)
endfunction()

# spokelab_has_source(VARIABLE file…): true if one of the files is a C++ or CUDA source (a folder that only
# has headers, or nothing yet, gets no target).
function(spokelab_has_source variable)
  set(sources ${ARGN})
  list(FILTER sources INCLUDE REGEX "\\.(cpp|cu)$")
  if(sources)
    set(${variable} TRUE PARENT_SCOPE)
  else()
    set(${variable} FALSE PARENT_SCOPE)
  endif()
endfunction()

# The standard headers that most files include, for target_precompile_headers.
set(SPOKELAB_STANDARD_HEADERS
  <algorithm> <array> <atomic> <chrono> <cmath> <complex> <cstdint> <cstring> <exception> <filesystem> <functional>
  <limits> <map> <memory> <mutex> <numeric> <optional> <set> <span> <sstream> <stop_token> <string> <string_view>
  <thread> <utility> <vector>)

# spokelab_precompile(TARGET header… | REUSE_FROM other): headers that TARGET's files need not compile again.
# Sources still include what they use: configure with -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON to see that they do.
function(spokelab_precompile target)
  if(ARGV1 STREQUAL "REUSE_FROM")
    target_precompile_headers(${target} REUSE_FROM ${ARGV2})
  else()
    target_precompile_headers(${target} PRIVATE ${ARGN})
  endif()
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)  # for ccache
endfunction()
