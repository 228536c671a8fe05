include(CMakeFindDependencyMacro)
# A static library leaves its own libraries to whoever links it.
find_dependency(TBB)
find_dependency(fmt)
find_dependency(nlohmann_json)
find_dependency(ZLIB)
find_dependency(LibLZMA)
find_dependency(Boost)
include(${CMAKE_CURRENT_LIST_DIR}/rampart-targets.cmake)
