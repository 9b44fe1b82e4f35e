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
    java_class = files.get(0).getClass()
    path, size = (_function(jvm, java_class, name) for name in ("getPath", "getFileSize"))
    text = _function(jvm, jvm.java.lang.Class.forName("java.lang.Object"), "toString")
    joined = jvm.java.util.stream.Collectors.joining(_SEPARATOR)
    for start in range(0, files.size(), _FILES_PER_CALL):
        some = files.subList(start, min(start + _FILES_PER_CALL, files.size()))
        paths, sizes = (
            some.stream().map(getter).map(text).collect(joined).split(_SEPARATOR) for getter in (path, size)
        )
        yield from zip(paths, map(int, sizes), strict=True)


def files_of_slices(
    jvm: Any, view: Any, partitions: Iterable[str], instant: str = _END_OF_TIME
) -> tuple[Any, Any]:
    """The files of the latest file slices as of an instant, as Java lists of base files and log files.

    Each slice is merged with its predecessor while a compaction is pending.
    """
    to_list = jvm.java.util.stream.Collectors.toList()
    slices = jvm.java.util.ArrayList()
    for partition in partitions:
        found = view.getLatestMergedFileSlicesBeforeOrOn(partition, instant)
        slices.addAll(found.collect(to_list))
    if slices.isEmpty():
        return slices, slices
    file_slice, option = slices.get(0).getClass(), slices.get(0).getBaseFile().getClass()
    base_files = (
        slices.stream()
        .map(_function(jvm, file_slice, "getBaseFile"))
        .filter(_function(jvm, option, "isPresent", "Predicate"))
        .map(_function(jvm, option, "get"))
        .collect(to_list)
    )
    log_files = slices.stream().flatMap(_function(jvm, file_slice, "getLogFiles")).collect(to_list)
    return base_files, log_files


def _function(jvm: Any, java_class: Any, name: str, interface: str = "Function") -> Any:
    """A public method without parameters, as a function for Java's streams."""
    invoke = jvm.java.lang.invoke
    no_parameters = invoke.MethodType.methodType(java_class).parameterArray()
    method = invoke.MethodHandles.publicLookup().unreflect(java_class.getMethod(name, no_parameters))
    of_interface = jvm.java.lang.Class.forName(f"java.util.function.{interface}")
    return invoke.MethodHandleProxies.asInterfaceInstance(of_interface, method)
