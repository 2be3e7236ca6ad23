# Rules of `cmake --install`.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the programs are enough: packages are made without the tests
foreach(program spokelab spokelab-cli)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    list(APPEND documented "$<TARGET_FILE:${program}>")
  endif()
endforeach()
if(documented)  # pages for man, completions for shells
  install(CODE "set(programs \"${documented}\")\nset(data \"${CMAKE_INSTALL_DATADIR}\")\nset(man \"${CMAKE_INSTALL_MANDIR}\")")
  install(SCRIPT "${CMAKE_CURRENT_LIST_DIR}/install_usage.cmake")
endif()
foreach(mpi IN LISTS SPOKELAB_WITH_MPI)
  install(TARGETS spokelab_${mpi} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/spokelab" COMPONENT mpi)
endforeach()
install(TARGETS spokelab_dicom LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/spokelab")
if(TARGET spokelab_cuda)
  install(TARGETS spokelab_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/spokelab" COMPONENT cuda)
endif()
# For other programs: the C interface, found by find_package(Spokelab) and by pkg-config.
if(TARGET spokelab_api)
  include(CMakePackageConfigHelpers)
  set(package_folder "${CMAKE_INSTALL_LIBDIR}/cmake/Spokelab")
  install(TARGETS spokelab_api EXPORT SpokelabTargets
          LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" COMPONENT library NAMELINK_COMPONENT development)
  install(FILES app/api/spokelab.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" COMPONENT development)
  install(FILES engine/nufft/plugin/spokelab_plugin.h
                engine/recon/functional/denoiser/spokelab_denoiser.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
          COMPONENT development)
  install(EXPORT SpokelabTargets NAMESPACE Spokelab:: DESTINATION "${package_folder}"
          FILE SpokelabConfig.cmake COMPONENT development)
  write_basic_package_version_file("${PROJECT_BINARY_DIR}/SpokelabConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
  install(FILES "${PROJECT_BINARY_DIR}/SpokelabConfigVersion.cmake" DESTINATION "${package_folder}"
          COMPONENT development)
  # From the file's folder up to the prefix, so that an installed tree can be moved.
  string(REGEX REPLACE "[^/]+" ".." pc_up "${CMAKE_INSTALL_LIBDIR}")
  configure_file("${CMAKE_CURRENT_LIST_DIR}/spokelab.pc.in" "${PROJECT_BINARY_DIR}/spokelab.pc" @ONLY)
  install(FILES "${PROJECT_BINARY_DIR}/spokelab.pc" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig"
          COMPONENT development)
endif()
# The Python package for the distribution's own Python, as a Debian package; wheels are made from pyproject.toml.
set(python3_version "")
if(TARGET spokelab_python)
  # A module that another Python of the same version built is the same: any Python may come first on the PATH.
  execute_process(COMMAND /usr/bin/python3 -c "import sys; print('%d.%d' % sys.version_info[:2])"
                  OUTPUT_VARIABLE debian_python OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
  if(debian_python STREQUAL "${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}")
    set(python3_version ${debian_python})
    set(python3_folder lib/python3/dist-packages/spokelab)
    install(TARGETS spokelab_python LIBRARY DESTINATION "${python3_folder}" COMPONENT python3 EXCLUDE_FROM_ALL)
    install(DIRECTORY app/python/spokelab/ DESTINATION "${python3_folder}" COMPONENT python3 EXCLUDE_FROM_ALL
            FILES_MATCHING PATTERN "*.py" PATTERN "*.pyi" PATTERN "py.typed" PATTERN "__pycache__" EXCLUDE)
  else()
    message(STATUS "No package python3-spokelab: the module is for Python ${Python_VERSION_MAJOR}.${Python_VERSION_MINOR}, "
                   "the distribution's is '${debian_python}'")
  endif()
endif()
# What Debian's policy asks of each package: its licence and its changelog.
set(SPOKELAB_MAINTAINER "The Spokelab authors <maintainers@spokelab.org>" CACHE STRING "Maintainer named in packages")
string(TIMESTAMP debian_date "%a, %d %b %Y %H:%M:%S +0000" UTC)  # of the commit where SOURCE_DATE_EPOCH is set
configure_file("${CMAKE_CURRENT_LIST_DIR}/debian_changelog.in" "${PROJECT_BINARY_DIR}/debian/changelog" @ONLY)
execute_process(COMMAND gzip -9nkf "${PROJECT_BINARY_DIR}/debian/changelog")
function(spokelab_debian_papers package)  # [COMPONENT name]
  install(FILES packaging/desktop/copyright "${PROJECT_BINARY_DIR}/debian/changelog.gz"
          DESTINATION "${CMAKE_INSTALL_DATADIR}/doc/${package}" ${ARGN})
endfunction()
spokelab_debian_papers(spokelab)
if(TARGET spokelab_api)
  get_target_property(abi spokelab_api SOVERSION)
  spokelab_debian_papers(libspokelab${abi} COMPONENT library)
  spokelab_debian_papers(libspokelab-dev COMPONENT development)
endif()
if(python3_version)
  spokelab_debian_papers(python3-spokelab COMPONENT python3 EXCLUDE_FROM_ALL)
endif()
install(FILES LICENSE README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
# Pages and pictures are as large as the programs, and the window has a copy of the guide.
install(DIRECTORY resources/guide resources/developer resources/schema DESTINATION "${CMAKE_INSTALL_DOCDIR}/resources"
        COMPONENT doc OPTIONAL)
spokelab_debian_papers(spokelab-doc COMPONENT doc)
if(SPOKELAB_WITH_MPI)
  spokelab_debian_papers(spokelab-mpi COMPONENT mpi)
endif()
if(TARGET spokelab)
  set(id org.spokelab.Spokelab)
  install(FILES packaging/desktop/${id}.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES packaging/desktop/${id}.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES packaging/desktop/${id}.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
  install(FILES resources/icons/spokelab.svg RENAME ${id}.svg
          DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()

# Target `packages`: builds what goes into packages, and makes them by cpack in the build folder: .debs for the
# distribution that they are made on, which say what they need.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spokelab)
set(CPACK_PACKAGE_VENDOR "The Spokelab authors")
set(CPACK_PACKAGE_CONTACT "${SPOKELAB_MAINTAINER}")
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "${PROJECT_DESCRIPTION}")
set(CPACK_PACKAGE_DESCRIPTION "Spokelab loads a scan, tunes a non-uniform FFT for it, reconstructs it, and shows
the volume beside live charts of where the time goes and how large the error is.
The programs are spokelab (window and command line) and spokelab-cli.")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
# Without the CUDA module: its licence and the GPL of the rest do not go into one package (README).
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_COMPONENTS_GROUPING IGNORE)
set(CPACK_COMPONENTS_ALL Unspecified doc)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME spokelab)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_SUGGESTS spokelab-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_NAME spokelab-doc)
set(CPACK_DEBIAN_DOC_PACKAGE_ARCHITECTURE all)
set(CPACK_DEBIAN_DOC_PACKAGE_SECTION doc)
set(CPACK_DEBIAN_DOC_PACKAGE_SHLIBDEPS OFF)
set(CPACK_DEBIAN_DOC_PACKAGE_RECOMMENDS "")
set(CPACK_COMPONENT_DOC_DESCRIPTION "The guide and the developers' pages of Spokelab, as text and pictures.")
if(SPOKELAB_WITH_MPI)
  list(APPEND CPACK_COMPONENTS_ALL mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_NAME spokelab-mpi)
  set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "spokelab (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_MPI_PACKAGE_RECOMMENDS "")
  set(CPACK_COMPONENT_MPI_DESCRIPTION "Modules with which Spokelab's commands run as ranks of MPI.")
endif()
if(TARGET spokelab_api)
  list(APPEND CPACK_COMPONENTS_ALL library development)
  get_target_property(abi spokelab_api SOVERSION)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libspokelab${abi})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "")
  # Which package programs that link the library depend on, and the linker's cache.
  file(WRITE "${PROJECT_BINARY_DIR}/debian/shlibs" "libspokelab ${abi} libspokelab${abi} (>= ${PROJECT_VERSION})\n")
  file(WRITE "${PROJECT_BINARY_DIR}/debian/triggers" "activate-noawait ldconfig\n")
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_CONTROL_EXTRA "${PROJECT_BINARY_DIR}/debian/shlibs" "${PROJECT_BINARY_DIR}/debian/triggers")
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The engine of Spokelab for other programs.")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libspokelab-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libspokelab${abi} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "")
  set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Header, CMake package and pkg-config file of Spokelab's C interface.")
endif()
if(python3_version)
  list(APPEND CPACK_COMPONENTS_ALL python3)
  string(REPLACE "3." "" python3_minor ${python3_version})
  math(EXPR python3_next "${python3_minor} + 1")
  set(CPACK_DEBIAN_PYTHON3_PACKAGE_NAME python3-spokelab)
  set(CPACK_DEBIAN_PYTHON3_PACKAGE_SECTION python)
  set(CPACK_DEBIAN_PYTHON3_PACKAGE_DEPENDS
      "libspokelab${abi} (= ${PROJECT_VERSION}), python3 (>= ${python3_version}), python3 (<< 3.${python3_next}), python3-numpy, libc6, libstdc++6, libgcc-s1")
  # Not looked for by cpack: libspokelab itself, which holds all else, is not installed where packages are made.
  set(CPACK_DEBIAN_PYTHON3_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_PYTHON3_PACKAGE_RECOMMENDS python3-scipy)
  set(CPACK_COMPONENT_PYTHON3_DESCRIPTION "The engine of Spokelab for Python.")
endif()
# Loaded at run time, so that no library names them: the icons' plugin, a software OpenGL, a font.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "qt6-svg-plugins | libqt6svg6, libgl1-mesa-dri, fonts-dejavu-core | fonts-freefont-ttf")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-svg-plugins")
include(CPack)
add_custom_target(packages COMMAND "${CMAKE_CPACK_COMMAND}" WORKING_DIRECTORY "${PROJECT_BINARY_DIR}" USES_TERMINAL VERBATIM)
foreach(part spokelab spokelab-cli spokelab_api spokelab_python)
  if(TARGET ${part})
    add_dependencies(packages ${part})
  endif()
endforeach()
