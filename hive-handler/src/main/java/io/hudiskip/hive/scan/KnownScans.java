/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.SkippingConf;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.exec.FetchOperator;
import org.apache.hadoop.hive.ql.exec.Utilities;
import org.apache.hadoop.hive.ql.exec.tez.DagUtils;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.hadoop.hive.ql.plan.TableScanDesc;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.mapred.JobConf;

/**
 * The scans of this JVM that readers may still ask for. Hive gives each reader a configuration of
 * its own; a scan is the same if all that it is made of is the same, the query included.
 */
final class KnownScans {
  private static final int MOST = 64;
  private static final Duration KEPT = Duration.ofMinutes(1);
  private static final Cache<List<String>, TableScan> SCANS =
      Caffeine.newBuilder()
          .maximumSize(MOST)
          .expireAfterAccess(KEPT)
          .softValues()
          .executor(Runnable::run)
          .build();

  /** What a scan reads beside {@link SkippingConf#PREFIX}, as its key: all of it has to agree. */
  private static final List<String> SETTINGS =
      Collections.unmodifiableList(
          Arrays.asList(
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
              serdeConstants.LIST_COLUMN_TYPES));

  /** Of the settings that choose the state of a table, among others. */
  private static final String OF_HUDI = "hoodie.";

  private KnownScans() {}

  static TableScan put(JobConf job, TableScan scan) {
    key(job, scan.root()).ifPresent(key -> SCANS.put(key, scan));
    return scan;
  }

  static Optional<TableScan> get(JobConf job, Path root) {
    return key(job, root).map(SCANS::getIfPresent);
  }

  /** Empty when the job does not say which query it is of: nothing is kept then. */
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
    Map<String, String> own = job.getPropsWithPrefix(SkippingConf.PREFIX);
    own.putAll(job.getPropsWithPrefix(OF_HUDI));
    own.forEach((name, value) -> key.add(name + '=' + value));
    return Optional.of(Collections.unmodifiableList(key));
  }
}
