# The Fourier transforms of lines (engine/nufft/fft): FFTW, which is under the GPL, or DUCC, whose files for transforms are
# under the BSD licence. Sets the interface target spokelab_fft, and spokelab_fftw where FFTW is found.
set(SPOKELAB_FFT fftw CACHE STRING "Library for Fourier transforms on the CPU: fftw (GPL), ducc (BSD)")
set_property(CACHE SPOKELAB_FFT PROPERTY STRINGS fftw ducc)
if(NOT SPOKELAB_FFT MATCHES "^(fftw|ducc)$")
  message(FATAL_ERROR "SPOKELAB_FFT is '${SPOKELAB_FFT}'. Choose fftw or ducc.")
endif()

# FFTW has no CMake package in the distributions. With DUCC, a benchmark compares the two.
set(required "")
if(SPOKELAB_FFT STREQUAL "fftw")
  set(required REQUIRED)
endif()
find_path(FFTW3_INCLUDE_DIR fftw3.h ${required})
set(fftw_parts "${FFTW3_INCLUDE_DIR}")
foreach(library fftw3_threads fftw3f_threads fftw3 fftw3f)
  string(TOUPPER ${library} upper)
  find_library(${upper}_LIBRARY ${library} ${required})
  list(APPEND fftw_parts "${${upper}_LIBRARY}")
endforeach()
if(NOT fftw_parts MATCHES "NOTFOUND")
  add_library(spokelab_fftw INTERFACE)
  target_include_directories(spokelab_fftw SYSTEM INTERFACE "${FFTW3_INCLUDE_DIR}")
  list(POP_FRONT fftw_parts)
  target_link_libraries(spokelab_fftw INTERFACE ${fftw_parts})
endif()

add_library(spokelab_fft INTERFACE)
if(SPOKELAB_FFT STREQUAL "fftw")
  target_link_libraries(spokelab_fft INTERFACE spokelab_fftw)
  return()
endif()

# DUCC is in no package of Debian 12 and 13. Its source package is taken from the Python package index into the build folder,
# by version and checksum, or from a folder that is named.
set(ducc_version 0.42.0)
set(ducc_sum 4e11c59b53a43355b053aebb2a62ee16eebeed026575f7d216cf09d437ce52ef)
set(SPOKELAB_DUCC_SOURCE "" CACHE PATH "Folder src of DUCC's source package, which has ducc0/fft; empty: taken from the Python package index")
set(ducc_source "${SPOKELAB_DUCC_SOURCE}")
if(NOT ducc_source)
  set(ducc_folder "${PROJECT_BINARY_DIR}/ducc")
  set(ducc_source "${ducc_folder}/ducc0-${ducc_version}/src")
  set(ducc_archive "${ducc_folder}/ducc0-${ducc_version}.tar.gz")
  if(NOT EXISTS "${ducc_source}/ducc0/fft/fft1d_impl.h")
    message(STATUS "DUCC ${ducc_version}: from the Python package index")
    file(CONFIGURE OUTPUT "${ducc_folder}/requirements.txt"
         CONTENT "ducc0==${ducc_version} --hash=sha256:${ducc_sum}\n" @ONLY)
    find_program(SPOKELAB_PYTHON3 python3)
    execute_process(
      COMMAND "${SPOKELAB_PYTHON3}" -m pip download --quiet --no-deps --no-binary ducc0 --require-hashes
              --requirement "${ducc_folder}/requirements.txt" --dest "${ducc_folder}"
      RESULT_VARIABLE failed ERROR_VARIABLE why OUTPUT_VARIABLE why)
    if(failed OR NOT EXISTS "${ducc_archive}")
      message(FATAL_ERROR
        "SPOKELAB_FFT=ducc: DUCC ${ducc_version} could not be taken from the Python package index.\n${why}\n"
        "It needs python3 with pip, and the index. Or unpack DUCC's source package and name its folder src by "
        "-DSPOKELAB_DUCC_SOURCE=FOLDER, or choose -DSPOKELAB_FFT=fftw.")
    endif()
    file(SHA256 "${ducc_archive}" sum)  # an older pip may have found the archive here and not looked at it
    if(NOT sum STREQUAL ducc_sum)
      message(FATAL_ERROR "${ducc_archive} has the checksum ${sum}, not ${ducc_sum}. Remove it and configure again.")
    endif()
    file(ARCHIVE_EXTRACT INPUT "${ducc_archive}" DESTINATION "${ducc_folder}")
  endif()
elseif(NOT EXISTS "${ducc_source}/ducc0/fft/fft1d_impl.h")
  message(FATAL_ERROR "SPOKELAB_DUCC_SOURCE is '${ducc_source}', where there is no ducc0/fft/fft1d_impl.h. "
                      "Name the folder src of DUCC's source package (ducc0 ${ducc_version}).")
else()
  set(ducc_version "of unknown version")
  if(EXISTS "${ducc_source}/../PKG-INFO")
    file(STRINGS "${ducc_source}/../PKG-INFO" line REGEX "^Version: " LIMIT_COUNT 1)
    string(REPLACE "Version: " "" ducc_version "${line}")
  endif()
endif()
target_include_directories(spokelab_fft SYSTEM INTERFACE "${ducc_source}")
target_compile_definitions(spokelab_fft INTERFACE "SPOKELAB_DUCC_VERSION=\"${ducc_version}\"")
