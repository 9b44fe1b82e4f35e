// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.merge;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import javax.annotation.Nullable;
import org.apache.avro.Schema;
import org.apache.avro.SchemaBuilder;
import org.apache.avro.generic.GenericData;
import org.apache.avro.util.Utf8;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.junit.jupiter.api.Test;

/** The texts are those of {@code KeyGenUtils.getRecordKey}. */
class RecordKeysTest {
  private static final Schema SCHEMA =
      SchemaBuilder.record("r").fields().requiredLong("id").optionalString("place").endRecord();

  @Test
  void nameEachOfSeveralFields() {
    assertThat(keys("place,id").of(record(5, "a,id:6"))).isEqualTo("place:a,id:6,id:5");
    assertThat(keys("id,place").of(record(5, null))).isEqualTo("id:5,place:__null__");
    assertThat(keys("id,place").of(record(5, ""))).isEqualTo("id:5,place:__empty__");
  }

  @Test
  void areNotMadeUp() {
    assertThatThrownBy(() -> keys("place").of(record(5, null)))
        .hasMessageContaining("a record has no value in its key field place");
  }

  private static RecordKeys keys(String fields) {
    HoodieTableConfig config = new HoodieTableConfig();
    Properties properties = new Properties();
    properties.setProperty(HoodieTableConfig.POPULATE_META_FIELDS.key(), "false");
    properties.setProperty(HoodieTableConfig.RECORDKEY_FIELDS.key(), fields);
    config.setAll(properties);
    return RecordKeys.of(config);
  }

  private static GenericData.Record record(long id, @Nullable String place) {
    GenericData.Record record = new GenericData.Record(SCHEMA);
    record.put("id", id);
    record.put("place", place == null ? null : new Utf8(place));
    return record;
  }
}
