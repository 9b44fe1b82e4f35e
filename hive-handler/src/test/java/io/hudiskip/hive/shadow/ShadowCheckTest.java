/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.shadow;

import static io.hudiskip.hive.HiveJobs.idEquals;
import static io.hudiskip.hive.HiveJobs.pushing;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.CountingReporter;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hive.ql.plan.DynamicValue;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeConstantDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDynamicValueDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDF;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFBetween;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPEqual;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.Writable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Shadow mode over a real Hudi table whose index tells a lie about one of its two files. */
class ShadowCheckTest {
  @TempDir Path directory;

  private HudiTestTable table;
  private final CountingReporter counters = new CountingReporter();

  @BeforeEach
  void writeATableWithALyingIndex() throws Exception {
    table =
        HudiTestTable.create(
            directory, HudiTestTable.SCHEMA, builder -> builder.setPartitionFields("city"));
    String low = table.insert("2025", 1, 9);
    String high = table.insert("2026", 10, 12, 19);
    new IdIndex(directory).file("2025", low, 1, 9).file("2026", high, 100, 190).publish();
  }

  @Test
  void countsRowsThatSkippingWouldHaveLostAndGivesThemAllTheSame() throws Exception {
    for (String engine : new String[] {"fetch", "tez", "mr"}) {
      counters.clear();
      assertThat(cities(shadow(engine, idEquals(12), 12)))
          .as("the answer on %s", engine)
          .contains("city 12")
          .hasSize(5);
      assertThat(counters.of("shadow.violations")).as("violations on %s", engine).isOne();
      // Both files would be skipped for 12.
      assertThat(counters.of("shadow.files")).isEqualTo(2);
      assertThat(counters.of("shadow.rows")).isEqualTo(5);
      assertThat(counters.of("shadow.failures")).isZero();
    }
  }

  @Test
  void findsNothingWhereTheIndexIsRight() throws Exception {
    assertThat(cities(shadow("tez", idEquals(9), 9))).contains("city 9");
    assertThat(counters.of("shadow.files")).as("the other file would be skipped").isOne();
    assertThat(counters.of("shadow.rows")).isEqualTo(3);
    assertThat(counters.of("shadow.violations")).isZero();
  }

  /**
   * Row groups are left out by Parquet's own statistics, which must not hide rows from the check.
   */
  @Test
  void looksAtEveryRowOfAFileThatWouldBeSkipped() throws Exception {
    JobConf job = shadow("fetch", idEquals(77), 77);
    job.setBoolean("hive.optimize.index.filter", true);
    cities(job);
    assertThat(counters.of("shadow.rows")).isEqualTo(5);
  }

  @Test
  void leavesFilesAloneThatWouldBeRead() throws Exception {
    // The index says that the file of 10 to 19 has 100 to 190.
    cities(shadow("fetch", idEquals(150), 150));
    assertThat(counters.of("shadow.rows")).as("rows of the file of 1 to 9").isEqualTo(2);
  }

  @Test
  void changesNothingForTheQuerysOwnReader() throws Exception {
    for (Writable[] row : rows(shadow("fetch", idEquals(12), 12))) {
      assertThat(row[0]).as("the filter's column, which the query does not want").isNull();
    }
    assertThat(counters.of("shadow.violations")).as("the check did read it").isOne();
  }

  @Test
  void doesNothingInOtherModes() throws Exception {
    for (String mode : new String[] {"on", "off"}) {
      JobConf job = shadow("tez", idEquals(12), 12);
      job.set("hudi.skipping.mode", mode);
      cities(job);
      assertThat(counters.names())
          .as("counters with mode=%s", mode)
          .noneMatch(name -> name.startsWith("shadow."));
    }
  }

  /** Tez adds terms with values that come at run time, and which no evaluator knows. */
  @Test
  void evaluatesTheFilterWithoutItsSyntheticTerms() throws Exception {
    ExprNodeDesc known = new ExprNodeConstantDesc(TypeInfoFactory.booleanTypeInfo, false);
    ExprNodeGenericFuncDesc filter =
        call(
            new GenericUDFOPAnd(),
            idEquals(12),
            call(new GenericUDFBetween(), known, id(), atRunTime("min"), atRunTime("max")));
    JobConf job = pushing(filter, 12, HiveJobs.fetch(table.location(), filter));
    job.set("hudi.skipping.mode", "shadow");
    cities(job);
    assertThat(counters.of("shadow.violations")).isOne();
  }

