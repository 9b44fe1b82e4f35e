/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.table.HoodieTableMetaClient.TableBuilder;
import org.apache.hudi.internal.schema.InternalSchema;
import org.apache.hudi.internal.schema.Types;
import org.apache.hudi.internal.schema.utils.SerDeHelper;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HudiTableTest {
  private static final Configuration CONF = new Configuration(false);

  @TempDir Path directory;

  @Test
  void givesTheColumnsOfTheTableInOrderWithLowerCaseNames() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory);
    assertThat(HudiTable.open(CONF, table.location()).columns().toString())
        .isEqualTo("{id=bigint, city=string}");
  }

  @Test
  void givesHudisOwnColumnsWhereTheTableHasThem() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(
            directory, HudiTestTable.SCHEMA, builder -> builder.setPopulateMetaFields(true));
    assertThat(HudiTable.open(CONF, table.location()).columns().keySet())
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
    HudiTestTable table = HudiTestTable.create(directory, schema("'Id'", "'iD'"), b -> b);
    HudiTable opened = HudiTable.open(CONF, table.location());
    assertThatThrownBy(opened::columns)
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining("differ only in case: iD");
  }

  @Test
  void refusesADirectoryWithoutATable() throws Exception {
    Files.createDirectories(directory.resolve("year=2026"));
    assertThatThrownBy(() -> HudiTable.open(CONF, directory.toString()))
        .isInstanceOf(UnreadableTableException.class)
        .hasMessageContaining("is not a Hudi table")
        .hasMessageContaining("root directory");
  }

  @Test
  void refusesAPartitionOfATable() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory);
    table.insert("2026", 1);
    assertThatThrownBy(() -> HudiTable.open(CONF, table.location() + "/2026"))
        .hasMessageContaining("is not a Hudi table");
  }

  @Test
  void takesMergeOnRead() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(
            directory,
            HudiTestTable.SCHEMA,
            builder -> mergeOnRead(builder).setPreCombineField("id"));
    assertThat(HudiTable.open(CONF, table.location()).columns()).containsKey("id");
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
        "a record merger of its own");
  }

  @Test
  void takesRecordsWhoseKeysCanBeTold() throws Exception {
    for (UnaryOperator<TableBuilder> keys :
        Arrays.<UnaryOperator<TableBuilder>>asList(
            b -> withoutKeys(b, KeyGeneratorType.SIMPLE, "Id"),
            b -> withoutKeys(b, KeyGeneratorType.NON_PARTITION, "Id,city"),
            b -> withoutKeys(b, KeyGeneratorType.COMPLEX, "Id"),
            b -> withoutKeys(b, KeyGeneratorType.COMPLEX, "city,Id").setTableVersion(6))) {
      assertThat(mergeOnRead(keys, HudiTestTable.SCHEMA).columns()).containsKey("id");
    }
  }

  @Test
  void refusesRecordsWhoseKeysCannotBeTold() throws Exception {
    assertNotMerged(b -> withoutKeys(b, KeyGeneratorType.SIMPLE, null), "name no key fields");
    assertNotMerged(
        b -> withoutKeys(b, KeyGeneratorType.TIMESTAMP, "Id"),
        "what org.apache.hudi.keygen.TimestampBasedKeyGenerator makes of its key fields");
    assertNotMerged(
        b -> withoutKeys(b, KeyGeneratorType.COMPLEX, "Id").setTableVersion(6),
        "makes of one field");
    assertNotMerged(b -> withoutKeys(b, KeyGeneratorType.SIMPLE, "no"), "no column no, its key");
    String date = "'day','type':{'type':'int','logicalType':'date'}";
    String withDay = schema("'id'", "'day'").replace("'day','type':'long'", date);
    assertThatThrownBy(
            mergeOnRead(b -> withoutKeys(b, KeyGeneratorType.SIMPLE, "day"), withDay)::columns)
        .hasMessageContaining("its key field day is neither a string nor an integer");
  }

  @Test
  void refusesRecordsWithoutPartitionColumns() throws Exception {
    assertNotMerged(HudiTableTest::withCityInPaths, "without their partition columns");
  }

  @Test
  void refusesBootstrapTables() throws Exception {
    assertRefused(b -> b.setBootstrapBasePath("/elsewhere"), "bootstrap");
  }

  @Test
  void refusesBaseFilesThatAreNotParquet() throws Exception {
    assertRefused(b -> b.setBaseFileFormat("ORC"), "hoodie.table.base.file.format=ORC");
  }

  @Test
  void refusesSeveralBaseFileFormats() throws Exception {
    assertRefused(b -> b.setMultipleBaseFileFormatsEnabled(true), "Parquet base files");
  }

  @Test
  void takesPartitionColumnsThatAreInThePathsAlone() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(directory, HudiTestTable.SCHEMA, HudiTableTest::withCityInPaths);
    HudiTable opened = HudiTable.open(CONF, table.location());
    assertThat(opened.columns().toString()).isEqualTo("{id=bigint, city=string}");
    assertThat(opened.partitionColumns().contains("city")).isTrue();
    assertThat(opened.partitionColumns().contains("id")).isFalse();
  }

  @Test
  void hasNoPartitionColumnsInPathsAloneUnlessTheTableSaysSo() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(
            directory,
            HudiTestTable.SCHEMA,
            b -> withCityInPaths(b).setShouldDropPartitionColumns(false));
    assertThat(HudiTable.open(CONF, table.location()).partitionColumns().isEmpty()).isTrue();
  }

  @Test
  void refusesPathsThatDoNotHaveTheValues() throws Exception {
    assertRefused(
        b -> withCityInPaths(b).setKeyGeneratorClassProp(KeyGeneratorType.TIMESTAMP.getClassName()),
        "TimestampBasedKeyGenerator does not write their values");
  }

  @Test
  void refusesAFieldOfAStructAsAPartitionColumnInThePathsAlone() throws Exception {
    assertRefused(
        b -> withCityInPaths(b).setPartitionFields("place.city"),
        "place.city is a field of a struct");
  }

  @Test
  void refusesPathsOfAnUnknownForm() throws Exception {
    assertRefused(
        b ->
            b.setPartitionFields("city")
                .setShouldDropPartitionColumns(true)
                .setKeyGeneratorClassProp(KeyGeneratorType.SIMPLE.getClassName()),
        "do not say how the paths are written");
  }

  @Test
  void refusesPartitionColumnsInThePathsAloneThatAreNoStrings() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(directory, schema("'id'", "'city'"), HudiTableTest::withCityInPaths);
    HudiTable opened = HudiTable.open(CONF, table.location());
    assertThatThrownBy(opened::columns)
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

  private HudiTable mergeOnRead(UnaryOperator<TableBuilder> properties, String schema)
      throws Exception {
    HudiTestTable table =
        HudiTestTable.create(
            Files.createTempDirectory(directory, "table"),
            schema,
            builder -> properties.apply(mergeOnRead(builder)));
    return HudiTable.open(CONF, table.location());
  }

  private void assertNotMerged(UnaryOperator<TableBuilder> properties, String message)
      throws Exception {
    assertThatThrownBy(mergeOnRead(properties, HudiTestTable.SCHEMA)::columns)
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

  @Test
  void refusesColumnsThatAreMatchedById() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory);
    InternalSchema renamed =
        new InternalSchema(
            Types.RecordType.get(Types.Field.get(1, "renamed", Types.LongType.get())));
    table.commitMetadata(SerDeHelper.LATEST_SCHEMA, SerDeHelper.toJson(renamed));
    assertThatThrownBy(() -> HudiTable.open(CONF, table.location()))
        .hasMessageContaining("hoodie.schema.on.read.enable");
  }

  private void assertRefused(UnaryOperator<TableBuilder> properties, String message)
      throws Exception {
    HudiTestTable table = HudiTestTable.create(directory, HudiTestTable.SCHEMA, properties);
    assertThatThrownBy(() -> HudiTable.open(CONF, table.location()))
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
