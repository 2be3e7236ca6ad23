# Options, language standard, warnings, sanitizers, ccache. Sets the interface target spokelab_options,
# which every C++ target of ours links.

set(SPOKELAB_GUI AUTO CACHE STRING "Build the window: AUTO (where Qt 6, VTK and QCustomPlot are found), ON, OFF")
set(SPOKELAB_CUDA AUTO CACHE STRING "Build the CUDA module: AUTO (where the toolkit is found), ON, OFF")
set(SPOKELAB_MPI AUTO CACHE STRING "Build the MPI modules: AUTO (those of Open MPI and MPICH that are found), ON, OFF")
set(SPOKELAB_TESTS AUTO CACHE STRING "Build the tests: AUTO (where Qt Test is found), ON, OFF")
set(SPOKELAB_PYTHON AUTO CACHE STRING "Build the Python package: AUTO (where Python and nanobind are found), ON, OFF")
set(SPOKELAB_OCTAVE AUTO CACHE STRING "Build the MEX file for Octave: AUTO (where mkoctfile is found), ON, OFF")
option(SPOKELAB_BENCH "Build tests/bench with everything else" OFF)
option(SPOKELAB_WERROR "Warnings are errors" OFF)
option(SPOKELAB_UNITY "Compile the sources of a room together: a third of the processor time of a whole build" OFF)
option(SPOKELAB_CCACHE "Compile through ccache where it is installed" ON)
set(SPOKELAB_SANITIZE "" CACHE STRING "Sanitizers, as in 'address;undefined' or 'thread'")
foreach(option SPOKELAB_GUI SPOKELAB_CUDA SPOKELAB_MPI SPOKELAB_TESTS SPOKELAB_PYTHON SPOKELAB_OCTAVE)
  set_property(CACHE ${option} PROPERTY STRINGS AUTO ON OFF)
endforeach()

get_property(multi_config GLOBAL PROPERTY GENERATOR_IS_MULTI_CONFIG)
if(NOT multi_config AND NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release, RelWithDebInfo" FORCE)
endif()
if(NOT DEFINED SPOKELAB_OWN_FLAGS)
  set(SPOKELAB_OWN_FLAGS ON CACHE INTERNAL "the build types' flags below have been set once")
  set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "" FORCE)
  set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1" CACHE STRING "" FORCE)  # asserts stay in
endif()

# Debian's folder for libraries also below /usr/local, where CMake would take lib: the same tree is packaged for /usr.
# Here, as packages that are found ask CMake for its own folders.
if(EXISTS /etc/debian_version AND CMAKE_LIBRARY_ARCHITECTURE)
  set(CMAKE_INSTALL_LIBDIR "lib/${CMAKE_LIBRARY_ARCHITECTURE}" CACHE PATH "Folder of libraries, below the prefix")
endif()

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_LINK_DEPENDS_NO_SHARED ON)
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)  # moc reads headers: it need not wait for the libraries
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}")

if(SPOKELAB_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(SPOKELAB_CCACHE_PROGRAM ccache)
  if(SPOKELAB_CCACHE_PROGRAM)
    # What ccache must overlook to cache files that use a precompiled header. Paths below the checkout count relative
    # to it, so that a fresh clone finds what another has compiled.
    set(launcher "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
                 "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1 "${SPOKELAB_CCACHE_PROGRAM}")
    set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
    set(CMAKE_CUDA_COMPILER_LAUNCHER ${launcher})
  endif()
endif()

add_library(spokelab_options INTERFACE)
add_library(spokelab::options ALIAS spokelab_options)
target_include_directories(spokelab_options INTERFACE "${PROJECT_SOURCE_DIR}")
target_compile_options(spokelab_options INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual>
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wshadow=local>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>
  # GCC collects its garbage from 600 MB on: a seventh of a step's time for 130 MB more.
  $<$<COMPILE_LANG_AND_ID:CXX,GNU>:--param=ggc-min-heapsize=600000>)
# For code that waits for the engine or for a hand: window, widgets, command line, tests. -O1 saves the compiler 15 to 40 %.
# GCC is then wrong about more values that it takes to be uninitialized.
set(SPOKELAB_COLD_FLAGS $<$<AND:$<CONFIG:Release>,$<COMPILE_LANGUAGE:CXX>>:-O1>
                        $<$<AND:$<CONFIG:Release>,$<COMPILE_LANG_AND_ID:CXX,GNU>>:-Wno-maybe-uninitialized>)
if(SPOKELAB_WERROR)
  target_compile_options(spokelab_options INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Werror> $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Werror --Werror=all-warnings>)
endif()

if(SPOKELAB_SANITIZE)
  string(REPLACE ";" "," sanitizers "${SPOKELAB_SANITIZE}")
  # -O1: with checks between them, -O2 takes the compiler three times as long and gains the tests little.
  add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-O1>
                      $<$<COMPILE_LANGUAGE:CXX>:-fsanitize=${sanitizers}>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-sanitize-recover=all>
                      $<$<COMPILE_LANGUAGE:CXX>:-fno-omit-frame-pointer>
                      # GCC 12 is wrong about the library's own <regex> and about short strings here
                      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-maybe-uninitialized>
                      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-array-bounds>
                      $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-stringop-overflow>)
  add_link_options(-fsanitize=${sanitizers})
endif()

set(SPOKELAB_X86_64 OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
  set(SPOKELAB_X86_64 ON)
endif()
