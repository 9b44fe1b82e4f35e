"""The settings of a session: Hudi, and what a user adds."""

from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from pycompiler.installation import HOME_VARIABLE
from pycompiler.spark.errors import SparkUnavailableError
from pycompiler.spark.session import (
    BUNDLE_VARIABLE,
    HUDI_PACKAGE,
    NEWER_HUDI_PACKAGE,
    find_bundle,
    hudi_session,
    session_settings,
)
from tests.hudi_releases import release_of

PACKAGES = ["org.apache.hadoop:hadoop-aws:3.3.4", "com.amazonaws:aws-java-sdk-bundle:1.12.262"]


@pytest.fixture
def bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A jar that the environment names."""
    jar = tmp_path / "bundle.jar"
    jar.touch()
    monkeypatch.setenv(BUNDLE_VARIABLE, str(jar))
    return jar


@pytest.fixture
def no_bundle(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without a copy of Hudi's bundle."""
    monkeypatch.delenv(BUNDLE_VARIABLE, raising=False)
    monkeypatch.setenv(HOME_VARIABLE, str(tmp_path))


def test_packages_come_beside_hudis_jar(bundle: Path) -> None:
    settings = session_settings("local[*]", {}, PACKAGES)
    assert settings["spark.jars"] == str(bundle)
    assert settings["spark.jars.packages"] == ",".join(PACKAGES)
    assert "spark.jars.packages" not in session_settings("local[*]", {})


@pytest.mark.usefixtures("no_bundle")
def test_without_a_jar_packages_come_beside_hudis_package() -> None:
    assert session_settings("local[*]", {})["spark.jars.packages"] == HUDI_PACKAGE
    settings = session_settings("local[*]", {}, PACKAGES)
    assert settings["spark.jars.packages"] == ",".join([HUDI_PACKAGE, *PACKAGES])


def test_settings_of_the_user_are_stronger(bundle: Path) -> None:
    settings = session_settings("local[*]", {"spark.driver.host": "here"})
    assert settings["spark.driver.host"] == "here"


def test_jars_of_the_user_come_beside_hudis(bundle: Path) -> None:
    settings = session_settings("local[*]", {"spark.jars": "own.jar,other.jar"})
    assert settings["spark.jars"] == f"{bundle},own.jar,other.jar"
    settings = session_settings("local[*]", {"spark.jars.packages": PACKAGES[0]})
    assert (settings["spark.jars"], settings["spark.jars.packages"]) == (str(bundle), PACKAGES[0])


@pytest.mark.parametrize(
    "conf",
    [
        {"spark.jars": "/opt/own.jar,/opt/hudi-spark3.5-bundle_2.12-1.0.2.jar"},
        {"spark.jars.packages": "org.apache.hudi:hudi-spark3.5-bundle_2.12:1.1.1"},
    ],
)
def test_a_hudi_that_the_user_names_is_the_only_one(bundle: Path, conf: dict[str, str]) -> None:
    settings = session_settings("local[*]", conf)
    assert {name: value for name, value in settings.items() if name.startswith("spark.jars")} == conf


@pytest.mark.parametrize(("master", "conf"), [("yarn", {}), ("local[*]", {"spark.master": "yarn"})])
def test_a_session_on_a_cluster_is_not_bound_to_this_machine(
    bundle: Path, master: str, conf: dict[str, str]
) -> None:
    assert "spark.driver.host" not in session_settings(master, conf)
    assert session_settings("local[2]", {})["spark.driver.host"] == "127.0.0.1"


@pytest.mark.usefixtures("no_bundle")
def test_a_table_of_a_newer_version_gets_a_hudi_that_knows_it(tmp_path: Path) -> None:
    def package(version: int) -> str:
        return session_settings("local[*]", {}, table_version=version)["spark.jars.packages"]

    assert (package(8), package(9)) == (HUDI_PACKAGE, NEWER_HUDI_PACKAGE)
    installed = tmp_path / "build" / "spark"
    installed.mkdir(parents=True)
    (installed / "hudi-spark-bundle.jar").touch()
    assert package(9) == NEWER_HUDI_PACKAGE, "the installed one does not know the table"
    (installed / "hudi-spark-bundle-1.2.0.jar").touch()
    assert (find_bundle(8), find_bundle(9)) == (
        installed / "hudi-spark-bundle.jar",
        installed / "hudi-spark-bundle-1.2.0.jar",
    )


def test_a_session_whose_hudi_does_not_know_the_tables_is_refused(spark: SparkSession) -> None:
    newest = release_of(spark).newest_version
    assert hudi_session(table_version=newest) is spark
    message = rf"up to version {newest}, not {newest + 1}; stop the session"
    with pytest.raises(SparkUnavailableError, match=message):
        hudi_session(table_version=newest + 1)


def test_a_bundle_that_is_named_is_used_for_every_table(bundle: Path) -> None:
    assert session_settings("local[*]", {}, table_version=9)["spark.jars"] == str(bundle)
