"""Base files of Hudi's file-system view, many in one call: each call into the JVM takes its while."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

_FILES_PER_CALL: Final = 100_000
_SEPARATOR: Final = "\0"
"""No path has it in it, on any file system."""


def paths_and_sizes(jvm: Any, files: Any) -> Iterator[tuple[str, int]]:
    """Gives path and size of each base file.

    Args:
        jvm: Java's packages.
        files: A Java list of `HoodieBaseFile`s.
    """
    if files.isEmpty():
        return
    # Its class may be in a loader that `Class.forName` does not ask.
    getters = _Getters(jvm, files.get(0).getClass())
    path = getters.getter("getPath", jvm.java.lang.Class.forName("java.lang.String"))
    size = getters.getter("getFileSize", jvm.java.lang.Long.TYPE)
    for start in range(0, files.size(), _FILES_PER_CALL):
        some = files.subList(start, min(start + _FILES_PER_CALL, files.size()))
        paths, sizes = (getters.texts(some, getter) for getter in (path, size))
        yield from zip(paths, map(int, sizes), strict=True)


class _Getters:
    """Getters of a Java class, as the functions that Java's streams take."""

    def __init__(self, jvm: Any, java_class: Any) -> None:
        self._invoke = jvm.java.lang.invoke
        self._lookup = self._invoke.MethodHandles.publicLookup()
        self._function = jvm.java.lang.Class.forName("java.util.function.Function")
        self._join = jvm.java.util.stream.Collectors.joining
        self._class = java_class
        string, anything = map(jvm.java.lang.Class.forName, ("java.lang.String", "java.lang.Object"))
        text_of = self._invoke.MethodType.methodType(string, anything)
        self._text = self._as_function(self._lookup.findStatic(string, "valueOf", text_of))

    def getter(self, name: str, result: Any) -> Any:
        of_result = self._invoke.MethodType.methodType(result)
        return self._as_function(self._lookup.findVirtual(self._class, name, of_result))

    def texts(self, objects: Any, getter: Any) -> list[str]:
        joined: str = objects.stream().map(getter).map(self._text).collect(self._join(_SEPARATOR))
        return joined.split(_SEPARATOR)

    def _as_function(self, handle: Any) -> Any:
        return self._invoke.MethodHandleProxies.asInterfaceInstance(self._function, handle)
