"""Fetches many files of Hudi's file-system view per call, because each call into the JVM is slow."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

_FILES_PER_CALL: Final = 100_000
_SEPARATOR: Final = "\0"
"""A character that occurs in no path, on any file system."""

_END_OF_TIME: Final = "9" * 17


def paths_and_sizes(jvm: Any, files: Any) -> Iterator[tuple[str, int]]:
    """Path and size of each file."""
    if files.isEmpty():
        return
    first = files.get(0)
    # `Class.forName` may not ask the class's loader.
    java_class = _Class(jvm, first.getClass())
    is_text = isinstance(first.getPath(), str)
    of_path = jvm.java.lang.Class.forName("java.lang.String") if is_text else first.getPath().getClass()
    path = java_class.getter("getPath", of_path)
    size = java_class.getter("getFileSize", jvm.java.lang.Long.TYPE)
    for start in range(0, files.size(), _FILES_PER_CALL):
        some = files.subList(start, min(start + _FILES_PER_CALL, files.size()))
        paths, sizes = (java_class.texts(some, getter) for getter in (path, size))
        yield from zip(paths, map(int, sizes), strict=True)


def files_of_slices(
    jvm: Any, view: Any, partitions: Iterable[str], instant: str = _END_OF_TIME
) -> tuple[Any, Any]:
    """The files of the latest file slices, each merged with its predecessor while a compaction is pending.

    Args:
        jvm: Java's packages.
        view: A file-system view.
        partitions: Partition paths.
        instant: The slices are the latest as of this instant.

    Returns:
        Java lists of `HoodieBaseFile`s and `HoodieLogFile`s.
    """
    slices = jvm.java.util.ArrayList()
    for partition in partitions:
        found = view.getLatestMergedFileSlicesBeforeOrOn(partition, instant)
        slices.addAll(found.collect(jvm.java.util.stream.Collectors.toList()))
    if slices.isEmpty():
        return slices, slices
    file_slice = _Class(jvm, slices.get(0).getClass())
    option_class = slices.get(0).getBaseFile().getClass()
    option = _Class(jvm, option_class)
    to_list = jvm.java.util.stream.Collectors.toList()
    anything = jvm.java.lang.Class.forName("java.lang.Object")
    stream = jvm.java.lang.Class.forName("java.util.stream.Stream")
    base_files = (
        slices.stream()
        .map(file_slice.getter("getBaseFile", option_class))
        .filter(option.predicate("isPresent"))
        .map(option.getter("get", anything))
        .collect(to_list)
    )
    log_files = slices.stream().flatMap(file_slice.getter("getLogFiles", stream)).collect(to_list)
    return base_files, log_files


class _Class:
    """Methods of a Java class, as functions for Java's streams."""

    def __init__(self, jvm: Any, java_class: Any) -> None:
        self._invoke = jvm.java.lang.invoke
        self._lookup = self._invoke.MethodHandles.publicLookup()
        self._for_name = jvm.java.lang.Class.forName
        self._boolean = jvm.java.lang.Boolean.TYPE
        self._join = jvm.java.util.stream.Collectors.joining
        self._class = java_class
        string, anything = map(self._for_name, ("java.lang.String", "java.lang.Object"))
        text_of = self._invoke.MethodType.methodType(string, anything)
        self._text = self._as("Function", self._lookup.findStatic(string, "valueOf", text_of))

    def getter(self, name: str, result: Any) -> Any:
        """A method without arguments."""
        return self._as("Function", self._method(name, result))

    def predicate(self, name: str) -> Any:
        """A boolean method without arguments."""
        return self._as("Predicate", self._method(name, self._boolean))

    def texts(self, objects: Any, getter: Any) -> list[str]:
        """A getter's result for each object of a list."""
        joined: str = objects.stream().map(getter).map(self._text).collect(self._join(_SEPARATOR))
        return joined.split(_SEPARATOR)

    def _method(self, name: str, result: Any) -> Any:
        return self._lookup.findVirtual(self._class, name, self._invoke.MethodType.methodType(result))

    def _as(self, interface: str, handle: Any) -> Any:
        of_interface = self._for_name(f"java.util.function.{interface}")
        return self._invoke.MethodHandleProxies.asInterfaceInstance(of_interface, handle)
