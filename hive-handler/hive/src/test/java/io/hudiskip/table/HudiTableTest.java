// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collections;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.common.table.HoodieTableMetaClient.TableBuilder;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HudiTableTest {
  private static final Configuration CONF = new Configuration(false);

  @TempDir Path directory;

  @Test
  void returnsTheColumnsOfTheTableInOrderWithLowerCaseNames() throws Exception {
    assertThat(open(b -> b).columns()).hasToString("{id=bigint, city=string}");
  }

  @Test
  void returnsHudisOwnColumnsWhereTheTableHasThem() throws Exception {
    assertThat(open(b -> b.setPopulateMetaFields(true)).columns().keySet())
        .containsExactly(
            "_hoodie_commit_time",
            "_hoodie_commit_seqno",
            "_hoodie_record_key",
            "_hoodie_partition_path",
            "_hoodie_file_name",
            "id",
            "city");
  }

  @Test
  void refusesColumnsThatDifferOnlyInCase() throws Exception {
    assertThatThrownBy(open(schema("'Id'", "'iD'"), b -> b)::columns)
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining("differ only in case: iD");
  }

  @Test
  void refusesAPartitionOfATable() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory);
    table.insert("2026", 1);
    assertThatThrownBy(() -> HudiTable.open(CONF, table.location() + "/2026"))
        .hasMessageContaining("is not a Hudi table");
  }

  @Test
  void acceptsMergeOnReadTables() throws Exception {
    assertThat(open(b -> mergeOnRead(b).setOrderingFields("id")).columns()).containsKey("id");
  }

  @Test
  void refusesRecordsThatAreMergedByAnUnknownClass() throws Exception {
    assertRefused(
        b ->
            mergeOnRead(b)
                .setRecordMergeMode(RecordMergeMode.CUSTOM)
                .setPayloadClassName("com.example.Payload"),
        "the payload class com.example.Payload, which is not part of Hudi");
    assertRefused(
        b ->
            mergeOnRead(b)
                .setRecordMergeMode(RecordMergeMode.CUSTOM)
                .setRecordMergeStrategyId("11111111-2222-3333-4444-555555555555"),
        "a custom record merger");
  }

  @Test
  void refusesATableThatDoesNotSayHowRecordsAreMerged() throws Exception {
    HoodieTableMetaClient table = open(b -> mergeOnRead(b).setOrderingFields("id")).metaClient();
    HoodieTableConfig.delete(
        table.getStorage(),
        table.getMetaPath(),
        Collections.singleton(HoodieTableConfig.RECORD_MERGE_MODE.key()));
    assertThatThrownBy(() -> HudiTable.open(CONF, table.getBasePath().toString()))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining("hoodie.record.merge.mode is missing");
  }

  @Test
  void acceptsRecordsWithKnownKeys() throws Exception {
    for (UnaryOperator<TableBuilder> keys :
        Arrays.<UnaryOperator<TableBuilder>>asList(
            b -> withoutKeys(b, KeyGeneratorType.SIMPLE, "Id"),
            b -> withoutKeys(b, KeyGeneratorType.NON_PARTITION, "Id,city"),
            b -> withoutKeys(b, KeyGeneratorType.COMPLEX, "Id"),
            b -> withoutKeys(b, KeyGeneratorType.COMPLEX, "city,Id").setTableVersion(6))) {
      assertThat(open(b -> keys.apply(mergeOnRead(b))).columns()).containsKey("id");
    }
  }

  @Test
  void refusesRecordsWithUnknownKeys() throws Exception {
    assertNotMerged(b -> withoutKeys(b, KeyGeneratorType.SIMPLE, null), "name no key fields");
    assertNotMerged(
        b -> withoutKeys(b, KeyGeneratorType.TIMESTAMP, "Id"),
        "the key format of org.apache.hudi.keygen.TimestampBasedKeyGenerator is unknown");
    assertNotMerged(
        b -> withoutKeys(b, KeyGeneratorType.COMPLEX, "Id").setTableVersion(6),
        "formats a single field");
    assertNotMerged(
        b -> withoutKeys(b, KeyGeneratorType.SIMPLE, "no"), "its key column no is missing");
    String date = "'day','type':{'type':'int','logicalType':'date'}";
    String withDay = schema("'id'", "'day'").replace("'day','type':'long'", date);
    assertThatThrownBy(
            open(withDay, b -> withoutKeys(mergeOnRead(b), KeyGeneratorType.SIMPLE, "day"))
                ::columns)
        .hasMessageContaining("its key field day is neither a string nor an integer");
  }

  @Test
  void refusesRecordsWithoutPartitionColumns() throws Exception {
    assertNotMerged(HudiTableTest::withCityInPaths, "lack the partition columns");
  }

  @Test
  void refusesBaseFilesOutsideTheTableOrNotInParquet() throws Exception {
    assertRefused(b -> b.setBootstrapBasePath("/elsewhere"), "bootstrap");
    assertRefused(b -> b.setBaseFileFormat("ORC"), "hoodie.table.base.file.format=ORC");
    assertRefused(b -> b.setMultipleBaseFileFormatsEnabled(true), "Parquet base files");
  }

  @Test
  void acceptsPartitionColumnsThatAreOnlyInPaths() throws Exception {
    HudiTable opened = open(HudiTableTest::withCityInPaths);
    assertThat(opened.columns()).hasToString("{id=bigint, city=string}");
    assertThat(opened.partitionColumns().contains("city")).isTrue();
    assertThat(opened.partitionColumns().contains("id")).isFalse();
  }

  @Test
  void hasPartitionColumnsOnlyInPathsIfThePropertyIsSet() throws Exception {
    HudiTable opened = open(b -> withCityInPaths(b).setShouldDropPartitionColumns(false));
    assertThat(opened.partitionColumns().isEmpty()).isTrue();
  }

  @Test
  void refusesPathsFromWhichTheValuesCannotBeRead() throws Exception {
    assertRefused(
        b -> withCityInPaths(b).setKeyGeneratorClassProp(KeyGeneratorType.TIMESTAMP.getClassName()),
        "TimestampBasedKeyGenerator does not write their values");
    assertRefused(
        b -> withCityInPaths(b).setPartitionFields("place.city"), "place.city is a nested field");
    assertRefused(
        b ->
            b.setPartitionFields("city")
                .setShouldDropPartitionColumns(true)
                .setKeyGeneratorClassProp(KeyGeneratorType.SIMPLE.getClassName()),
        "do not define the path format");
  }

  @Test
  void refusesNonStringPartitionColumnsThatAreOnlyInPaths() throws Exception {
    assertThatThrownBy(open(schema("'id'", "'city'"), HudiTableTest::withCityInPaths)::columns)
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining("partition column city")
        .hasMessageContaining("is bigint")
        .hasMessageContaining("hoodie.datasource.write.drop.partition.columns=true");
  }

  private static TableBuilder mergeOnRead(TableBuilder builder) {
    return builder.setTableType(HoodieTableType.MERGE_ON_READ).setPopulateMetaFields(true);
  }

  private static TableBuilder withoutKeys(
      TableBuilder builder, KeyGeneratorType generator, @Nullable String fields) {
    return builder
        .setPopulateMetaFields(false)
        .setRecordKeyFields(fields)
        .setKeyGeneratorClassProp(generator.getClassName());
  }

  private HudiTable open(UnaryOperator<TableBuilder> properties) throws Exception {
    return open(HudiTestTable.SCHEMA, properties);
  }

  private HudiTable open(String schema, UnaryOperator<TableBuilder> properties) throws Exception {
    Path root = Files.createTempDirectory(directory, "table");
    return HudiTable.open(CONF, HudiTestTable.create(root, schema, properties).location());
  }

  private void assertNotMerged(UnaryOperator<TableBuilder> properties, String message)
      throws Exception {
    assertThatThrownBy(open(b -> properties.apply(mergeOnRead(b)))::columns)
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining(message);
  }

  private static TableBuilder withCityInPaths(TableBuilder builder) {
    return builder
        .setPartitionFields("city")
        .setShouldDropPartitionColumns(true)
        .setKeyGeneratorClassProp(KeyGeneratorType.SIMPLE.getClassName())
        .setHiveStylePartitioningEnable(false)
        .setUrlEncodePartitioning(true);
  }

  private void assertRefused(UnaryOperator<TableBuilder> properties, String message)
      throws Exception {
    assertThatThrownBy(() -> open(properties))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining(message)
        .hasMessageContaining(directory.toString());
  }

  private static String schema(String first, String second) {
    return "{'type':'record','name':'t','fields':[{'name':"
        + first
        + ",'type':'long'},{'name':"
        + second
        + ",'type':'long'}]}";
  }
}