  @Test
  void evaluatesEveryTermOfAConjunction() throws Exception {
    ExprNodeGenericFuncDesc elsewhere = equal("city", TypeInfoFactory.stringTypeInfo, "city 19");
    ExprNodeGenericFuncDesc filter = call(new GenericUDFOPAnd(), idEquals(12), elsewhere);
    JobConf job = pushing(filter, 12, HiveJobs.fetch(table.location(), filter));
    job.set("hudi.skipping.mode", "shadow");
    cities(job);
    assertThat(counters.of("shadow.rows")).isEqualTo(5);
    assertThat(counters.of("shadow.violations")).as("no row has both").isZero();
  }

  @Test
  void failsNoQueryWhenTheFilterCannotBeEvaluated() throws Exception {
    ExprNodeGenericFuncDesc filter =
        call(
            new GenericUDFOPAnd(),
            idEquals(12),
            equal("no_such_column", TypeInfoFactory.stringTypeInfo, "x"));
    JobConf job = pushing(filter, 12, HiveJobs.fetch(table.location(), filter));
    job.set("hudi.skipping.mode", "shadow");
    assertThat(cities(job)).hasSize(5);
    assertThat(counters.of("shadow.failures")).as("one for each file").isEqualTo(2);
    assertThat(counters.of("shadow.files")).as("files that were checked").isZero();
  }

  private JobConf shadow(String engine, ExprNodeGenericFuncDesc filter, long id) throws Exception {
    JobConf job =
        engine.equals("fetch")
            ? HiveJobs.fetch(table.location(), filter)
            : HiveJobs.engine(engine, table.location(), filter, filter);
    job.set("hudi.skipping.mode", "shadow");
    return pushing(filter, id, job);
  }

  /** Reads a table as a query does that wants only the city, so not the column of the filter. */
  private List<String> cities(JobConf job) throws Exception {
    List<String> cities = new ArrayList<>();
    for (Writable[] row : rows(job)) {
      cities.add(row[1].toString());
    }
    return cities;
  }

  private List<Writable[]> rows(JobConf job) throws Exception {
    job.set("hudi.skipping.compiler.command", "no-such-command");
    job.set("hive.io.file.readcolumn.ids", "1");
    job.set("hive.io.file.readcolumn.names", "city");
    job.setBoolean("hive.io.file.read.all.columns", false);
    HudiSkippingInputFormat format = new HudiSkippingInputFormat();
    List<Writable[]> rows = new ArrayList<>();
    for (InputSplit split : format.getSplits(job, 1)) {
      RecordReader<NullWritable, ArrayWritable> reader =
          format.getRecordReader(split, job, counters);
      ArrayWritable row = reader.createValue();
      while (reader.next(null, row)) {
        rows.add(row.get().clone());
      }
      reader.close();
    }
    return rows;
  }

  private static ExprNodeDesc atRunTime(String name) {
    return new ExprNodeDynamicValueDesc(new DynamicValue(name, TypeInfoFactory.longTypeInfo));
  }

  private static ExprNodeColumnDesc id() {
    return new ExprNodeColumnDesc(TypeInfoFactory.longTypeInfo, "id", "t", false);
  }

  private static ExprNodeGenericFuncDesc equal(String column, TypeInfo type, Object value) {
    return call(
        new GenericUDFOPEqual(),
        new ExprNodeColumnDesc(type, column, "t", false),
        new ExprNodeConstantDesc(type, value));
  }

  private static ExprNodeGenericFuncDesc call(GenericUDF udf, ExprNodeDesc... operands) {
    return new ExprNodeGenericFuncDesc(
        TypeInfoFactory.booleanTypeInfo, udf, new ArrayList<>(Arrays.asList(operands)));
  }
}
