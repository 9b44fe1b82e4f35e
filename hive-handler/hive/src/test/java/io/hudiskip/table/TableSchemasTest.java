// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import java.nio.file.Path;
import org.apache.avro.Schema;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.model.HoodieCommitMetadata;
import org.apache.hudi.internal.schema.InternalSchema;
import org.apache.hudi.internal.schema.Types;
import org.apache.hudi.internal.schema.utils.SerDeHelper;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableSchemasTest {
  private static final String NARROWER =
      "{'type':'record','name':'t','fields':[{'name':'Id','type':'long'}]}".replace('\'', '"');

  @TempDir Path directory;
  private HudiTestTable table;

  @BeforeEach
  void writeATable() throws Exception {
    table = HudiTestTable.create(directory);
    table.insert("", 1);
  }

  @Test
  void areReadOnceWhileTheTimelineIsTheSame() throws Exception {
    assertThat(open().avroSchema()).isSameAs(open().avroSchema());
  }

  @Test
  void aNewCommitIsReadForItsSchema() throws Exception {
    Schema before = open().avroSchema();
    table.commitMetadata(HoodieCommitMetadata.SCHEMA_KEY, NARROWER);
    assertThat(open().avroSchema().getFields()).hasSizeLessThan(before.getFields().size());
  }

  @Test
  void aTableWithSchemaOnReadIsRefusedFromTheCommitThatEnablesIt() throws Exception {
    open();
    InternalSchema renamed =
        new InternalSchema(
            Types.RecordType.get(Types.Field.get(1, "renamed", Types.LongType.get())));
    table.commitMetadata(SerDeHelper.LATEST_SCHEMA, SerDeHelper.toJson(renamed));
    assertThatThrownBy(this::open).hasMessageContaining("hoodie.schema.on.read.enable");
  }

  private HudiTable open() throws Exception {
    return HudiTable.open(new Configuration(false), table.location());
  }
}
