// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.hive.settings.SkippingConf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.exec.tez.DagUtils;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.util.CollectionUtils;

/**
 * Recent scans of this JVM, for their readers. Hive gives each reader its own configuration; scans
 * are the same if all their inputs are, including the query.
 */
final class KnownScans {
  private static final int MAX_SCANS = 64;
  private static final Duration EXPIRY = Duration.ofMinutes(1);
  private static final Cache<List<String>, TableScan> SCANS =
      Caffeine.newBuilder()
          .maximumSize(MAX_SCANS)
          .expireAfterAccess(EXPIRY)
          .softValues()
          .executor(Runnable::run)
          .build();

  /** Settings that a scan reads, besides {@link SkippingConf#PREFIX}, and that form its key. */
  private static final List<String> SETTINGS =
      CollectionUtils.createImmutableList(
          TableScanDesc.FILTER_EXPR_CONF_STR,
          TableScanDesc.FILTER_OBJECT_CONF_STR,
          TableScanDesc.AS_OF_TIMESTAMP,
          TableScanDesc.AS_OF_VERSION,
          FetchOperator.FETCH_OPERATOR_DIRECTORY_LIST,
          HiveConf.ConfVars.HIVE_EXECUTION_ENGINE.varname,
          HiveConf.ConfVars.PLAN.varname,
          DagUtils.TEZ_MERGE_CURRENT_MERGE_FILE_PREFIX,
          DagUtils.TEZ_MERGE_WORK_FILE_PREFIXES,
          Utilities.INPUT_NAME,
          HiveConf.ConfVars.HIVE_OPT_PPD.varname,
          HiveConf.ConfVars.HIVE_OPT_PPD_STORAGE.varname,
          HiveConf.ConfVars.HIVE_OPT_INDEX_FILTER.varname,
          DataWritableReadSupport.PARQUET_COLUMN_INDEX_ACCESS,
          serdeConstants.LIST_COLUMNS,
          serdeConstants.LIST_COLUMN_TYPES);

  /** Prefix of Hudi's settings, such as those that choose a table's state. */
  private static final String HUDI_PREFIX = "hoodie.";

  private KnownScans() {}

  static TableScan put(JobConf job, TableScan scan) {
    key(job, scan.root()).ifPresent(key -> SCANS.put(key, scan));
    return scan;
  }

  static Optional<TableScan> get(JobConf job, Path root) {
    return key(job, root).map(SCANS::getIfPresent);
  }

  /** Empty when the job has no query id; then nothing is cached. */
  private static Optional<List<String>> key(JobConf job, Path root) {
    String query = HiveConf.getVar(job, HiveConf.ConfVars.HIVE_QUERY_ID);
    if (query == null || query.isEmpty()) {
      return Optional.empty();
    }
    List<String> key = new ArrayList<>();
    key.add(query);
    key.add(Path.getPathWithoutSchemeAndAuthority(root).toString());
    for (String setting : SETTINGS) {
      key.add(job.get(setting, ""));
    }
    for (String prefix : new String[] {SkippingConf.PREFIX, HUDI_PREFIX}) {
      new TreeMap<>(job.getPropsWithPrefix(prefix))
          .forEach((name, value) -> key.add(prefix + name + '=' + value));
    }
    return Optional.of(Collections.unmodifiableList(key));
  }
}
