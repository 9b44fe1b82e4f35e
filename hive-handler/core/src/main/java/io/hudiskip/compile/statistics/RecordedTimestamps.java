// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.statistics;

import io.hudiskip.compile.encoding.HiveType;
import java.util.Optional;

/**
 * As which type an index records the timestamps of a column. A file may label the table's
 * milliseconds as microseconds, so its numbers mean what the table's schema says; a record's type
 * tells what that was when the record was made ({@code docs/inside/formats.md}, section 1).
 */
public interface RecordedTimestamps {
  /** Of columns that the table does not count in milliseconds. */
  HiveType MICROS = HiveType.parse("timestamp").orElseThrow(AssertionError::new);

  /** Of columns that it does. */
  HiveType MILLIS = HiveType.parse("timestamp_millis").orElseThrow(AssertionError::new);

  /** {@link #MICROS} in a file that counts milliseconds; others do not say what the file counts. */
  HiveType FROM_MILLIS = HiveType.parse("timestamp_from_millis").orElseThrow(AssertionError::new);

  /** Of tables that have no milliseconds. */
  RecordedTimestamps USUAL = column -> Optional.of(MICROS);

  /**
   * The type of records that agree with the table's present schema.
   *
   * @param column lower-case; nested fields are joined by dots
   * @return {@link #MICROS} or {@link #MILLIS}; empty if the schema is not known
   */
  Optional<HiveType> typeOf(String column);

  /**
   * Statistics without those of timestamps that were recorded for another unit; the others are of
   * {@link #MICROS} or a type that says what the file's number counts. Sound: a record of the
   * present unit describes the numbers as they are read now.
   */
  default StatisticsTable readable(StatisticsTable recorded) {
    return StatisticsTable.of(
        recorded.fileCount(),
        name -> recorded.column(name).map(known -> file -> readable(name, known.range(file))));
  }

  /** As above, for one file's statistics of a column; null stays null. */
  default ColumnStatistics readable(String column, ColumnStatistics recorded) {
    boolean isTimestamp =
        recorded != null
            && recorded.type().filter(type -> type.kind() == HiveType.Kind.TIMESTAMP).isPresent();
    if (!isTimestamp) {
      return recorded;
    }
    HiveType type = recorded.type().get();
    boolean isInMillis = type.equals(MILLIS);
    if (!typeOf(column).filter((isInMillis ? MILLIS : MICROS)::equals).isPresent()) {
      return null;
    }
    return isInMillis ? recorded.withType(FROM_MILLIS) : recorded;
  }
}
