// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static io.hudiskip.hive.HiveJobs.idBetween;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.client.Settings;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.hive.HudiSkippingInputFormat;
import io.hudiskip.hive.HudiStorageHandler;
import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import io.hudiskip.scan.savings.counts.CountedSplit;
import io.hudiskip.scan.savings.join.Plans;
import java.io.Serializable;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.apache.hadoop.hive.ql.exec.ColumnInfo;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.OperatorFactory;
import org.apache.hadoop.hive.ql.exec.RowSchema;
import org.apache.hadoop.hive.ql.exec.SerializationUtilities;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.plan.AggregationDesc;
import org.apache.hadoop.hive.ql.plan.ExprNodeGenericFuncDesc;
import org.apache.hadoop.hive.ql.plan.GroupByDesc;
import org.apache.hadoop.hive.ql.plan.SelectDesc;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFCount.GenericUDAFCountEvaluator;
import org.apache.hadoop.hive.ql.udf.generic.GenericUDAFEvaluator.Mode;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoFactory;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.io.WritableUtils;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * With the real compiler. The index says that each file has ten rows, which is never true: so one
 * sees which were counted.
 */
@Timeout(120)
class CoveredFilesTest {
  private static final int INDEXED = 10;

  @TempDir Path directory;

  private HudiTestTable table;
  private String low;
  private String middle;
  private String high;

  /** A filter has 1.5 seconds, which loading the functions may take on a busy machine. */
  @BeforeAll
  static void warmTheCompilerUp() {
    JobConf job = HiveJobs.fetch("/nowhere", idBetween(3, 4));
    job.set("hudi.skipping.counts", "on");
    job.set("hudi.skipping.compiler.command", Settings.command());
    job.set("hudi.skipping.compiler.timeout.ms", "30000");
    job.set("location", "/nowhere");
    HudiStorageHandler handler = new HudiStorageHandler();
    handler.setConf(job);
    handler.decomposePredicate(job, null, idBetween(3, 4));
  }

  @BeforeEach
  void writeATable() throws Exception {
    table = HudiTestTable.partitioned(directory);
    low = table.insert("2025", 1, 9);
    middle = table.insert("2026", 10, 12, 19);
    high = table.insert("2027", 20, 29);
  }

  @Test
  void rowsOfFilesOfWhichEveryRowMatchesAreCounted() throws Exception {
    index().publishAsOf(table.completed());
    JobConf job = counting(idBetween(5, 25));
    assertThat(counted(job)).as("of one file").isEqualTo(INDEXED);
    assertThat(opened(job)).containsExactlyInAnyOrder(low, high);
    assertThat(counted(counting(idBetween(0, 100)))).isEqualTo(3 * INDEXED);
    assertThat(opened(counting(idBetween(0, 100)))).isEmpty();
    assertThat(counted(counting(idBetween(10, 19)))).as("to both ends").isEqualTo(INDEXED);
    assertThat(opened(counting(idBetween(10, 18)))).containsExactly(middle);
  }

  @Test
  void eachRowHasValuesThatMatch() throws Exception {
    index().publishAsOf(table.completed());
    assertThat(ids(counting(idBetween(10, 19)))).hasSize(INDEXED).containsOnly("10");
  }

  @Test
  void manyRowsAreCountedInSeveralTasks() throws Exception {
    new IdIndex(directory)
        .fileOf(20_000_000, "2025", low, 1, 9)
        .fileOf(20_000_000, "2026", middle, 10, 19)
        .fileOf(5, "2027", high, 20, 29)
        .publishAsOf(table.completed());
    assertThat(splits(counting(idBetween(0, 100))))
        .extracting(CoveredFilesTest::countedRows)
        .containsExactly(1L << 24, 1L << 24, 40_000_005L - (2L << 24));
  }

  @Test
  void rowsOfWhichAllColumnsThatAreReadHaveOneValueAreThatValues() throws Exception {
    String single = table.insert("2028", 30);
    index().fileOf(3, "2028", single, 30, 30).publishAsOf(table.completed());
    JobConf job = HiveJobs.engine("tez", table.location(), null, (ExprNodeGenericFuncDesc) null);
    job.set("hudi.skipping.counts", "on");
    job.set("hive.io.file.readcolumn.ids", "0");
    job.set("hive.io.file.readcolumn.names", "id");
    readingIds(job);
    assertThat(opened(job)).containsExactlyInAnyOrder(low, middle, high);
    assertThat(ids(job)).containsExactly("30", "30", "30");
    job.set("hudi.skipping.counts", "off");
    assertThat(opened(job)).hasSize(4);
  }

