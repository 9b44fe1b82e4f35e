// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.shadow;

import static io.hudiskip.compile.filter.HiveFilters.call;
import static io.hudiskip.hive.HiveJobs.idEquals;
import static io.hudiskip.hive.HiveJobs.idIn;
import static io.hudiskip.hive.HiveJobs.pushing;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.CountingReporter;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import io.hudiskip.scan.SliceSplit;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.apache.hadoop.hive.ql.plan.ExprNodeColumnDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDFOPAnd;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.util.ReflectionUtils;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Shadow mode over a real Hudi table whose index is wrong about one of its two files. */
class ShadowCheckTest {
  private static final ExprNodeGenericFuncDesc[] NO_FILTER = {null};

  @TempDir Path directory;

  private HudiTestTable table;
  private final CountingReporter counters = new CountingReporter();

  @BeforeEach
  void writeATableWithAWrongIndex() throws Exception {
    table = HudiTestTable.partitioned(directory);
    String low = table.insert("2025", 1, 9);
    String high = table.insert("2026", 10, 12, 19);
    new IdIndex(directory).file("2025", low, 1, 9).file("2026", high, 100, 190).publish();
  }

  @ParameterizedTest
  @ValueSource(strings = {"fetch", "tez", "mr"})
  void countsRowsThatSkippingWouldHaveLostAndStillReturnsThem(String engine) throws Exception {
    assertThat(cities(shadow(engine, idEquals(12)))).contains("city 12").hasSize(5);
    assertThat(counters.of("shadow.violations")).isOne();
    // Both files would be skipped for 12.
    assertThat(counters.of("shadow.files")).isEqualTo(2);
    assertThat(counters.of("shadow.rows")).isEqualTo(5);
    assertThat(counters.of("shadow.failures")).isZero();
  }

  /** The index says that 12 is in no file; a task knows the scan's own filter alone. */
  @ParameterizedTest
  @CsvSource({"12, 1", "300, 0"})
  void countsRowsThatTheValuesOfAJoinWouldHaveLost(long value, int violations) throws Exception {
    JobConf listing = HiveJobs.joined(table.location(), null, idIn(value));
    JobConf task = HiveJobs.engine("tez", table.location(), null, NO_FILTER);
    assertThat(cities(shadow(listing), shadow(task))).hasSize(5);
    assertThat(counters.of("shadow.violations")).isEqualTo(violations);
    assertThat(counters.of("shadow.files")).isEqualTo(2);
    assertThat(counters.of("shadow.failures")).isZero();
  }

  @Test
  void checksEveryFileIfAJoinFindsNoValue() throws Exception {
    JobConf listing = HiveJobs.joined(table.location(), null, idIn());
    JobConf task = HiveJobs.engine("tez", table.location(), null, NO_FILTER);
    assertThat(cities(shadow(listing), shadow(task))).hasSize(5);
    assertThat(counters.of("shadow.rows")).isEqualTo(5);
    assertThat(counters.of("shadow.violations") + counters.of("shadow.failures")).isZero();
  }

  @Test
  void doesNotCheckValuesThatDoNotFitIntoSplits() throws Exception {
    Long[] values = LongStream.range(1_000_000, 1_100_000).boxed().toArray(Long[]::new);
    JobConf listing = HiveJobs.joined(table.location(), null, idIn(values));
    JobConf task = HiveJobs.engine("tez", table.location(), null, NO_FILTER);
    assertThat(cities(shadow(listing), shadow(task))).hasSize(5);
    assertThat(counters.names()).noneMatch(name -> name.startsWith("shadow."));
  }

  @Test
  void failsNoQueryWhenTheFilterCannotBeEvaluated() throws Exception {
    ExprNodeDesc unknown =
        new ExprNodeColumnDesc(TypeInfoFactory.booleanTypeInfo, "no_such_column", "t", false);
    ExprNodeGenericFuncDesc filter = call(new GenericUDFOPAnd(), idEquals(12), unknown);
    assertThat(cities(shadow("fetch", filter))).hasSize(5);
    assertThat(counters.of("shadow.failures")).as("one for each file").isEqualTo(2);
    assertThat(counters.of("shadow.files")).as("files that were checked").isZero();
  }

  @Test
  void doesNothingWhenSkippingIsOn() throws Exception {
    JobConf job = shadow("tez", idEquals(12));
    job.set("hudi.skipping.mode", "on");
    cities(job);
    assertThat(counters.names()).noneMatch(name -> name.startsWith("shadow."));
  }

  private JobConf shadow(String engine, ExprNodeGenericFuncDesc filter) throws Exception {
    JobConf job =
        engine.equals("fetch")
            ? HiveJobs.fetch(table.location(), filter)
            : HiveJobs.engine(engine, table.location(), filter, filter);
    return pushing(filter, 12, shadow(job));
  }

  private static JobConf shadow(JobConf job) {
    job.set("hudi.skipping.mode", "shadow");
    job.setInt("mapreduce.job.counters.max", 10_000);
    return job;
  }

  /** Reads a table as a query for only the city does, thus without the filter's column. */
  private List<String> cities(JobConf job) throws Exception {
    return cities(job, job);
  }

  private List<String> cities(JobConf listing, JobConf job) throws Exception {
    for (JobConf each : new JobConf[] {listing, job}) {
      each.set("hudi.skipping.compiler.command", "no-such-command");
      each.set("hive.io.file.readcolumn.ids", "1");
      each.set("hive.io.file.readcolumn.names", "city");
      each.setBoolean("hive.io.file.read.all.columns", false);
    }
    HudiSkippingInputFormat format = new HudiSkippingInputFormat();
    List<String> cities = new ArrayList<>();
    for (InputSplit listed : format.getSplits(listing, 1)) {
      InputSplit split = new SliceSplit();
      ReflectionUtils.copy(job, listed, split); // as it travels to a task
      RecordReader<NullWritable, ArrayWritable> reader =
          format.getRecordReader(split, job, counters);
      ArrayWritable row = reader.createValue();
      while (reader.next(null, row)) {
        if (job.get("hive.exec.plan") == null) { // a fetch takes its columns from these settings
          assertThat(row.get()[0]).as("id, which only the check reads").isNull();
        }
        cities.add(row.get()[1].toString());
      }
      reader.close();
    }
    return cities;
  }
}
