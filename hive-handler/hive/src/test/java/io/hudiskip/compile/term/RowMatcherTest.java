// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import static io.hudiskip.compile.filter.HiveFilters.where;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.ReadColumn;
import io.hudiskip.compile.expression.TermEvaluator.Value;
import io.hudiskip.compile.filter.HiveFilters;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.io.DataInputBuffer;
import org.apache.hadoop.io.DataOutputBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RowMatcherTest {
  @ParameterizedTest(name = "{0} for {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "i between 1 and 5 | i=1 | 1",
        "ti = 7 and si < 0 and bi > 5000000000 | ti=7;si=-1;bi=5000000001 | 7,-1,5000000001",
        "b | b=true | true",
        "f >= 0.5 and d < 0 | f=0.5;d=-2.25 | 0.5,-2.25",
        "m > 1.5 | m=1.51 | 1.51",
        "s like 'a%' | s=abc | abc",
        "v = 'abcde' | v=abcdefgh | abcde",
        "c = 'ab' | c=ab   | ab",
        "dt >= date '2021-01-01' | dt=2021-01-01 | 2021-01-01",
        "upper(s) = 'ABC' and year(dt) = 2021 | s=abc;dt=2021-05-05 | abc,2021-05-05",
        "i < j | i=1;j=2 | 1,2",
      })
  void hasTheValuesThatATaskIsToRead(String filter, String row, String expected) throws Exception {
    StandInRow matching = of(filter, row).get();
    assertThat(matching.writables().toString().replaceAll("[\\[\\] ]", "")).isEqualTo(expected);
    StandInRow read = sent(matching);
    assertThat(read.writables()).isEqualTo(matching.writables());
    assertThat(read.names()).isEqualTo(matching.names());
  }

  @ParameterizedTest(name = "{0} for {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "i between 1 and 5 | i=6",
        "s > i | s=x;i=5", // NULL
        "i + 1 > 0 | i=2147483647", // as only vectors find it
        "d < 'NaN' | d=1.5", // an implicit cast, of which Hive's modes think differently
        "unix_timestamp(s) > 5 | s=2021-02-03 04:05:06", // depends on the zone
        "rand(5) >= 0 and i = 5 | i=5",
        "i < j | i=1", // reads more
        "i > 0 | i=3000000000", // of another type
        "st.x > 0 | i=1",
      })
  void isNoneUnlessHiveFindsTheFilterTrueWhereverItRuns(String filter, String row) {
    assertThat(of(filter, row)).isEmpty();
  }

  @Test
  void mayHaveTimesAsTheyAreInUtc() throws Exception {
    ReadColumn column = new ReadColumn("ts", HiveType.parse("timestamp").get());
    List<byte[]> value =
        Collections.singletonList(ValueEncoding.encodeTimestamp(-1_500_000)); // before 1970
    String filter = "ts = timestamp '1969-12-31 23:59:58.5'";
    Optional<StandInRow> row =
        RowMatcher.of(where(filter), Collections.singletonList(column), new Configuration())
            .row(value);
    assertThat(row).isPresent();
    assertThat(sent(row.get()).writables()).hasToString("[1969-12-31 23:59:58.5]");
  }

  @Test
  void mayHaveNulls() throws Exception {
    List<ReadColumn> columns =
        Arrays.asList(
            new ReadColumn("i", HiveType.parse("int").get()),
            new ReadColumn("s", HiveType.parse("string").get()));
    List<byte[]> values = Arrays.asList(null, ValueEncoding.encodeString("x"));
    Configuration conf = new Configuration();
    assertThat(RowMatcher.of(where("i = 1 and s = 'x'"), columns, conf).row(values)).isEmpty();
    StandInRow row = RowMatcher.of(where("i is null and s = 'x'"), columns, conf).row(values).get();
    assertThat(sent(row).writables()).hasToString("[null, x]");
  }

  private static StandInRow sent(StandInRow row) throws Exception {
    DataOutputBuffer bytes = new DataOutputBuffer();
    row.write(bytes);
    DataInputBuffer input = new DataInputBuffer();
    input.reset(bytes.getData(), bytes.getLength());
    StandInRow read = StandInRow.read(input);
    assertThat(input.available()).as("bytes that were not read").isZero();
    return read;
  }

  private static Optional<StandInRow> of(String filter, String assignments) {
    List<ReadColumn> columns = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    for (Value value : HiveTermEvaluatorTest.row(assignments)) {
      columns.add(new ReadColumn(value.column(), value.type()));
      values.add(value.encoded());
    }
    return RowMatcher.of(where(filter), columns, HiveFilters.scan()).row(values);
  }
}
