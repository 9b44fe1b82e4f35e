// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.encoding.HiveType;
import java.util.Collections;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedTimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "timestamp,        timestamp,        timestamp",
    "timestamp_millis, timestamp_millis, timestamp_from_millis",
    "timestamp_from_millis, timestamp,   timestamp_from_millis",
    "timestamp_from_millis, timestamp_millis,",
    "timestamp_from_millis, ,",
    "timestamp,        timestamp_millis,",
    "timestamp_millis, timestamp,",
    "timestamp,        ,",
    "timestamp_millis, ,",
    "bigint,           timestamp_millis, bigint",
    "bigint,           ,                 bigint",
  })
  void onlyRecordsOfThePresentUnitAreKnown(String recorded, String present, String read) {
    RecordedTimestamps timestamps = column -> Optional.ofNullable(present).flatMap(HiveType::parse);
    ColumnStatistics[] files = {
      new ColumnStatistics(HiveType.parse(recorded), new byte[8], new byte[8], 1, 2, 0), null
    };
    ColumnVector found =
        timestamps
            .readable(StatisticsTable.of(2, Collections.singletonMap("t", files)))
            .column("t")
            .get();
    ColumnStatistics known = found.range(0);
    assertThat(known == null ? null : known.type().get().toString()).isEqualTo(read);
    assertThat(found.range(1)).isNull();
    if (known != null) {
      assertThat(known.lower()).isSameAs(files[0].lower());
      assertThat(known.nullCount()).isEqualTo(1);
    }
  }

  @Test
  void otherColumnsNeedNoUnit() {
    RecordedTimestamps timestamps =
        column -> {
          throw new AssertionError("the schema is read for a timestamp alone");
        };
    ColumnStatistics number = new ColumnStatistics(HiveType.parse("int"), null, null, 0, 1, 0);
    assertThat(timestamps.readable("n", number)).isSameAs(number);
  }
}
