# Finds what the Python package is built with; decides SPOKELAB_WITH_PYTHON.
set(SPOKELAB_WITH_PYTHON OFF)
set(SPOKELAB_WITHOUT_PYTHON "SPOKELAB_PYTHON is OFF")  # the reason, for the tests that skip
if(NOT SPOKELAB_PYTHON STREQUAL "OFF")
  find_package(Python 3.10 QUIET COMPONENTS Interpreter OPTIONAL_COMPONENTS Development.Module ${SKBUILD_SABI_COMPONENT})
  set(SPOKELAB_WITHOUT_PYTHON "no Python 3.10 with headers (python3-dev) was found")
  if(Python_Interpreter_FOUND AND Python_Development.Module_FOUND)
    execute_process(COMMAND "${Python_EXECUTABLE}" -m nanobind --cmake_dir OUTPUT_VARIABLE nanobind_folder
                    OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
    find_package(nanobind CONFIG QUIET HINTS "${nanobind_folder}")
    set(SPOKELAB_WITHOUT_PYTHON "nanobind 2.5 or newer was not found for ${Python_EXECUTABLE} (pip install nanobind)")
    if(nanobind_FOUND AND nanobind_VERSION VERSION_GREATER_EQUAL 2.5)
      set(SPOKELAB_WITH_PYTHON ON)
    endif()
  endif()
  if(SPOKELAB_PYTHON STREQUAL "ON" AND NOT SPOKELAB_WITH_PYTHON)
    message(FATAL_ERROR "SPOKELAB_PYTHON=ON, but ${SPOKELAB_WITHOUT_PYTHON}")
  endif()
endif()

# spokelab_prebuilt(): the installed library that SPOKELAB_ROOT names, of this version.
function(spokelab_prebuilt)
  find_package(Spokelab CONFIG GLOBAL PATHS "${SPOKELAB_ROOT}" NO_DEFAULT_PATH)
  if(NOT Spokelab_FOUND)
    message(FATAL_ERROR "SPOKELAB_ROOT is '${SPOKELAB_ROOT}', where no Spokelab with its development files is installed. Name the "
                        "prefix of 'cmake --install' (or /usr, with the packages libspokelab1 and libspokelab-dev), or unset it.")
  endif()
  if(NOT Spokelab_VERSION VERSION_EQUAL PROJECT_VERSION)
    message(FATAL_ERROR "SPOKELAB_ROOT is '${SPOKELAB_ROOT}', where Spokelab ${Spokelab_VERSION} is installed. The Python package "
                        "${PROJECT_VERSION} needs the library of its own version.")
  endif()
endfunction()
