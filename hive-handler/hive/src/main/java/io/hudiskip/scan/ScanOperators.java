// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import io.hudiskip.hive.settings.SkippingMode;
import io.hudiskip.hive.settings.Switch;
import io.hudiskip.scan.savings.topk.NeededRows;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.source.KeepAllFilesException;
import io.hudiskip.table.state.AsOf;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.stream.Collectors;
import javax.annotation.Nullable;
import org.apache.commons.lang3.StringEscapeUtils;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.Operator;
import org.apache.hadoop.hive.ql.exec.TableScanOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.plan.MapWork;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.mapred.JobConf;

/**
 * The scans of a path in a job's plan. On MapReduce, a job's configuration cannot be trusted: it
 * serves all tables of the job and keeps values of earlier tables ({@code
 * HiveInputFormat.pushFiltersAndAsOf}).
 */
public final class ScanOperators {
  private ScanOperators() {}

  /** Whether Hive reads a path without a job, with a configuration for only that scan. */
  public static boolean isFetch(JobConf job, Path path) {
    String directories = job.get(FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST);
    return directories != null
        && Arrays.stream(directories.split("\t", -1))
            .map(StringEscapeUtils::unescapeJava)
            .anyMatch(directory -> contains(new Path(directory), path));
  }

  /** The only scan of a path. */
  public static TableScanOperator only(JobConf job, Path path) throws KeepAllFilesException {
    MapWork work = mapWork(job);
    if (work == null) {
      throw new KeepAllFilesException("the plan of the job was not found");
    }
    List<String> aliases = aliases(work, path);
    if (aliases.size() != 1) {
      throw new KeepAllFilesException(aliases.size() + " scans of one job read this table");
    }
    Operator<?> operator = work.getAliasToWork().get(aliases.get(0));
    if (!(operator instanceof TableScanOperator)) {
      throw new KeepAllFilesException("the scan was not found in the plan of the job");
    }
    return (TableScanOperator) operator;
  }

  /** The plan from which Hive's own input format lists: see {@code HiveInputFormat.init}. */
  @Nullable
  static MapWork mapWork(JobConf job) {
    if ("tez".equals(HiveConf.getVar(job, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE))) {
      MapWork merged = (MapWork) Utilities.getMergeWork(job);
      if (merged != null) {
        return merged;
      }
    }
    return Utilities.getMapWork(job);
  }

  private static List<String> aliases(MapWork work, Path path) {
    return work.getPathToAliases().entrySet().stream()
        .filter(entry -> contains(entry.getKey(), path))
        .flatMap(entry -> entry.getValue().stream())
        .collect(Collectors.toList());
  }

  /** The past state of the table at a path that a statement requests. */
  static Optional<AsOf> asOf(JobConf job, Path path) throws UnreadableTableException {
    MapWork work = isFetch(job, path) ? null : mapWork(job);
    if (work == null) {
      return AsOf.of(job.get(TableScanDesc.AS_OF_TIMESTAMP), job.get(TableScanDesc.AS_OF_VERSION));
    }
    Set<Optional<AsOf>> states = new LinkedHashSet<>();
    for (String alias : aliases(work, path)) {
      Operator<?> operator = work.getAliasToWork().get(alias);
      if (operator instanceof TableScanOperator) {
        TableScanDesc scan = ((TableScanOperator) operator).getConf();
        states.add(AsOf.of(AsOf.millis(job, scan.getAsOfTimestamp()), scan.getAsOfVersion()));
      }
    }
    if (states.size() > 1) {
      throw new UnreadableTableException(
          "one job reads two states of "
              + path
              + ", which Hive mixes up on this engine: SET hive.execution.engine=tez, or copy"
              + " each into a separate table first");
    }
    return states.isEmpty() ? Optional.empty() : states.iterator().next();
  }

  /**
   * The only rows that the statement needs of the scan; empty if it may need all, or if an unknown
   * number of each file's rows is read.
   *
   * @throws KeepAllFilesException when the scan's filter or state is uncertain
   */
  static Optional<NeededRows> neededRows(TableScan scan) throws KeepAllFilesException {
    return ofPlan(scan, scan.settings().topK(), NeededRows::of);
  }

  /**
   * What the job's plan tells of the scan; empty unless a setting asks for it, and it can be used.
   */
  public static <T> Optional<T> ofPlan(
      TableScan scan, Switch setting, BiFunction<MapWork, TableScanOperator, Optional<T>> reading)
      throws KeepAllFilesException {
    if (setting != Switch.ON
        || scan.mode() != SkippingMode.ON // shadow mode checks rows by the scan's filter
        || scan.switchedOff().isPresent()
        || isFetch(scan.job(), scan.root())) { // HiveServer2 reads, and there is no plan
      return Optional.empty();
    }
    MapWork plan = mapWork(scan.job());
    try {
      return plan == null || scan.state().commits().isPresent()
          ? Optional.empty()
          : reading.apply(plan, only(scan.job(), scan.root()));
    } catch (UnreadableTableException e) {
      throw new KeepAllFilesException(e.getMessage(), e);
    }
  }

  private static boolean contains(Path directory, Path path) {
    Path root = Path.getPathWithoutSchemeAndAuthority(directory);
    for (Path p = Path.getPathWithoutSchemeAndAuthority(path); p != null; p = p.getParent()) {
      if (p.equals(root)) {
        return true;
      }
    }
    return false;
  }
}
