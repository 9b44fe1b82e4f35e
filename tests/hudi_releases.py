"""The releases of Hudi that tests write with; `make hudi-releases` installs them."""

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from pyspark.sql import SparkSession

from pycompiler.installation import built
from pycompiler.spark.hudi.releases import HudiRelease
from pycompiler.spark.jvm import jvm
from pycompiler.spark.session import BUNDLE_VARIABLE

DEFAULT: Final = "1.0.2"
"""The release that most tests write with."""

OWN_VERSION: Final = {"0.15.0": 6, DEFAULT: 8, "1.1.1": 9, "1.2.0": 9}
"""The table version that each release writes by default."""

_PAYLOAD: Final = "hoodie.datasource.write.payload.class"
_MERGE_MODE: Final = "hoodie.write.record.merge.mode"


def release_of(spark: SparkSession) -> HudiRelease:
    """The Hudi of a session."""
    return HudiRelease.of(jvm(spark).org.apache.hudi)


def accepted(spark: SparkSession, options: Mapping[str, str]) -> dict[str, str]:
    """A writer's options: from Hudi 1.1 on, a payload class decides on the merge mode, and none is given."""
    decides = release_of(spark).newest_version >= 9 and _PAYLOAD in options
    return {name: value for name, value in options.items() if not (decides and name == _MERGE_MODE)}


def write_with(release: str) -> None:
    """Lets sessions of this process, and of those that it starts, have a release of Hudi."""
    if release != DEFAULT:
        os.environ[BUNDLE_VARIABLE] = str(bundle_of(release))


def bundle_of(release: str) -> Path:
    """Hudi's bundle for Spark."""
    if release not in OWN_VERSION:
        raise ValueError(f"no test writes with Hudi {release}, but with {', '.join(OWN_VERSION)}")
    name = "hudi-spark-bundle.jar" if release == DEFAULT else f"hudi-spark-bundle-{release}.jar"
    return built(f"spark/{name}", "hudi-releases")
