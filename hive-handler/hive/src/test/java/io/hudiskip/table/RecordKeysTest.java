// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Properties;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.junit.jupiter.api.Test;

/** The texts are those of {@code KeyGenUtils.getRecordKey}. */
class RecordKeysTest {
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

  private static UnaryOperator<String> record(long id, @Nullable String place) {
    return field -> field.equals("id") ? Long.toString(id) : place;
  }
}
