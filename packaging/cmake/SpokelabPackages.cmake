# Finds what Spokelab uses. The engine's packages are required; the window, the CUDA module and the tests
# follow what is there unless their option says ON.

find_package(Threads REQUIRED)
find_package(ZLIB REQUIRED)
find_package(PNG REQUIRED)
find_package(TBB REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(CLI11 REQUIRED)
# Not through pkg-config: libvtk9-dev turns hdf5.pc to the MPI flavour.
set(HDF5_PREFER_PARALLEL FALSE)
find_package(HDF5 REQUIRED COMPONENTS C)
# HDF5 1.12 and later rename functions and types of 1.10 (Debian 12), unless asked for these.
list(APPEND HDF5_DEFINITIONS H5_USE_110_API)
find_package(ISMRMRD REQUIRED)

# xsimd's own CMake target links a library that is not packaged; its headers are all it is.
find_path(XSIMD_INCLUDE_DIR xsimd/xsimd.hpp REQUIRED)
add_library(spokelab_xsimd INTERFACE)
target_include_directories(spokelab_xsimd SYSTEM INTERFACE "${XSIMD_INCLUDE_DIR}")

# Eigen is all headers.
find_path(EIGEN3_INCLUDE_DIR Eigen/Core PATH_SUFFIXES eigen3 REQUIRED)
add_library(spokelab_eigen INTERFACE)
target_include_directories(spokelab_eigen SYSTEM INTERFACE "${EIGEN3_INCLUDE_DIR}")

include(SpokelabFft)

find_path(NIFTI_INCLUDE_DIR nifti1_io.h PATH_SUFFIXES nifti REQUIRED)
find_library(NIFTIIO_LIBRARY niftiio REQUIRED)
find_library(ZNZ_LIBRARY znz REQUIRED)
add_library(spokelab_nifti INTERFACE)
target_include_directories(spokelab_nifti SYSTEM INTERFACE "${NIFTI_INCLUDE_DIR}")
target_link_libraries(spokelab_nifti INTERFACE "${NIFTIIO_LIBRARY}" "${ZNZ_LIBRARY}" ZLIB::ZLIB)

# DCMTK's own CMake package asks for all of its libraries and what each of them needs.
find_path(DCMTK_INCLUDE_DIR dcmtk/dcmdata/dctk.h REQUIRED)
add_library(spokelab_dcmtk INTERFACE)
target_include_directories(spokelab_dcmtk SYSTEM INTERFACE "${DCMTK_INCLUDE_DIR}")
foreach(library dcmdata dcmjpeg dcmjpls oflog ofstd)
  string(TOUPPER ${library} upper)
  find_library(${upper}_LIBRARY ${library} REQUIRED)
  target_link_libraries(spokelab_dcmtk INTERFACE "${${upper}_LIBRARY}")
endforeach()

# zip's own CMake package asks for tools that the distributions keep in other packages; matio has none.
foreach(pair "zip zip.h" "matio matio.h")
  separate_arguments(pair)
  list(GET pair 0 library)
  list(GET pair 1 header)
  string(TOUPPER ${library} upper)
  find_path(${upper}_INCLUDE_DIR ${header} REQUIRED)
  find_library(${upper}_LIBRARY ${library} REQUIRED)
  add_library(spokelab_${library} INTERFACE)
  target_include_directories(spokelab_${library} SYSTEM INTERFACE "${${upper}_INCLUDE_DIR}")
  target_link_libraries(spokelab_${library} INTERFACE "${${upper}_LIBRARY}")
endforeach()

# Confines the processes that read files (engine/core/child/confine.h); without it Landlock alone does.
find_path(SECCOMP_INCLUDE_DIR seccomp.h)
find_library(SECCOMP_LIBRARY seccomp)
add_library(spokelab_seccomp INTERFACE)
if(SECCOMP_INCLUDE_DIR AND SECCOMP_LIBRARY)
  target_include_directories(spokelab_seccomp SYSTEM INTERFACE "${SECCOMP_INCLUDE_DIR}")
  target_link_libraries(spokelab_seccomp INTERFACE "${SECCOMP_LIBRARY}")
  set(SPOKELAB_SECCOMP ON)
endif()

# --- the window ------------------------------------------------------------------------------------
set(SPOKELAB_WITH_GUI OFF)
if(NOT SPOKELAB_GUI STREQUAL "OFF")
  set(required "")
  if(SPOKELAB_GUI STREQUAL "ON")
    set(required REQUIRED)
  endif()
  find_package(Qt6 6.4 QUIET ${required} COMPONENTS Core Gui Widgets Network OpenGL OpenGLWidgets Svg PrintSupport)
  find_package(QCustomPlotQt6 QUIET ${required})
  # Named components: plain find_package(VTK) fails on the distributions' Qt 5 module.
  find_package(VTK 9.1 QUIET ${required} COMPONENTS
    CommonCore CommonDataModel CommonExecutionModel CommonMath CommonTransforms CommonColor
    FiltersCore FiltersGeneral FiltersGeometry FiltersModeling FiltersSources
    ImagingCore IOGeometry IOImage IOPLY InteractionStyle InteractionWidgets
    RenderingAnnotation RenderingContext2D RenderingContextOpenGL2 RenderingCore RenderingFreeType
    RenderingOpenGL2 RenderingUI RenderingVolume RenderingVolumeOpenGL2)
  if(Qt6_FOUND AND QCustomPlotQt6_FOUND AND VTK_FOUND)
    set(SPOKELAB_WITH_GUI ON)
  endif()
endif()

# --- the CUDA module -------------------------------------------------------------------------------
set(SPOKELAB_WITH_CUDA OFF)
if(NOT SPOKELAB_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
    find_program(SPOKELAB_NVCC nvcc PATHS /usr/local/cuda/bin)
    if(SPOKELAB_NVCC)
      set(ENV{CUDACXX} "${SPOKELAB_NVCC}")
    endif()
  endif()
  include(CheckLanguage)
  find_package(CUDAToolkit 12.4 QUIET)  # the first with C++20 for the compilers we build with
  if(CUDAToolkit_FOUND)
    check_language(CUDA)
  endif()
  if(CUDAToolkit_FOUND AND CMAKE_CUDA_COMPILER)
    # The GPUs of this machine, else compute capability 9.0 with its PTX, which newer devices compile when they load it.
    # One module for all from 7.5 on: -DCMAKE_CUDA_ARCHITECTURES=all-major, which takes several times as long to build.
    if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES)
      set(architectures "")
      find_program(SPOKELAB_NVIDIA_SMI nvidia-smi)
      if(SPOKELAB_NVIDIA_SMI)
        execute_process(COMMAND "${SPOKELAB_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
          OUTPUT_VARIABLE capabilities OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
        string(REGEX MATCHALL "[0-9]+\\.[0-9]" architectures "${capabilities}")
        list(TRANSFORM architectures REPLACE "\\." "")
        list(REMOVE_DUPLICATES architectures)
      endif()
      if(NOT architectures)
        set(architectures 90)
      endif()
      set(CMAKE_CUDA_ARCHITECTURES "${architectures}" CACHE STRING "CUDA architectures")
    endif()
    enable_language(CUDA)
    if(NOT CMAKE_CUDA20_STANDARD_COMPILE_OPTION)  # CMake 3.25.1 does not know nvcc's flag
      set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
      set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
    endif()
    set(CMAKE_CUDA_STANDARD 20)
    set(CMAKE_CUDA_EXTENSIONS OFF)
    set(SPOKELAB_WITH_CUDA ON)
  endif()
  if(SPOKELAB_CUDA STREQUAL "ON" AND NOT SPOKELAB_WITH_CUDA)
    message(FATAL_ERROR "SPOKELAB_CUDA=ON, but no CUDA toolkit 12.4 or newer that works was found (is nvcc on the PATH?)")
  endif()
endif()

include(SpokelabPython)

# --- Octave ------------------------------------------------------------------------------------------
set(SPOKELAB_WITH_OCTAVE OFF)
set(SPOKELAB_WITHOUT_OCTAVE "SPOKELAB_OCTAVE is OFF")  # the reason, for the tests that skip
if(NOT SPOKELAB_OCTAVE STREQUAL "OFF")
  find_program(SPOKELAB_MKOCTFILE mkoctfile)
  find_program(SPOKELAB_OCTAVE_PROGRAM NAMES octave-cli octave)
  set(SPOKELAB_WITHOUT_OCTAVE "no Octave with mkoctfile (octave-dev) was found")
  if(SPOKELAB_MKOCTFILE AND SPOKELAB_OCTAVE_PROGRAM)
    set(SPOKELAB_WITH_OCTAVE ON)
  endif()
  if(SPOKELAB_OCTAVE STREQUAL "ON" AND NOT SPOKELAB_WITH_OCTAVE)
    message(FATAL_ERROR "SPOKELAB_OCTAVE=ON, but ${SPOKELAB_WITHOUT_OCTAVE}")
  endif()
endif()

# --- the tests -------------------------------------------------------------------------------------
set(SPOKELAB_WITH_TESTS OFF)
if(NOT SPOKELAB_TESTS STREQUAL "OFF")
  set(required "")
  if(SPOKELAB_TESTS STREQUAL "ON")
    set(required REQUIRED)
  endif()
  find_package(Qt6 6.4 QUIET ${required} COMPONENTS Core Test)
  if(Qt6Test_FOUND)
    set(SPOKELAB_WITH_TESTS ON)
  endif()
endif()
