// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import io.hudiskip.table.Merging;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.common.model.HoodieRecordMerger;
import org.apache.hudi.common.model.HoodieTableType;
import org.apache.hudi.common.model.PartialUpdateAvroPayload;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient.TableBuilder;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.api.io.TempDir;

/** Holds the rule of file slices to {@code slices.json}, with real tables and indexes. */
class SliceConformanceTest {
  private static final String INSTANT = "20260101000000000";
  private static final String PARTITION = "p";
  private static final long SIZE = 100;
  private static final long WANTED = 5;

  @TempDir static Path directory;

  @TestFactory
  Stream<DynamicTest> tablesKeepRecordsWholeOrNot() throws IOException {
    return tests("merging", SliceConformanceTest::checkMerging);
  }

  @TestFactory
  Stream<DynamicTest> slicesAreKeptOrSkippedAsBothLanguagesAgreed() throws IOException {
    return tests("slices", SliceConformanceTest::checkSlice);
  }

  private interface Check {
    void of(JsonNode vector) throws Exception;
  }

  private static Stream<DynamicTest> tests(String key, Check check) throws IOException {
    return ConformanceVectors.load("slices.json", key).stream()
        .map(
            vector ->
                DynamicTest.dynamicTest(vector.get("name").textValue(), () -> check.of(vector)));
  }

  private static void checkMerging(JsonNode vector) {
    HoodieTableConfig config = new HoodieTableConfig();
    vector
        .get("properties")
        .fields()
        .forEachRemaining(
            property -> config.setValue(property.getKey(), property.getValue().textValue()));
    assertThat(Merging.keepsRecordsWhole(config)).isEqualTo(vector.get("whole").booleanValue());
  }

  private static void checkSlice(JsonNode vector) throws Exception {
    Path root = Files.createTempDirectory(directory, "table");
    boolean isWhole = vector.get("whole").booleanValue();
    HudiTestTable table =
        HudiTestTable.create(
            root,
            HudiTestTable.SCHEMA,
            builder -> isWhole ? mergeOnRead(builder) : mergedByPayload(mergeOnRead(builder)));
    FileSlice nothing = new FileSlice(new HoodieFileGroupId(PARTITION, "e"), INSTANT);
    FileSlice other = new FileSlice(new HoodieFileGroupId(PARTITION, "g"), INSTANT);
    String otherName = "g_0-0-0_" + INSTANT + ".parquet";
    other.setBaseFile(new HoodieBaseFile(info(root, otherName)));
    IdIndex index = new IdIndex(root);
    add(index, otherName, "excluded");
    FileSlice slice = new FileSlice(new HoodieFileGroupId(PARTITION, "f"), INSTANT);
    if (!vector.get("base").isNull()) {
      String name = "f_0-0-0_" + INSTANT + ".parquet";
      slice.setBaseFile(new HoodieBaseFile(info(root, name)));
      add(index, name, vector.get("base").textValue());
    }
    int version = 0;
    for (JsonNode log : vector.get("logs")) {
      String name = String.format(".f_%s.log.%d_0-0-0", INSTANT, ++version);
      slice.addLogFile(new HoodieLogFile(info(root, name)));
      add(index, name, log.textValue());
    }
    index.publish();

    ExprNodeGenericFuncDesc filter = HiveJobs.idEquals(WANTED);
    JobConf job = HiveJobs.pushing(filter, HiveJobs.fetch(table.location(), filter));
    TableScan scan = new TableScan(job, new org.apache.hadoop.fs.Path(table.location()));
    FileSelection selection = FileSelector.select(scan, Arrays.asList(nothing, slice, other));
    assertThat(selection.keeps(0)).as("a slice of no known file").isTrue();
    assertThat(selection.keeps(1)).isEqualTo(vector.get("keep").booleanValue());
    assertThat(selection.keeps(2)).as("a slice that is excluded").isFalse();
  }

  private static void add(IdIndex index, String name, String state) {
    switch (state) {
      case "matching":
        index.file(PARTITION, name, SIZE, WANTED - 4, WANTED + 4);
        break;
      case "excluded":
        index.file(PARTITION, name, SIZE, WANTED + 1, WANTED + 9);
        break;
      case "of another size":
        index.file(PARTITION, name, SIZE - 1, WANTED + 1, WANTED + 9);
        break;
      case "without records":
        index.emptyFile(PARTITION, name, SIZE);
        break;
      case "without statistics":
        index.fileWithoutStatistics(PARTITION, name, SIZE);
        break;
      case "unknown":
        break;
      default:
        throw new AssertionError("what is a file that is " + state + "?");
    }
  }

  private static TableBuilder mergeOnRead(TableBuilder builder) {
    return builder
        .setTableType(HoodieTableType.MERGE_ON_READ)
        .setPopulateMetaFields(true)
        .setPartitionFields("city");
  }

  private static TableBuilder mergedByPayload(TableBuilder builder) {
    return builder
        .setRecordMergeMode(RecordMergeMode.CUSTOM)
        .setPayloadClass(PartialUpdateAvroPayload.class)
        .setRecordMergeStrategyId(HoodieRecordMerger.PAYLOAD_BASED_MERGE_STRATEGY_UUID);
  }

  private static StoragePathInfo info(Path root, String name) {
    StoragePath path = new StoragePath(root.resolve(PARTITION).resolve(name).toString());
    return new StoragePathInfo(path, SIZE, false, (short) 0, 0, 0);
  }
}
