// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import java.math.BigInteger;
import java.util.Collections;
import java.util.Optional;
import java.util.Random;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RecordedTimestampsTest {
  @ParameterizedTest
  @CsvSource({
    "timestamp,        timestamp,        timestamp",
    "timestamp_millis, timestamp_millis, timestamp_from_millis",
    "timestamp_from_millis, timestamp,   timestamp_from_millis",
    "timestamp_from_micros, timestamp,   timestamp_from_micros",
    "timestamp_from_micros, timestamp_millis,",
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

  /**
   * Files whose timestamps are a number; the table's unit, and that of the record, differ or not.
   */
  @Test
  void noFileWithAMatchingRowIsSkippedWhateverTheUnitOfTheRecord() {
    assertThat(lostFiles(present -> column -> Optional.of(present))).isZero();
  }

  @Test
  void aRecordOfAnotherUnitWouldLoseRows() {
    RecordedTimestamps believing =
        new RecordedTimestamps() {
          @Override
          public Optional<HiveType> typeOf(String column) {
            throw new AssertionError("the broken rule does not ask");
          }

          @Override
          public ColumnStatistics readable(String column, ColumnStatistics recorded) {
            return recorded.withType(MICROS);
          }
        };
    assertThat(lostFiles(present -> believing)).as("the rule, broken").isPositive();
  }

  /** Of 2,000 files that have a row which matches, those that are skipped. */
  private static int lostFiles(Function<HiveType, RecordedTimestamps> rule) {
    Random random = new Random(46);
    int lost = 0;
    for (int i = 0; i < 2_000; i++) {
      long number = random.nextInt(Integer.MAX_VALUE) * 1_000L;
      HiveType present =
          random.nextBoolean() ? RecordedTimestamps.MILLIS : RecordedTimestamps.MICROS;
      HiveType then = random.nextBoolean() ? RecordedTimestamps.MILLIS : RecordedTimestamps.MICROS;
      byte[] recorded = moment(number, then);
      ColumnStatistics file = new ColumnStatistics(Optional.of(then), recorded, recorded, 0, 1, 0);
      ColumnStatistics known = rule.apply(present).readable("t", file);
      byte[] read = moment(number, present);
      // The row that is read equals the literal, so the file must be kept.
      if (known != null && (compare(read, known.lower()) < 0 || compare(read, known.upper()) > 0)) {
        lost++;
      }
    }
    return lost;
  }

  private static byte[] moment(long number, HiveType unit) {
    return ValueEncoding.encodeInteger(
        unit.equals(RecordedTimestamps.MILLIS) ? number * 1_000 : number);
  }

  private static int compare(byte[] left, byte[] right) {
    return new BigInteger(1, left).compareTo(new BigInteger(1, right));
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
