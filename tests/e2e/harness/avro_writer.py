"""Writes tables with Hudi's client for Avro records, as HoodieStreamer does: numbers of any Avro type."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from pyspark.sql import SparkSession

from pycompiler.spark.jvm import jvm

_NAME: Final = "units"


@dataclass(frozen=True, slots=True)
class AvroWriter:
    """Writes records with the key `id`.

    Attributes:
        spark: Spark.
        path: The table's root.
        kind: `COPY_ON_WRITE` or `MERGE_ON_READ`.
        options: Of Hudi's writer, in all commits.
    """

    spark: SparkSession
    path: Path
    kind: str = "COPY_ON_WRITE"
    options: Mapping[str, str] = field(default_factory=dict)

    def write(
        self, fields: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], operation: str = "bulkInsert"
    ) -> None:
        """One commit, whose schema has a nullable field `id` and those given.

        Args:
            fields: Avro types by name.
            rows: Values as Avro's JSON encoding has them, without the names of union branches.
            operation: The method of Hudi's client.
        """
        schema = {
            "type": "record",
            "name": "row",
            "fields": [{"name": name, "type": kind} for name, kind in {"id": "string", **fields}.items()],
        }
        java = jvm(self.spark)
        hudi = java.org.apache.hudi
        self._create(java)
        text = json.dumps(schema)
        config = (
            hudi.config.HoodieWriteConfig.newBuilder()
            .withPath(str(self.path))
            .forTable(_NAME)
            .withSchema(text)
            .withParallelism(1, 1)
            .withBulkInsertParallelism(1)
            .withEmbeddedTimelineServerEnabled(False)
            .withProps(self._options())
            .build()
        )
        context = self.spark.sparkContext._jsc
        client = hudi.client.SparkRDDWriteClient(hudi.client.common.HoodieSparkEngineContext(context), config)
        try:
            instant = client.startCommit()
            records = context.parallelize([self._record(java, text, row) for row in rows], 1)
            client.commit(instant, getattr(client, operation)(records, instant))
        finally:
            client.close()

    def _options(self) -> Any:
        java = jvm(self.spark)
        options = java.java.util.Properties()
        for name, value in {
            "hoodie.metadata.enable": "false",
            "hoodie.clean.automatic": "false",
            "hoodie.archive.automatic": "false",
            "hoodie.compact.inline": "false",
            "hoodie.auto.commit": "false",
            **self.options,
        }.items():
            options.setProperty(name, value)
        return options

    def _create(self, java: Any) -> None:
        if (self.path / ".hoodie").exists():
            return
        builder = java.org.apache.hudi.common.table.HoodieTableMetaClient.newTableBuilder()
        builder = (
            builder.setTableType(self.kind)
            .setTableName(_NAME)
            .setRecordKeyFields("id")
            .setKeyGeneratorClassProp("org.apache.hudi.keygen.NonpartitionedKeyGenerator")
            .setPayloadClassName("org.apache.hudi.common.model.OverwriteWithLatestAvroPayload")
        )
        builder.initTable(
            java.org.apache.hudi.hadoop.fs.HadoopFSUtils.getStorageConf(
                self.spark.sparkContext._jsc.hadoopConfiguration()
            ),
            str(self.path),
        )

    def _record(self, java: Any, schema: str, row: Mapping[str, Any]) -> Any:
        avro = java.org.apache.avro
        parsed = avro.Schema.Parser().parse(schema)
        decoder = avro.io.DecoderFactory.get().jsonDecoder(parsed, json.dumps(row))
        record = avro.generic.GenericDatumReader(parsed).read(None, decoder)
        model = java.org.apache.hudi.common.model
        key = model.HoodieKey(row["id"], "")
        return model.HoodieAvroRecord(key, model.OverwriteWithLatestAvroPayload(record, 0))
