"""Hive's own processes, each with a directory, and a metastore among them."""

import os
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from string import Template

from pycompiler.hive.server.configuration import LOG_CONFIGURATION
from pycompiler.hive.server.launch import HOST, free_ports, write_class_path
from pycompiler.hive.server.runtime import class_path
from pycompiler.installation import JVM_OPTIONS, find_java

from ..jvm import JVM_OF_TESTS
from .hadoop_settings import site_xml
from .processes import is_listening, running, wait_until_up


@contextmanager
def running_metastore(
    home: Path,
    *,
    extra: Mapping[str, str] | None = None,
    core: Mapping[str, str] | None = None,
    jvm_options: Sequence[str] = (),
) -> Iterator[str]:
    """Starts an empty metastore without the handler's jar, and kills it at the end; yields its URI.

    Args:
        home: Its directory.
        extra: More settings of `metastore-site.xml`.
        core: Settings of `core-site.xml`.
        jvm_options: More options of its JVM.
    """
    conf = directories(home)
    (port,) = free_ports(1)
    settings = {
        "javax.jdo.option.ConnectionURL": f"jdbc:derby:;databaseName={home / 'metastore'};create=true",
        "datanucleus.schema.autoCreateAll": "true",
        "hive.metastore.schema.verification": "false",
        "hive.metastore.event.db.notification.api.auth": "false",
        "hive.metastore.warehouse.dir": home / "warehouse" / "managed",
        "hive.metastore.warehouse.external.dir": home / "warehouse" / "external",
        "metastore.thrift.bind.host": HOST,
        **(extra or {}),
    }
    (conf / "metastore-site.xml").write_text(site_xml(settings), encoding="utf-8")
    (conf / "core-site.xml").write_text(site_xml(core or {}), encoding="utf-8")
    main_class = ("org.apache.hadoop.hive.metastore.HiveMetaStore", "-p", str(port))
    with running_hive_process(home, class_path("hiveserver"), main_class, jvm_options) as process:
        wait_until_up(process, output(home), lambda: is_listening(port))
        yield f"thrift://{HOST}:{port}"


def directories(home: Path) -> Path:
    """Makes the directories of a server, and returns that of its configuration."""
    conf = home / "conf"
    for directory in (conf, home / "logs", home / "tmp"):
        directory.mkdir(parents=True)
    template = resources.files("pycompiler.hive.server").joinpath(f"templates/{LOG_CONFIGURATION}")
    text = Template(template.read_text(encoding="utf-8")).substitute(home=home)
    (conf / LOG_CONFIGURATION).write_text(text, encoding="utf-8")
    return conf


@contextmanager
def running_hive_process(
    home: Path, jars: str, main_class: tuple[str, ...], jvm_options: Sequence[str] = ()
) -> Iterator[subprocess.Popen[bytes]]:
    """Starts a process of the release that the handler is built with, and kills it at the end.

    Args:
        home: Its directory, made by `directories`.
        jars: Its class path behind its configuration.
        main_class: A main class and its arguments.
        jvm_options: More options of its JVM.
    """
    arguments = write_class_path(jars, home / "conf")
    options = (
        *("-Xmx640m", *JVM_OF_TESTS, *JVM_OPTIONS, "-Duser.timezone=UTC", *jvm_options),
        f"-Djava.io.tmpdir={home / 'tmp'}",
        f"-Dderby.stream.error.file={home / 'logs' / 'derby.log'}",
    )
    command = (str(find_java()), *options, f"@{arguments}", *main_class)
    with running(command, output(home), cwd=home, env=without_settings_of_hive()) as process:
        yield process


def output(home: Path) -> Path:
    """What a process prints."""
    return home / "logs" / "output"


def without_settings_of_hive() -> dict[str, str]:
    """The environment of this process without variables that other installations of Hive and Hadoop read."""
    foreign = ("HADOOP_", "HIVE_", "TEZ_")
    return {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
