// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

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
import org.apache.hudi.keygen.constant.KeyGeneratorType;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The row reader on real tables whose files lack {@code city}. {@code
 * tests/e2e/operations/test_path_columns.py} covers batches, since Hive's vectorised reader needs a
 * plan.
 */
class PathValuesTest {
  private static final String WITHOUT_CITY =
      "{'type':'record','name':'t','fields':[{'name':'Id','type':'long'}]}";

  @TempDir Path directory;
  private HudiTestTable table;
  private JobConf job;

  @Test
  void leavesNullWhereTheTableDoesNotDropItsPartitionColumns() throws Exception {
    createTable(WITHOUT_CITY, false);
    assertThat(rows("a%2Fb", job, 1)).containsExactly("1 null");
  }

  @Test
  void rereadsChangedTableProperties() throws Exception {
    createTable(HudiTestTable.SCHEMA, false);
    assertThat(rows("a", job, 1)).containsExactly("1 city 1");
    Path properties = directory.resolve(".hoodie/hoodie.properties");
    String text = new String(Files.readAllBytes(properties), StandardCharsets.UTF_8);
    String key = HoodieTableConfig.DROP_PARTITION_COLUMNS.key() + "=";
    Files.write(
        properties, text.replace(key + "false", key + "true").getBytes(StandardCharsets.UTF_8));
    // A checksummed file system would detect the change.
    Files.deleteIfExists(directory.resolve(".hoodie/.hoodie.properties.crc"));
    assertThat(rows("a", job, 2)).containsExactly("2 a");
  }

  @Test
  void acceptsAPathWithoutValuesForTheColumnsRead() throws Exception {
    createTable(WITHOUT_CITY, true);
    JobConf idAlone = new JobConf(job);
    ColumnProjectionUtils.setReadColumns(idAlone, Arrays.asList(0));
    assertThat(rows("a/b", idAlone, 1)).containsExactly("1 null");
    assertThatThrownBy(() -> rows("a/b", job, 1))
        .isInstanceOf(IOException.class)
        .hasNoCause()
        .hasMessageContaining("'a/b' does not determine the values of [city]");
  }

  @Test
  void refusesAnotherTypeThanString() throws Exception {
    createTable(WITHOUT_CITY, true);
    job.set("columns.types", "bigint:int");
    assertThatThrownBy(() -> rows("7", job, 1))
        .hasMessageContaining("city can only be read as a string, but is int in Hive");
  }

  @Test
  void refusesToReadByPosition() throws Exception {
    createTable(WITHOUT_CITY, true);
    job.setBoolean("parquet.column.index.access", true);
    assertThatThrownBy(() -> rows("a", job, 1))
        .hasMessageContaining("parquet.column.index.access=true does not work for");
  }

  private void createTable(String schema, boolean dropsPartitionColumns) throws IOException {
    table =
        HudiTestTable.create(
            directory,
            schema,
            builder ->
                builder
                    .setPartitionFields("city")
                    .setShouldDropPartitionColumns(dropsPartitionColumns)
                    .setKeyGeneratorClassProp(KeyGeneratorType.SIMPLE.getClassName())
                    .setHiveStylePartitioningEnable(false)
                    .setUrlEncodePartitioning(true));
    job = HiveJobs.fetch(table.location(), null);
  }

  /** Id and city of each row of a new file. */
  private List<String> rows(String partition, JobConf job, long... ids) throws Exception {
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
