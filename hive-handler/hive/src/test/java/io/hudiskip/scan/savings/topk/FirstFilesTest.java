// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.topk;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.statistics.ColumnStatistics;
import java.nio.charset.StandardCharsets;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FirstFilesTest {
  private static final long UNKNOWN = ColumnStatistics.UNKNOWN_COUNT;

  @Test
  void areThoseUntilEnoughRowsAreBefore() {
    List<Optional<ColumnStatistics>> files =
        Arrays.asList(file(0, 9, 0, 10), file(10, 19, 0, 10), file(20, 29, 0, 10));
    assertThat(kept(rows(false, true, 10), files)).containsExactly(0);
    assertThat(kept(rows(false, true, 11), files)).containsExactly(0, 1);
    assertThat(kept(rows(true, true, 1), files)).containsExactly(2);
    assertThat(kept(rows(true, true, 31), files)).containsExactly(0, 1, 2);
  }

  @Test
  void keepEqualValues() {
    assertThat(
            kept(
                rows(false, true, 1),
                Arrays.asList(file(0, 5, 0, 10), file(5, 9, 0, 10), file(6, 9, 0, 1))))
        .containsExactly(0, 1);
  }

  @Test
  void keepNullsThatComeFirst() {
    List<Optional<ColumnStatistics>> files =
        Arrays.asList(file(0, 9, 0, 10), file(10, 19, 1, 10), file(20, 29, UNKNOWN, 10));
    assertThat(kept(rows(false, false, 1), files)).containsExactly(0, 1, 2);
    assertThat(kept(rows(false, true, 1), files)).containsExactly(0);
  }

  @Test
  void countNoRowOfUnknownValue() {
    List<Optional<ColumnStatistics>> files =
        Arrays.asList(
            file(0, 9, UNKNOWN, 10), file(0, 9, 0, UNKNOWN), file(5, 7, 8, 10), file(9, 9, 0, 1));
    assertThat(kept(rows(false, true, 2), files)).containsExactly(0, 1, 2);
    assertThat(kept(rows(false, true, 3), files)).containsExactly(0, 1, 2, 3);
  }

  @Test
  void keepAndDoNotCountFilesWhoseRowsMayNotBeThoseOfTheScan() {
    List<Optional<ColumnStatistics>> files =
        Arrays.asList(file(0, 9, 0, 10), file(10, 19, 0, 10), file(20, 29, 0, 10));
    BitSet whole = new BitSet();
    whole.set(1);
    assertThat(FirstFiles.of(rows(false, true, 1), files, whole, whole).kept().stream())
        .containsExactly(0, 1, 2);
    whole.set(2);
    assertThat(FirstFiles.of(rows(false, true, 1), files, whole, whole).kept().stream())
        .containsExactly(0, 1);
  }

  @Test
  void countOnlyRowsThatMatchAndSkipFilesThatMayMatchInPart() {
    List<Optional<ColumnStatistics>> files =
        Arrays.asList(file(0, 9, 0, 10), file(10, 19, 0, 10), file(20, 29, 0, 10));
    BitSet whole = new BitSet();
    whole.set(0, 3);
    BitSet counted = new BitSet();
    assertThat(FirstFiles.of(rows(false, true, 1), files, whole, counted).kept().stream())
        .containsExactly(0, 1, 2);
    counted.set(1);
    assertThat(FirstFiles.of(rows(false, true, 1), files, whole, counted).kept().stream())
        .containsExactly(0, 1);
    assertThat(FirstFiles.of(rows(false, true, 11), files, whole, counted).kept().stream())
        .containsExactly(0, 1, 2);
  }

  @Test
  void allowForTheZoneOfTimestamps() {
    // The widest difference of two offsets that Java has.
    long shift =
        TimeUnit.SECONDS.toMicros(
            ZoneOffset.MAX.getTotalSeconds() - ZoneOffset.MIN.getTotalSeconds());
    List<Optional<ColumnStatistics>> files =
        Arrays.asList(
            file(0, 0, 0, 1), file(shift, 2 * shift, 0, 1), file(shift + 1, 2 * shift, 0, 1));
    FirstRows rows =
        FirstRows.sorted(new ReadColumn("c", HiveType.parse("timestamp").get()), false, true, 1);
    assertThat(kept(rows, files)).containsExactly(0, 1);
    assertThat(kept(rows, Arrays.asList(file(0, Long.MAX_VALUE, 0, 1), file(5, 6, 0, 0))))
        .contains(0);
  }

  @Test
  void haveTheLeastAndTheGreatestStringByBytesAndByUtf16() {
    List<String> letters =
        Arrays.asList("", "a", "é", "\ud7ff", "\ue000", "\uffff", "\ud83d\ude00");
    Random random = new Random(26);
    int skipped = 0;
    for (int round = 0; round < 5_000; round++) {
      List<List<String>> files = new ArrayList<>();
      List<Optional<ColumnStatistics>> statistics = new ArrayList<>();
      for (int file = 0; file < 3; file++) {
        List<String> values = new ArrayList<>();
        for (int i = 0; i <= random.nextInt(3); i++) {
          values.add(
              letters.get(random.nextInt(letters.size()))
                  + letters.get(random.nextInt(letters.size())));
        }
        values.sort(Comparator.comparing(FirstFilesTest::utf8, EncodedOrder.COMPARATOR));
        files.add(values);
        statistics.add(
            Optional.of(
                new ColumnStatistics(
                    HiveType.parse("string"),
                    utf8(values.get(0)),
                    utf8(values.get(values.size() - 1)),
                    0,
                    values.size(),
                    0)));
      }
      ReadColumn column = new ReadColumn("c", HiveType.parse("string").get());
      for (Comparator<String> order :
          Arrays.asList(
              Comparator.<String>naturalOrder(),
              Comparator.comparing(FirstFilesTest::utf8, EncodedOrder.COMPARATOR))) {
        skipped += missing(FirstRows.least(column), statistics, files, order);
        skipped += missing(FirstRows.greatest(column), statistics, files, order.reversed());
      }
    }
    assertThat(skipped).isGreaterThan(5_000);
  }

  /** How many files are skipped; asserts that the first value of all is in one of the others. */
  private static int missing(
      FirstRows rows,
      List<Optional<ColumnStatistics>> statistics,
      List<List<String>> files,
      Comparator<String> order) {
    int[] kept = kept(rows, statistics);
    Optional<String> first = files.stream().flatMap(List::stream).min(order);
    assertThat(Arrays.stream(kept).mapToObj(files::get).flatMap(List::stream).min(order))
        .as("%s of %s", rows, files)
        .isEqualTo(first);
    return files.size() - kept.length;
  }

  private static byte[] utf8(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /**
   * Any statistics that are true of random rows: no row that may be needed is in a skipped file.
   */
  @Test
  void haveEveryRowThatMayBeNeeded() {
    Random random = new Random(25);
    int skipped = 0;
    for (int round = 0; round < 20_000; round++) {
      List<Row> all = new ArrayList<>();
      List<Optional<ColumnStatistics>> files = new ArrayList<>();
      BitSet whole = new BitSet();
      BitSet counted = new BitSet();
      int width = 1 + random.nextInt(40);
      int count = 1 + random.nextInt(6);
      for (int file = 0; file < count; file++) {
        List<Row> rows = rows(random, file, width);
        files.add(statistics(random, rows));
        boolean isWhole = random.nextInt(6) > 0;
        whole.set(file, isWhole);
        // Or fewer of a file that does not match as a whole.
        boolean isCounted = isWhole && random.nextInt(4) > 0;
        counted.set(file, isCounted);
        all.addAll(isCounted || random.nextBoolean() ? rows : rows.subList(0, rows.size() / 2));
      }
      FirstRows wanted = rows(random.nextBoolean(), random.nextBoolean(), 1 + random.nextInt(12));
      BitSet kept = FirstFiles.of(wanted, files, whole, counted).kept();
      Comparator<Long> values =
          wanted.isDescending() ? Comparator.reverseOrder() : Comparator.naturalOrder();
      Comparator<Long> order =
          wanted.areNullsLast() ? Comparator.nullsLast(values) : Comparator.nullsFirst(values);
      all.sort(Comparator.comparing(row -> row.value, order));
      for (int i = 0; i < all.size(); i++) {
        boolean mayBeNeeded =
            i < wanted.count()
                || order.compare(all.get(i).value, all.get((int) wanted.count() - 1).value) == 0;
        assertThat(!mayBeNeeded || kept.get(all.get(i).file))
            .as("round %s: %s of file %s", round, all.get(i).value, all.get(i).file)
            .isTrue();
      }
      skipped += files.size() - kept.cardinality();
    }
    assertThat(skipped).isGreaterThan(4_000);
  }

  private static final class Row {
    private final int file;
    private final Long value;

    Row(int file, Long value) {
      this.file = file;
      this.value = value;
    }
  }

  private static List<Row> rows(Random random, int file, int width) {
    List<Row> rows = new ArrayList<>();
    int first = random.nextInt(60);
    int nullsOfTen = random.nextInt(3) == 0 ? random.nextInt(11) : 0;
    for (int i = random.nextInt(8); i > 0; i--) {
      boolean isNull = random.nextInt(10) < nullsOfTen;
      rows.add(new Row(file, isNull ? null : Long.valueOf(first + random.nextInt(width))));
    }
    return rows;
  }

  private static Optional<ColumnStatistics> statistics(Random random, List<Row> rows) {
    if (random.nextInt(10) == 0) {
      return Optional.empty();
    }
    long nulls = rows.stream().filter(row -> row.value == null).count();
    long[] values =
        rows.stream()
            .map(row -> row.value)
            .filter(Objects::nonNull)
            .mapToLong(v -> v)
            .sorted()
            .toArray();
    boolean hasBounds = values.length > 0 && random.nextInt(10) > 0;
    return Optional.of(
        new ColumnStatistics(
            HiveType.parse("bigint"),
            hasBounds ? encoded(values[0] - random.nextInt(3)) : null,
            hasBounds && random.nextInt(10) > 0
                ? encoded(values[values.length - 1] + random.nextInt(3))
                : null,
            random.nextInt(10) == 0 ? UNKNOWN : nulls,
            random.nextInt(10) == 0 ? UNKNOWN : rows.size(),
            0));
  }

  private static int[] kept(FirstRows rows, List<Optional<ColumnStatistics>> files) {
    BitSet whole = new BitSet();
    whole.set(0, files.size());
    return FirstFiles.of(rows, files, whole, whole).kept().stream().toArray();
  }

  private static FirstRows rows(boolean isDescending, boolean areNullsLast, long count) {
    return FirstRows.sorted(
        new ReadColumn("c", HiveType.parse("bigint").get()), isDescending, areNullsLast, count);
  }

  private static Optional<ColumnStatistics> file(long lower, long upper, long nulls, long count) {
    return Optional.of(
        new ColumnStatistics(
            HiveType.parse("bigint"), encoded(lower), encoded(upper), nulls, count, 0));
  }

  private static byte[] encoded(long value) {
    return ValueEncoding.encodeInteger(value);
  }
}