  @Test
  void theValueOfAColumnThatIsUsedBehindTheFilterMustBeSingle() throws Exception {
    String single = table.insert("2028", 30);
    index().fileOf(3, "2028", single, 30, 30).publishAsOf(table.completed());
    ExprNodeGenericFuncDesc filter = idBetween(5, 100);
    JobConf job =
        job(
            filter,
            HiveJobs.engine("tez", table.location(), filter, filter),
            parent -> Plans.select(Plans.filter(parent, filter), Plans.column("id"), "_col0"));
    assertThat(opened(job)).containsExactlyInAnyOrder(low, middle, high);
    assertThat(ids(job)).containsExactly("30", "30", "30");
  }

  @Test
  void filesOfEveryRowAreKnownToAQueryThatReadsNoColumn() throws Exception {
    index().publishAsOf(table.completed());
    JobConf job = HiveJobs.engine("tez", table.location(), null, (ExprNodeGenericFuncDesc) null);
    job.set("hudi.skipping.counts", "on");
    job.set("hive.io.file.readcolumn.ids", "");
    scan(job).getConf().setNeededColumns(new ArrayList<>());
    assertThat(ids(job)).hasSize(3 * INDEXED).containsOnlyNulls();
    assertThat(opened(job)).isEmpty();
  }

  @Test
  void aListingWithoutSplitsHasEveryFile() throws Exception {
    index().publishAsOf(table.completed());
    assertThat(
            Stream.of(new HudiSkippingInputFormat().listStatus(counting(idBetween(0, 100))))
                .map(file -> file.getPath().getName()))
        .containsExactlyInAnyOrder(low, middle, high);
  }

  @Test
  void filesThatTheIndexDoesNotKnowAsTheyAreAreOpened() throws Exception {
    new IdIndex(directory)
        .file("2025", low, 1, 9)
        .file("2026", middle, table.size("2026", middle) + 1, 10, 19)
        .fileWithoutStatistics("2027", high, table.size("2027", high))
        .publishAsOf(table.completed());
    String added = table.insert("2028", 30);
    JobConf job = counting(idBetween(0, 100));
    assertThat(counted(job)).isEqualTo(INDEXED);
    assertThat(opened(job)).containsExactlyInAnyOrder(middle, high, added);
    String replacement = table.rewrite("2025", low, 1);
    assertThat(counted(counting(idBetween(0, 100)))).isZero();
    assertThat(opened(counting(idBetween(0, 100)))).contains(replacement);
  }

  @Test
  void nothingIsCountedWithoutAnIndex() throws Exception {
    assertThat(counted(counting(idBetween(0, 100)))).isZero();
  }

  @ParameterizedTest
  @CsvSource({
    "hudi.skipping.counts, off",
    "hudi.skipping.mode, off",
    "hudi.skipping.mode, shadow",
    "hive.optimize.index.filter, false"
  })
  void anotherStateAndCautionOpenEveryFile(String setting, String value) throws Exception {
    index().publishAsOf(table.completed());
    JobConf job = counting(idBetween(0, 100));
    job.set(setting, value);
    assertThat(counted(job)).isZero();
  }

  @Test
  void rowsOfAPastStateAreCounted() throws Exception {
    index().publishAsOf(table.completed());
    JobConf job = counting(idBetween(0, 100));
    job.set("hoodie.flights.consume.commit", "20260101000000002");
    assertThat(counted(job)).isEqualTo(2 * INDEXED);
    assertThat(opened(job)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"tez", "mr"})
  void nothingIsCountedForAPlanThatNeedsTheRows(String engine) throws Exception {
    index().publishAsOf(table.completed());
    ExprNodeGenericFuncDesc filter = idBetween(0, 100);
    JobConf job =
        job(
            filter,
            HiveJobs.engine(engine, table.location(), filter, filter),
            parent -> Plans.select(Plans.filter(parent, filter), Plans.column("id"), "_col0"));
    assertThat(counted(job)).isZero();
  }

  @Test
  void nothingIsCountedByTheExpressionOfAnotherFilter() throws Exception {
    index().publishAsOf(table.completed());
    JobConf job = counting(idBetween(5, 7));
    job.set(
        TableScanDesc.FILTER_OBJECT_CONF_STR,
        counting(idBetween(0, 100)).get(TableScanDesc.FILTER_OBJECT_CONF_STR));
    assertThat(counted(job)).isZero();
  }

