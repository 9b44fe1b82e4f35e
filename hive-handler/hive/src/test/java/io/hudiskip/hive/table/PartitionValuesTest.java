// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.encoding.ValueEncoding;
import io.hudiskip.statistics.ColumnStatistics;
import io.hudiskip.statistics.ColumnVector;
import io.hudiskip.statistics.StatisticsTable;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionStatisticsTest {
  private static final PartitionColumns NOT_IN_PATHS =
      new PartitionColumns(Collections.emptyList(), false, false);

  @ParameterizedTest
  @CsvSource({
    "int, 7",
    "bigint, -7",
    "int, 0",
    "boolean, true",
    "boolean, false",
    "date, 2026-01-03"
  })
  void aTextThatOnlyOneValueHasIsTheValue(String type, String text) {
    ColumnStatistics known = only(config(false, false, "p"), type, text);
    assertThat(known.lower()).isEqualTo(encoded(type, text)).isEqualTo(known.upper());
    assertThat(known.nullCount()).isZero();
    assertThat(known.isAllNull()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({
    "int, 007",
    "int, +7",
    "int, -0",
    "bigint, 9223372036854775808",
    "int, default",
    "int, ''",
    "int, p=7",
    "boolean, TRUE",
    "boolean, 1",
    "date, 2026-1-3",
    "date, 2026-02-30",
    "date, 20456",
    "date, 1582-10-04",
    "timestamp, 2026-01-03 00:00:00",
    "'decimal(5,2)', 1.10",
    "double, 1.0",
    "string, 1.0",
    "string, 1E10",
    "string, NaN",
    "string, default",
    "string, __HIVE_DEFAULT_PARTITION__"
  })
  void aTextThatSeveralValuesMayHaveProvesNothing(String type, String text) {
    assertThat(only(config(false, false, "p"), type, text)).isNull();
  }

  @Test
  void aFolderOfNullHasOnlyNullsUnlessEmptyStringsAreThereToo() {
    for (String type : new String[] {"int", "date", "boolean"}) {
      assertThat(only(config(false, false, "p"), type, "__HIVE_DEFAULT_PARTITION__").isAllNull())
          .isTrue();
    }
    Map<String, ColumnStatistics> known =
        statistics(
            PartitionStatistics.of(
                config(false, false, "p"),
                new PartitionColumns(Collections.singletonList("p"), false, false),
                types("p", "string")),
            "__HIVE_DEFAULT_PARTITION__",
            true,
            "p");
    assertThat(known.get("p").isAllNull()).as("read from the path").isTrue();
  }

  /** A slash at the end of a text is lost, so the value a/ is in the folder a. */
  @Test
  void anUnescapedTextIsALowerBound() {
    for (String text : new String[] {"a", "2026-01-03", "2026/01/03", "007", "a=b", "50%"}) {
      ColumnStatistics known = only(config(false, false, "p"), "string", text);
      assertThat(new String(known.lower(), StandardCharsets.UTF_8)).isEqualTo(text);
      assertThat(new String(known.upper(), StandardCharsets.UTF_8)).isEqualTo(text + "0");
    }
  }

  @ParameterizedTest
  @CsvSource({"a%2Fb, a/b", "a b, a b", "%25, %"})
  void anEscapedTextIsTheValue(String folder, String text) {
    ColumnStatistics known = only(config(true, true, "P"), "string", "P=" + folder);
    assertThat(known.lower()).isEqualTo(encoded("string", text)).isEqualTo(known.upper());
  }

  @ParameterizedTest
  @ValueSource(strings = {"%41", "%2f", "a:b", "p=a"})
  void whatHudiWouldHaveEscapedOtherwiseProvesNothing(String folder) {
    assertThat(only(config(true, true, "P"), "string", "P=" + folder)).isNull();
    assertThat(only(config(true, true, "P"), "string", folder)).isNull();
  }

  @Test
  void directoriesOfPartitionsHaveTheValuesOfTheirLevels() {
    PartitionStatistics ofNumbers =
        PartitionStatistics.of(
            config(false, false, "year", "Month"),
            NOT_IN_PATHS,
            types("year", "int", "month", "int"));
    Map<String, ColumnStatistics> year = statistics(ofNumbers, "2026", false, "year", "month");
    assertThat(year.get("year").lower()).isEqualTo(ValueEncoding.encodeInteger(2026));
    assertThat(year.get("month")).isNull();
    Map<String, ColumnStatistics> month = statistics(ofNumbers, "2026/3", false, "year", "month");
    assertThat(month.get("month").upper()).isEqualTo(ValueEncoding.encodeInteger(3));
    assertThat(statistics(ofNumbers, "2026", true, "year", "month").values())
        .as("not a partition")
        .containsOnlyNulls();

    PartitionStatistics ofTexts =
        PartitionStatistics.of(
            config(false, false, "a", "b"), NOT_IN_PATHS, types("a", "string", "b", "string"));
    Map<String, ColumnStatistics> perhapsOne = statistics(ofTexts, "x/y", false, "a", "b");
    assertThat(perhapsOne.get("b")).as("y may be a part of a").isNull();
    assertThat(perhapsOne.get("a").upper()).isEqualTo(encoded("string", "x0"));
    assertThat(statistics(ofTexts, "x/y", true, "a", "b").get("b").lower())
        .isEqualTo(encoded("string", "y"));
    assertThat(statistics(ofTexts, "x/y/z", true, "a", "b").values()).containsOnlyNulls();
  }

  @ParameterizedTest
  @CsvSource({
    "hoodie.table.keygenerator.class, org.apache.hudi.keygen.TimestampBasedKeyGenerator",
    "hoodie.table.keygenerator.class, org.apache.hudi.keygen.CustomKeyGenerator",
    "hoodie.table.keygenerator.class, org.example.OwnKeyGenerator",
    "hoodie.datasource.write.slash.separated.date.partitioning, true",
    "hoodie.datasource.write.hive_style_partitioning,",
    "hoodie.datasource.write.partitionpath.urlencode,",
    "hoodie.table.partition.fields, a.p",
    "hoodie.table.metadata.partitions, 'files,record_index'",
    "hoodie.table.metadata.partitions.inflight, record_index",
    "hoodie.record.merge.mode, CUSTOM",
    "hoodie.table.partial.update.mode, FILL_UNAVAILABLE"
  })
  void whereWritersMayPutAValueIntoAnotherPathNothingIsProved(
      String property, @Nullable String value) {
    HoodieTableConfig config = config(false, false, "p");
    assertThat(PartitionStatistics.of(config, NOT_IN_PATHS, types("p", "int")).areOfAny(named("p")))
        .isTrue();
    if (value == null) {
      config.getProps().remove(property);
    } else {
      config.setValue(property, value);
    }
    assertThat(PartitionStatistics.of(config, NOT_IN_PATHS, types("p", "int")).areOfAny(named("p")))
        .isFalse();
  }

  private static Iterable<String> named(String name) {
    return Arrays.asList(name, "another");
  }

  @Nullable
  private static ColumnStatistics only(HoodieTableConfig config, String type, String path) {
    return statistics(
            PartitionStatistics.of(config, NOT_IN_PATHS, types("p", type)), path, true, "p")
        .get("p");
  }

  private static Map<String, ColumnStatistics> statistics(
      PartitionStatistics of, String path, boolean isPartition, String... columns) {
    StatisticsTable table = of.of(Collections.singletonList(path), isPartition);
    Map<String, ColumnStatistics> known = new HashMap<>();
    for (String column : columns) {
      Optional<ColumnVector> vector = table.column(column);
      known.put(column, vector.isPresent() ? vector.get().range(0) : null);
    }
    return known;
  }

  private static HoodieTableConfig config(
      boolean hiveStyle, boolean urlEncoded, String... columns) {
    HoodieTableConfig config = new HoodieTableConfig();
    config.setValue("hoodie.table.version", "9");
    config.setValue("hoodie.record.merge.mode", "COMMIT_TIME_ORDERING");
    config.setValue("hoodie.table.partition.fields", String.join(",", columns));
    config.setValue(
        "hoodie.table.keygenerator.class",
        (columns.length == 1 ? KeyGeneratorType.SIMPLE : KeyGeneratorType.COMPLEX).getClassName());
    config.setValue("hoodie.datasource.write.hive_style_partitioning", Boolean.toString(hiveStyle));
    config.setValue(
        "hoodie.datasource.write.partitionpath.urlencode", Boolean.toString(urlEncoded));
    return config;
  }

  private static Map<String, TypeInfo> types(String... namesAndTypes) {
    Map<String, TypeInfo> types = new HashMap<>();
    for (int i = 0; i < namesAndTypes.length; i += 2) {
      types.put(namesAndTypes[i], TypeInfoUtils.getTypeInfoFromTypeString(namesAndTypes[i + 1]));
    }
    return types;
  }

  private static byte[] encoded(String type, String text) {
    switch (type) {
      case "string":
        return ValueEncoding.encodeString(text);
      case "boolean":
        return ValueEncoding.encodeBoolean(Boolean.parseBoolean(text));
      case "date":
        return ValueEncoding.encodeDate(java.time.LocalDate.parse(text).toEpochDay());
      default:
        return ValueEncoding.encodeInteger(Long.parseLong(text));
    }
  }
}
