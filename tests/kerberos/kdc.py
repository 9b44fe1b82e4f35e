"""A Kerberos server in a process of its own, and what users and services need to reach it."""

import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pycompiler.hive.server.launch import free_ports, write_class_path
from pycompiler.installation import built, find_java

from ..jvm import JVM_OF_TESTS
from ..stores.processes import is_listening, running, wait_until_up

HOST: Final = "127.0.0.1"
REALM: Final = "EXAMPLE.COM"

_MAIN_CLASS: Final = "org.apache.hadoop.minikdc.MiniKdc"
_NO_TICKETS: Final = "none"


@dataclass(frozen=True, slots=True)
class Kdc:
    """A running Kerberos server.

    Attributes:
        home: Its directory.
        keytab: The keys of all principals.
        configuration: The `krb5.conf` of its clients.
    """

    home: Path
    keytab: Path
    configuration: Path

    @property
    def jvm_option(self) -> str:
        """What a JVM needs to find the server."""
        return f"-Djava.security.krb5.conf={self.configuration}"

    def environment(self, cache: Path) -> dict[str, str]:
        """The environment of a program whose tickets are in a cache, which may be empty or missing.

        JVMs that the program starts heed it as well.
        """
        foreign = ("HADOOP_", "HIVE_", "KRB5")
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(foreign)}
        return inherited | {
            "KRB5_CONFIG": str(self.configuration),
            "KRB5CCNAME": str(cache),
            "JAVA_TOOL_OPTIONS": self.jvm_option,
        }

    def tickets(self, user: str, *, lifetime: str = "1h") -> Path:
        """Gets a ticket for a user as `kinit` does, and returns the cache that has it.

        Args:
            user: A user's or service's principal without the realm.
            lifetime: How long the ticket is valid, `5s` or `1h`.
        """
        cache = self.home / f"tickets-{user.replace('/', '-')}-{lifetime}"
        kinit = ("kinit", "-k", "-t", str(self.keytab), "-l", lifetime, "-c", str(cache), principal(user))
        subprocess.run(kinit, env=self.environment(cache), check=True)
        return cache

    @property
    def no_tickets(self) -> Path:
        """A cache that does not exist."""
        return self.home / _NO_TICKETS


def principal(name: str) -> str:
    """A principal with the realm: of `alice`, or of the service `hive/localhost`."""
    return f"{name}@{REALM}"


def service(name: str) -> str:
    """The principal of a service of this machine."""
    # The services listen on 127.0.0.1, and Hadoop finds this name for the address.
    return principal(f"{name}/localhost")


@contextmanager
def running_kdc(home: Path, principals: Sequence[str]) -> Iterator[Kdc]:
    """Starts a Kerberos server that knows these principals, and kills it at the end.

    Args:
        home: Its directory.
        principals: With or without the realm.
    """
    home.mkdir(parents=True)
    (port,) = free_ports(1)
    kdc = Kdc(home, home / "keytab", home / "clients.conf")
    kdc.configuration.write_text(
        f"""[libdefaults]
default_realm = {REALM}
dns_lookup_kdc = false
dns_lookup_realm = false
dns_canonicalize_hostname = false
rdns = false
udp_preference_limit = 1
[realms]
{REALM} = {{
  kdc = {HOST}:{port}
}}
[domain_realm]
localhost = {REALM}
""",
        encoding="utf-8",
    )
    settings = home / "kdc.properties"
    settings.write_text(f"kdc.port={port}\nkdc.bind.address={HOST}\n", encoding="utf-8")
    class_path = built("kdc/kdc.classpath", "test-kerberos").read_text(encoding="utf-8").strip()
    arguments = write_class_path(class_path, home)
    log = home / "kdc.log"
    command = [
        *(str(find_java()), "-Xmx256m", *JVM_OF_TESTS, f"@{arguments}", _MAIN_CLASS),
        *(str(home), str(settings), str(kdc.keytab)),
        *(name.removesuffix(f"@{REALM}") for name in principals),
    ]
    with running(command, log, cwd=home) as process:
        # It writes the keys last.
        wait_until_up(process, log, lambda: is_listening(port) if "kill" in log.read_text() else None)
        yield kdc
