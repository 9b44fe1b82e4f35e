// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import io.hudiskip.table.version.HudiVersions;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.model.HoodieRecordMerger;
import org.apache.hudi.common.model.HoodieRecordPayload;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.collection.Triple;

/** How a merge-on-read table's records of one key become one row. */
public final class Merging {
  private static final String PAYLOADS = HoodieRecordPayload.class.getPackage().getName() + '.';

  private Merging() {}

  /**
   * Whether every row is a whole record of a base file or log. This holds where the later record,
   * or that with the greater ordering value, wins, except for partial updates, which a log
   * declares. Custom payloads and mergers may combine two records into a third.
   */
  public static boolean keepsRecordsWhole(HoodieTableConfig config) {
    return behaviour(config).getLeft() != RecordMergeMode.CUSTOM
        && !config.getPartialUpdateMode().isPresent();
  }

  /** Accepts a table whose records can be merged here. */
  static void requireKnown(HoodieTableConfig config, String path) throws UnreadableTableException {
    requireMode(config, path);
    Triple<RecordMergeMode, String, String> behaviour = behaviour(config);
    if (behaviour.getLeft() == RecordMergeMode.CUSTOM) {
      if (!HoodieRecordMerger.PAYLOAD_BASED_MERGE_STRATEGY_UUID.equals(behaviour.getRight())) {
        throw unknown(path, "a custom record merger (strategy " + behaviour.getRight() + ")");
      }
      if (!isPayload(behaviour.getMiddle())) {
        throw unknown(path, "the payload class " + behaviour.getMiddle());
      }
    }
  }

  /** Accepts a table that says how its records are merged, if Hudi does not infer it. */
  static void requireMode(HoodieTableConfig config, String path) throws UnreadableTableException {
    if (HudiVersions.namesMergeMode(config) && config.getRecordMergeMode() == null) {
      throw new UnreadableTableException(
          String.format(
              "%s does not say how its records are merged: %s is missing in its hoodie.properties."
                  + " Set it as the table's writers do",
              path, HoodieTableConfig.RECORD_MERGE_MODE.key()));
    }
  }

  /**
   * Accepts a table whose records have the fields that merging needs.
   *
   * @param inPaths columns that are not in the records
   */
  static void requireKeys(
      HoodieTableConfig config, Schema schema, PartitionColumns inPaths, String path)
      throws UnreadableTableException {
    Optional<String> obstacle = RecordKeys.obstacle(config, schema);
    if (obstacle.isPresent()) {
      throw new UnreadableTableException(
          String.format(
              "%s is merge-on-read and was written with %s=false: its records have no key"
                  + " column, and %s. Rewrite the table without that option",
              path, HoodieTableConfig.POPULATE_META_FIELDS.key(), obstacle.get()));
    }
    if (!inPaths.isEmpty()) {
      throw new UnreadableTableException(
          String.format(
              "merge-on-read tables whose files lack the partition columns are not supported, and"
                  + " %s was written with %s=true. Rewrite the table without that option",
              path, HoodieTableConfig.DROP_PARTITION_COLUMNS.key()));
    }
  }

  /** Whether the class belongs to this release of Hudi. */
  private static boolean isPayload(String name) {
    try {
      return name.startsWith(PAYLOADS)
          && HoodieRecordPayload.class.isAssignableFrom(
              Class.forName(name, false, HoodieRecordPayload.class.getClassLoader()));
    } catch (ClassNotFoundException | LinkageError e) {
      return false;
    }
  }

  private static UnreadableTableException unknown(String path, String merger) {
    return new UnreadableTableException(
        String.format(
            "the records of %s are merged by %s, which is not part of Hudi 1.2; hudi-skip"
                + " can merge only by Hudi's own payloads and orderings. Query the table through Spark",
            path, merger));
  }

  private static Triple<RecordMergeMode, String, String> behaviour(HoodieTableConfig config) {
    if (HudiVersions.settlesMerging(config)) {
      return Triple.of(
          config.getRecordMergeMode(), config.getPayloadClass(), config.getRecordMergeStrategyId());
    }
    return HoodieTableConfig.inferMergingConfigsForPreV9Table(
        config.getRecordMergeMode(),
        config.getPayloadClass(),
        config.getRecordMergeStrategyId(),
        config.getOrderingFieldsStr().orElse(null),
        config.getTableVersion());
  }
}
