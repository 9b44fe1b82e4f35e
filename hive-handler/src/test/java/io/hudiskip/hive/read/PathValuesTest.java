/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.read;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiTestTable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hive.serde2.ColumnProjectionUtils;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient.TableBuilder;
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The row reader on real tables whose files have no {@code city}. Batches are in {@code
 * tests/e2e/operations/test_path_columns.py}: Hive's vectorised reader wants a plan.
 */
class PathValuesTest {
  private static final String WITHOUT_CITY =
      "{'type':'record','name':'t','fields':[{'name':'Id','type':'long'}]}";

  @TempDir Path directory;

  @Test
  void putsTheValueIntoEachRow() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory, WITHOUT_CITY, b -> dropping(b, true));
    assertThat(rows(table, "a%2Fb", job(table), 1, 2)).containsExactly("1 a/b", "2 a/b");
    assertThat(rows(table, "__HIVE_DEFAULT_PARTITION__", job(table), 3)).containsExactly("3 null");
  }

  @Test
  void leavesNullWhereTheTableDoesNotDropItsPartitionColumns() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory, WITHOUT_CITY, b -> dropping(b, false));
    assertThat(rows(table, "a%2Fb", job(table), 1)).containsExactly("1 null");
  }

  @Test
  void takesThePathAndNotWhatTheFileHas() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(directory, HudiTestTable.SCHEMA, b -> dropping(b, true));
    assertThat(rows(table, "a%2Fb", job(table), 1)).containsExactly("1 a/b");
    // Negative ids have no city in the file.
    assertThat(rows(table, "a%2Fb", job(table), -1, 2)).containsExactly("-1 a/b", "2 a/b");
    assertThat(rows(table, "__HIVE_DEFAULT_PARTITION__", job(table), 3)).containsExactly("3 null");
  }

  @Test
  void leavesWhatTheFileHasInOtherTables() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(directory, HudiTestTable.SCHEMA, b -> dropping(b, false));
    assertThat(rows(table, "a%2Fb", job(table), 1)).containsExactly("1 city 1");
  }

  @Test
  void looksAgainWhenThePropertiesOfTheTableAreOthers() throws Exception {
    HudiTestTable table =
        HudiTestTable.create(directory, HudiTestTable.SCHEMA, b -> dropping(b, false));
    assertThat(rows(table, "a", job(table), 1)).containsExactly("1 city 1");
    Path properties = directory.resolve(".hoodie/hoodie.properties");
    String text = new String(Files.readAllBytes(properties), StandardCharsets.UTF_8);
    String key = HoodieTableConfig.DROP_PARTITION_COLUMNS.key() + "=";
    Files.write(
        properties, text.replace(key + "false", key + "true").getBytes(StandardCharsets.UTF_8));
    // A file system with checksums would not have it changed behind its back.
    Files.deleteIfExists(directory.resolve(".hoodie/.hoodie.properties.crc"));
    assertThat(rows(table, "a", job(table), 2)).containsExactly("2 a");
  }

  @Test
  void doesNotMindAPathThatSaysNothingOfColumnsThatAreRead() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory, WITHOUT_CITY, b -> dropping(b, true));
    JobConf idAlone = job(table);
    ColumnProjectionUtils.setReadColumns(idAlone, Arrays.asList(0));
    assertThat(rows(table, "a/b", idAlone, 1)).containsExactly("1 null");
    assertThatThrownBy(() -> rows(table, "a/b", job(table), 1))
        .isInstanceOf(IOException.class)
        .hasNoCause()
        .hasMessageContaining("'a/b' does not tell the values of [city]");
  }

  @Test
  void refusesAnotherTypeThanString() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory, WITHOUT_CITY, b -> dropping(b, true));
    JobConf job = job(table);
    job.set("columns.types", "bigint:int");
    assertThatThrownBy(() -> rows(table, "7", job, 1))
        .hasMessageContaining("city can be read as a string alone; it is int in Hive");
  }

  @Test
  void refusesToReadByPosition() throws Exception {
    HudiTestTable table = HudiTestTable.create(directory, WITHOUT_CITY, b -> dropping(b, true));
    JobConf job = job(table);
    job.setBoolean("parquet.column.index.access", true);
    assertThatThrownBy(() -> rows(table, "a", job, 1))
        .hasMessageContaining("parquet.column.index.access=true is not possible");
  }

  private static TableBuilder dropping(TableBuilder builder, boolean drop) {
    return builder
        .setPartitionFields("city")
        .setShouldDropPartitionColumns(drop)
        .setKeyGeneratorClassProp(KeyGeneratorType.SIMPLE.getClassName())
        .setHiveStylePartitioningEnable(false)
        .setUrlEncodePartitioning(true);
  }

  private static JobConf job(HudiTestTable table) {
    return HiveJobs.fetch(table.location(), null);
  }

  /** Id and city of each row of a new file. */
  private static List<String> rows(HudiTestTable table, String partition, JobConf job, long... ids)
      throws Exception {
    org.apache.hadoop.fs.Path file =
        new org.apache.hadoop.fs.Path(
            new org.apache.hadoop.fs.Path(table.location(), partition),
            table.insert(partition, ids));
    long length = file.getFileSystem(job).getFileStatus(file).getLen();
    FileSplit split = new FileSplit(file, 0, length, new String[0]);
    List<String> rows = new ArrayList<>();
    try (RowBaseFileReader reader = new RowBaseFileReader(split, job, Reporter.NULL)) {
      ArrayWritable row = reader.createValue();
      while (reader.next(null, row)) {
        rows.add(row.get()[0] + " " + row.get()[1]);
      }
    }
    return rows;
  }
}
