// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.statistics.ColumnStatistics;
import io.hudiskip.compile.statistics.ColumnVector;
import io.hudiskip.compile.statistics.StatisticsTable;
import io.hudiskip.conformance.ConformanceVectors;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.annotation.Nullable;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class PartitionValuesTest {
  private static final String[] TYPES = {"string", "int", "date", "boolean", "double"};
  private static final String[] FOLDERS = {
    "x",
    "7",
    "007",
    "50%25",
    "%2F",
    "p=x",
    "q=7",
    "r=2026-01-03",
    "2026-01-03",
    "true",
    "a b",
    "__HIVE_DEFAULT_PARTITION__",
    "p=__HIVE_DEFAULT_PARTITION__",
    "q=50%25"
  };

  private static final PartitionColumns IN_FILES =
      new PartitionColumns(Collections.emptyList(), false, false);

  @TestFactory
  Stream<DynamicTest> valuesOfPathsAreThoseThatBothLanguagesAgreedOn() throws IOException {
    return ConformanceVectors.load("partition_values.json", "read_from_paths").stream()
        .map(
            vector -> DynamicTest.dynamicTest(vector.get("name").textValue(), () -> check(vector)));
  }

  private static void check(JsonNode vector) {
    List<String> types = new ArrayList<>();
    vector
        .get("columns")
        .properties()
        .forEach(
            column -> Collections.addAll(types, column.getKey(), column.getValue().textValue()));
    List<String> names = new ArrayList<>();
    vector.get("columns").fieldNames().forEachRemaining(names::add);
    HoodieTableConfig config =
        config(
            vector.get("hive_style").booleanValue(),
            vector.get("url_encoded").booleanValue(),
            names.toArray(new String[0]));
    Map<String, String> read = new HashMap<>();
    vector
        .get("read")
        .properties()
        .forEach(value -> read.put(value.getKey(), value.getValue().textValue()));
    PartitionValues values =
        PartitionValues.of(config, IN_FILES, types(types.toArray(new String[0])));
    assertThat(values.inPlaceOfStored(vector.get("path").textValue())).isEqualTo(read);
  }

  @ParameterizedTest
  @CsvSource({
    "int, 7",
    "bigint, -7",
    "int, 0",
    "boolean, true",
    "boolean, false",
    "date, 2026-01-03",
    "string, 007",
    "string, a=b",
    "string, pp=b",
    "string, 50%",
    "string, default",
    "string, 2026/01/03"
  })
  void aTextThatHudiWritesForAValueIsTheValue(String type, String text) {
    PartitionValues values = of(config(false, false, "p"), "p", type);
    ColumnStatistics known = only(values, text);
    assertThat(known.lower()).isEqualTo(encoded(type, text)).isEqualTo(known.upper());
    assertThat(known.nullCount()).isZero();
    assertThat(known.isAllNull()).isFalse();
    assertThat(values.inPlaceOfStored(text)).containsOnly(entry("p", text));
  }

  @ParameterizedTest
  @CsvSource({
    "int, 007",
    "int, +7",
    "int, -0",
    "int, 2147483648",
    "bigint, 9223372036854775808",
    "int, default",
    "int, ''",
    "string, ''",
    "string, p=a",
    "string, 50%25",
    "int, p=7",
    "boolean, TRUE",
    "boolean, 1",
    "date, 2026-1-3",
    "date, 2026-02-30",
    "date, 20456",
    "date, 1582-10-04",
    "timestamp, 2026-01-03 00:00:00",
    "'decimal(5,2)', 1.10",
    "double, 1.0"
  })
  void forOtherTextsTheFilesCount(String type, String text) {
    PartitionValues values = of(config(false, false, "p"), "p", type);
    assertThat(only(values, text)).isNull();
    assertThat(values.inPlaceOfStored(text)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"int", "date", "boolean", "string"})
  void theFolderOfNullHasOnlyNulls(String type) {
    PartitionValues values = of(config(false, false, "p"), "p", type);
    assertThat(only(values, "__HIVE_DEFAULT_PARTITION__").isAllNull()).isTrue();
    assertThat(values.inPlaceOfStored("__HIVE_DEFAULT_PARTITION__")).containsEntry("p", null);
  }

  @ParameterizedTest
  @CsvSource({"a%2Fb, a/b", "a b, a b", "%25, %", "%2f, /"})
  void anEscapedTextIsTheValue(String folder, String text) {
    ColumnStatistics known = only(of(config(true, true, "P"), "p", "string"), "P=" + folder);
    assertThat(known.lower()).isEqualTo(encoded("string", text)).isEqualTo(known.upper());
  }

  @Test
  void aFolderWithoutTheColumnsNameProvesNothing() {
    assertThat(only(of(config(true, true, "P"), "p", "string"), "a")).isNull();
  }

  @Test
  void valuesThatFilesLackAreNotInPlaceOfTheirs() {
    PartitionColumns dropped = new PartitionColumns(Collections.singletonList("p"), false, false);
    PartitionValues values =
        PartitionValues.of(config(false, false, "p"), dropped, types("p", "string"));
    assertThat(values.inPlaceOfStored("a")).isEmpty();
    assertThat(only(values, "a").lower()).isEqualTo(encoded("string", "a"));
  }

  /** A record over several columns would be of stored values, too. */
  @Test
  void statisticsOfTheColumnsReplaceThoseOfFiles() {
    StatisticsTable table =
        of(config(false, false, "p"), "p", "int").statistics(Collections.singletonList("7"), true);
    assertThat(table.replaces("p")).isTrue();
    assertThat(table.replaces("other,p")).isTrue();
    assertThat(table.column("other,p").get().range(0).lower()).isNull();
    assertThat(table.replaces("other")).isFalse();
  }

  @Test
  void directoriesOfPartitionsHaveTheValuesOfTheirLevels() {
    PartitionValues ofNumbers =
        PartitionValues.of(
            config(false, false, "year", "Month"), IN_FILES, types("year", "int", "month", "int"));
    Map<String, ColumnStatistics> year = statistics(ofNumbers, "2026", false, "year", "month");
    assertThat(year.get("year").lower()).isEqualTo(ValueEncoding.encodeInteger(2026));
    assertThat(year.get("month")).isNull();
    Map<String, ColumnStatistics> month = statistics(ofNumbers, "2026/3", false, "year", "month");
    assertThat(month.get("month").upper()).isEqualTo(ValueEncoding.encodeInteger(3));

    PartitionValues ofText = of(config(false, false, "p"), "p", "string");
    Map<String, ColumnStatistics> perhapsLonger = statistics(ofText, "x", false, "p");
    assertThat(perhapsLonger.get("p").lower()).isEqualTo(encoded("string", "x"));
    assertThat(perhapsLonger.get("p").upper()).isEqualTo(encoded("string", "x0"));

    PartitionValues ofTexts =
        PartitionValues.of(
            config(false, false, "a", "b"), IN_FILES, types("a", "string", "b", "string"));
    assertThat(statistics(ofTexts, "x/y", false, "a", "b").values())
        .as("of x/y/z, the files' values count")
        .containsOnlyNulls();
    assertThat(statistics(ofTexts, "x/y", true, "a", "b").get("b").lower())
        .isEqualTo(encoded("string", "y"));
    assertThat(statistics(ofTexts, "x/y/z", true, "a", "b").values()).containsOnlyNulls();
  }

  /** Readers return what the path says, of whatever partition; else a row would be lost. */
  @Test
  void whatADirectorySaysIsTrueOfEachPartitionBelowIt() {
    Random random = new Random(7);
    int claims = 0;
    for (int i = 0; i < 20_000; i++) {
      String[] names = Arrays.copyOf(new String[] {"p", "q", "r"}, 1 + random.nextInt(3));
      Map<String, TypeInfo> types = new HashMap<>();
      for (String name : names) {
        types.put(name, TypeInfoUtils.getTypeInfoFromTypeString(any(random, TYPES)));
      }
      PartitionValues values =
          PartitionValues.of(
              config(random.nextBoolean(), random.nextBoolean(), names), IN_FILES, types);
      List<String> folders =
          Stream.generate(() -> any(random, FOLDERS))
              .limit(1 + random.nextInt(5))
              .collect(Collectors.toList());
      Map<String, String> read = values.inPlaceOfStored(String.join("/", folders));
      for (int depth = 1; depth <= folders.size(); depth++) {
        String directory = String.join("/", folders.subList(0, depth));
        Map<String, ColumnStatistics> said = statistics(values, directory, false, names);
        for (String name : names) {
          if (said.get(name) != null) {
            claims++;
            assertThat(read)
                .as("%s of %s, %s below %s", types, folders, name, directory)
                .containsKey(name);
            assertThat(holds(said.get(name), types.get(name).getTypeName(), read.get(name)))
                .as("%s of %s, %s below %s", types, folders, name, directory)
                .isTrue();
          }
        }
      }
    }
    assertThat(claims).isGreaterThan(5_000);
  }

  private static String any(Random random, String... of) {
    return of[random.nextInt(of.length)];
  }

  private static boolean holds(ColumnStatistics said, String type, @Nullable String text) {
    return text == null
        ? said.isAllNull()
        : EncodedOrder.compare(said.lower(), encoded(type, text)) <= 0
            && EncodedOrder.compare(encoded(type, text), said.upper()) <= 0;
  }

  @ParameterizedTest
  @CsvSource({
    "hoodie.table.keygenerator.class, org.apache.hudi.keygen.TimestampBasedKeyGenerator",
    "hoodie.table.keygenerator.class, org.apache.hudi.keygen.CustomKeyGenerator",
    "hoodie.table.keygenerator.class, org.example.OwnKeyGenerator",
    "hoodie.datasource.write.slash.separated.date.partitioning, true",
    "hoodie.datasource.write.hive_style_partitioning,",
    "hoodie.datasource.write.partitionpath.urlencode,",
    "hoodie.table.partition.fields, a.p"
  })
  void whereWritersMayChangeValuesTheFilesCount(String property, @Nullable String value) {
    HoodieTableConfig config = config(false, false, "p");
    assertThat(of(config, "p", "int").areOfAny(named("p"))).isTrue();
    if (value == null) {
      config.getProps().remove(property);
    } else {
      config.setValue(property, value);
    }
    assertThat(of(config, "p", "int").areOfAny(named("p"))).isFalse();
    assertThat(of(config, "p", "int").inPlaceOfStored("7")).isEmpty();
  }

  private static Iterable<String> named(String name) {
    return Arrays.asList(name, "another");
  }

  private static PartitionValues of(HoodieTableConfig config, String column, String type) {
    return PartitionValues.of(config, IN_FILES, types(column, type));
  }

  @Nullable
  private static ColumnStatistics only(PartitionValues values, String path) {
    return statistics(values, path, true, "p").get("p");
  }

  private static Map<String, ColumnStatistics> statistics(
      PartitionValues of, String path, boolean isPartition, String... columns) {
    StatisticsTable table = of.statistics(Collections.singletonList(path), isPartition);
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
