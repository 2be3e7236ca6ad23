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

# spokelab_automoc(TARGET): moc for TARGET's headers and sources, each by itself (moc_alone.sh.in).
function(spokelab_automoc target)
  get_target_property(moc Qt6::moc IMPORTED_LOCATION)
  set(moc_alone "${PROJECT_BINARY_DIR}/moc_alone.sh")
  configure_file("${PROJECT_SOURCE_DIR}/packaging/cmake/moc_alone.sh.in" "${moc_alone}" @ONLY
    FILE_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
  set_target_properties(${target} PROPERTIES AUTOMOC ON AUTOMOC_EXECUTABLE "${moc_alone}")
endfunction()

# spokelab_unity(TARGET): with SPOKELAB_UNITY, TARGET's sources of a folder are compiled together, up to
# SPOKELAB_UNITY_BYTES a step, which bounds the compiler's memory. A folder of few bytes joins the one before it in the same
# room (the folder above). CMake leaves out files with flags for themselves (COMPILE_OPTIONS). A source that includes
# Eigen is a step by itself: several together took the compiler over 2 GB.
set(SPOKELAB_UNITY_BYTES 100000 CACHE INTERNAL "bytes of source that one step of a unity build compiles")
set(SPOKELAB_UNITY_MIN_BYTES 20000 CACHE INTERNAL "a folder with fewer bytes joins its neighbour")
function(spokelab_unity target)
  if(NOT SPOKELAB_UNITY)
    return()
  endif()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # A type of an unnamed namespace is in no header here, though the compiler takes included sources for headers.
  target_compile_options(${target} PRIVATE $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-subobject-linkage>)
  get_target_property(sources ${target} SOURCES)
  set(folders "")
  foreach(source IN LISTS sources)
    get_source_file_property(flags "${source}" COMPILE_OPTIONS)
    if(flags OR NOT source MATCHES "\\.cpp$")
      continue()
    endif()
    file(STRINGS "${source}" eigen REGEX "^#include (<Eigen|.*(centre_model|singular_shrinkage|singular_vectors)\\.h)" LIMIT_COUNT 1)
    if(eigen)
      set_source_files_properties("${source}" PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
      continue()
    endif()
    cmake_path(ABSOLUTE_PATH source BASE_DIRECTORY "${CMAKE_CURRENT_SOURCE_DIR}")
    cmake_path(GET source PARENT_PATH folder)
    file(SIZE "${source}" size)
    if(NOT folder IN_LIST folders)
      list(APPEND folders "${folder}")
      set(bytes_of_${folder} 0)
    endif()
    list(APPEND sources_of_${folder} "${source}")
    math(EXPR bytes_of_${folder} "${bytes_of_${folder}} + ${size}")
  endforeach()

  set(group "")
  set(group_bytes 0)
  set(group_room "")
  foreach(folder IN LISTS folders)
    cmake_path(GET folder PARENT_PATH room)
    math(EXPR joint "${group_bytes} + ${bytes_of_${folder}}")
    set(small OFF)
    if(bytes_of_${folder} LESS SPOKELAB_UNITY_MIN_BYTES OR (group AND group_bytes LESS SPOKELAB_UNITY_MIN_BYTES))
      set(small ON)
    endif()
    if(NOT (small AND joint LESS SPOKELAB_UNITY_BYTES AND (room STREQUAL group_room OR room STREQUAL group_folder)))
      # Steps of about equal size.
      math(EXPR steps "(${bytes_of_${folder}} + ${SPOKELAB_UNITY_BYTES} - 1) / ${SPOKELAB_UNITY_BYTES}")
      math(EXPR step_bytes "${bytes_of_${folder}} / ${steps}")
      cmake_path(RELATIVE_PATH folder BASE_DIRECTORY "${PROJECT_SOURCE_DIR}" OUTPUT_VARIABLE name)
      string(MAKE_C_IDENTIFIER "${name}" name)
      set(group "${name}")
      set(group_bytes 0)
      set(group_room "${room}")
      set(group_folder "${folder}")
      set(number 1)
    endif()
    foreach(source IN LISTS sources_of_${folder})
      if(number LESS steps AND group_bytes GREATER_EQUAL step_bytes)
        math(EXPR number "${number} + 1")
        set(group "${name}_${number}")
        set(group_bytes 0)
      endif()
      file(SIZE "${source}" size)
      math(EXPR group_bytes "${group_bytes} + ${size}")
      set_source_files_properties("${source}" PROPERTIES UNITY_GROUP "${group}")
    endforeach()
  endforeach()
endfunction()