  @Test
  void nothingIsCountedForAUserWhoIsNotHiveServer2s() throws Exception {
    index().publishAsOf(table.completed());
    PrivilegedExceptionAction<JobConf> compiled = () -> counting(idBetween(0, 100));
    UserGroupInformation another = UserGroupInformation.createRemoteUser("another");
    assertThat(counted(another.doAs(compiled))).as("may not be allowed to read a file").isZero();
    assertThat(counted(compiled.run())).isEqualTo(3 * INDEXED);
  }

  private IdIndex index() throws Exception {
    return new IdIndex(directory)
        .file("2025", low, 1, 9)
        .file("2026", middle, 10, 19)
        .file("2027", high, 20, 29);
  }

  /** The job of {@code SELECT count(*) FROM t WHERE filter}, as HiveServer2 compiles it. */
  private JobConf counting(ExprNodeGenericFuncDesc filter) throws Exception {
    return job(
        filter,
        HiveJobs.engine("tez", table.location(), filter, filter),
        parent -> count(Plans.filter(parent, filter)));
  }

  private JobConf job(ExprNodeGenericFuncDesc filter, JobConf job, Consumer<Operator<?>> consumer) {
    job.set("hudi.skipping.counts", "on");
    job.set("hudi.skipping.compiler.command", Settings.command());
    job.set("hudi.skipping.compiler.timeout.ms", "30000");
    job.set("hive.io.file.readcolumn.ids", "0");
    job.set("hive.io.file.readcolumn.names", "id");
    job.set("location", table.location());
    HudiStorageHandler handler = new HudiStorageHandler();
    handler.setConf(job);
    Serializable pushed = handler.decomposePredicate(job, null, filter).pushedPredicateObject;
    assertThat(pushed).as("the compiled filter").isNotNull();
    job.set(TableScanDesc.FILTER_OBJECT_CONF_STR, SerializationUtilities.serializeObject(pushed));
    consumer.accept(Utilities.getMapWork(job).getAliasToWork().get("t0"));
    return job;
  }

  private static TableScanOperator scan(JobConf job) {
    return (TableScanOperator) Utilities.getMapWork(job).getAliasToWork().get("t0");
  }

  private static void readingIds(JobConf job) {
    scan(job).getConf().setNeededColumns(Collections.singletonList("id"));
    scan(job)
        .setSchema(
            new RowSchema(
                new ArrayList<>(
                    Collections.singletonList(
                        new ColumnInfo("id", TypeInfoFactory.longTypeInfo, "t0", false)))));
  }

  private static void count(Operator<?> parent) {
    SelectDesc select = new SelectDesc(new ArrayList<>(), new ArrayList<>());
    GroupByDesc group = new GroupByDesc();
    group.setKeys(new ArrayList<>());
    group.setAggregators(
        new ArrayList<>(
            Collections.singletonList(
                new AggregationDesc(
                    "count",
                    new GenericUDAFCountEvaluator(),
                    new ArrayList<>(),
                    false,
                    Mode.PARTIAL1))));
    OperatorFactory.getAndMakeChild(
        group, new RowSchema(), OperatorFactory.getAndMakeChild(select, new RowSchema(), parent));
  }

  private static List<SliceSplit> splits(JobConf job) throws Exception {
    List<SliceSplit> splits = new ArrayList<>();
    for (InputSplit split : new HudiSkippingInputFormat().getSplits(job, 1)) {
      splits.add((SliceSplit) split);
    }
    return splits;
  }

  private static boolean isCounted(SliceSplit split) {
    return split.saving(CountedSplit.class).isPresent();
  }

  private static long countedRows(SliceSplit split) {
    return split.saving(CountedSplit.class).map(CountedSplit::count).orElse(0L);
  }

  /** The ids of the rows of files that are not opened. */
  private static List<String> ids(JobConf job) throws Exception {
    List<String> ids = new ArrayList<>();
    for (SliceSplit split : splits(job)) {
      if (!isCounted(split)) {
        continue;
      }
      RecordReader<NullWritable, ArrayWritable> reader =
          new HudiSkippingInputFormat()
              .getRecordReader(WritableUtils.clone(split, job), job, Reporter.NULL);
      for (ArrayWritable row = reader.createValue(); reader.next(null, row); ) {
        ids.add(row.get()[0] == null ? null : row.get()[0].toString());
      }
    }
    return ids;
  }

  /** How many rows are counted without opening their files. */
  private static long counted(JobConf job) throws Exception {
    return splits(job).stream().mapToLong(CoveredFilesTest::countedRows).sum();
  }

  private static Stream<String> opened(JobConf job) throws Exception {
    return splits(job).stream()
        .filter(split -> !isCounted(split))
        .map(split -> split.getPath().getName());
  }
}
