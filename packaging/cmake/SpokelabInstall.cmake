# What `cmake --install` puts where.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the programs are enough: packages are made without the tests
foreach(program spokelab spokelab-cli)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()
foreach(mpi IN LISTS SPOKELAB_WITH_MPI)
  install(TARGETS spokelab_${mpi} LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/spokelab" COMPONENT mpi)
endforeach()
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
  install(FILES engine/nufft/plugin/spokelab_plugin.h DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
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
install(FILES LICENSE README.md CHANGELOG.md DESTINATION "${CMAKE_INSTALL_DOCDIR}")
install(DIRECTORY resources/guide resources/developer DESTINATION "${CMAKE_INSTALL_DOCDIR}/resources" OPTIONAL)
if(TARGET spokelab)
  set(id org.spokelab.Spokelab)
  install(FILES packaging/desktop/${id}.desktop DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
  install(FILES packaging/desktop/${id}.metainfo.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo")
  install(FILES packaging/desktop/${id}.xml DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages")
  install(FILES resources/icons/spokelab.svg RENAME ${id}.svg
          DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()

# `cpack` in the build folder: a .deb for the distribution that it is made on, which says what it needs.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spokelab)
set(CPACK_PACKAGE_VENDOR "The Spokelab authors")
set(CPACK_PACKAGE_CONTACT "The Spokelab authors <spokelab@localhost>")
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
set(CPACK_COMPONENTS_ALL Unspecified)
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_NAME spokelab)
if(TARGET spokelab_api)
  list(APPEND CPACK_COMPONENTS_ALL library development)
  get_target_property(abi spokelab_api SOVERSION)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME libspokelab${abi})
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libs)
  set(CPACK_DEBIAN_LIBRARY_PACKAGE_RECOMMENDS "")
  set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The engine of Spokelab for other programs.")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libspokelab-dev)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS "libspokelab${abi} (= ${PROJECT_VERSION})")
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SHLIBDEPS OFF)
  set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_RECOMMENDS "")
  set(CPACK_COMPONENT_DEVELOPMENT_DESCRIPTION "Header, CMake package and pkg-config file of Spokelab's C interface.")
endif()
# Loaded at run time, so that no library names them: the icons' plugin, a software OpenGL, a font.
set(CPACK_DEBIAN_UNSPECIFIED_PACKAGE_DEPENDS "qt6-svg-plugins | libqt6svg6, libgl1-mesa-dri, fonts-dejavu-core | fonts-freefont-ttf")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-svg-plugins")
include(CPack)
