# What `cmake --install` puts where.
include(GNUInstallDirs)
set(CMAKE_SKIP_INSTALL_ALL_DEPENDENCY ON)  # the programs are enough: packages are made without the tests
foreach(program spokelab spokelab-cli)
  if(TARGET ${program})
    install(TARGETS ${program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
  endif()
endforeach()
if(TARGET spokelab_cuda)
  install(TARGETS spokelab_cuda LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}/spokelab" COMPONENT cuda)
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
set(CPACK_COMPONENTS_GROUPING ALL_COMPONENTS_IN_ONE)
set(CPACK_COMPONENTS_ALL Unspecified)
# Loaded at run time, so that no library names them: the icons' plugin, a software OpenGL, a font.
set(CPACK_DEBIAN_PACKAGE_DEPENDS "qt6-svg-plugins | libqt6svg6, libgl1-mesa-dri, fonts-dejavu-core | fonts-freefont-ttf")
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "qt6-svg-plugins")
include(CPack)
