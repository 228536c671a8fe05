# cmake -DNPM=… -DWHAT=… -DFROM=… -DTO=… -P install.cmake: npm's packages, in the build folder.
# A file that is newer but the same does not count, so that only a change needs the network.
set(state "${WHAT}")
foreach(name package.json package-lock.json .npmrc)
  file(SHA256 ${FROM}/${name} hash)
  string(APPEND state " ${hash}")
endforeach()
if(EXISTS ${TO}/installed AND EXISTS ${TO}/node_modules)
  file(READ ${TO}/installed before)
  if(before STREQUAL state)
    file(TOUCH ${TO}/installed)
    return()
  endif()
endif()

file(COPY ${FROM}/package.json ${FROM}/package-lock.json ${FROM}/.npmrc DESTINATION ${TO})
execute_process(COMMAND ${NPM} ${WHAT} --prefer-offline --loglevel=error
                WORKING_DIRECTORY ${TO} RESULT_VARIABLE result)
if(NOT result EQUAL 0)
  message(FATAL_ERROR "npm could not fetch the packages of the HTML pages (is there a network?). "
                      "To build without pages: cmake -DRAMPART_PAGES=OFF")
endif()
file(WRITE ${TO}/installed "${state}")
