/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import io.hudiskip.hive.merge.RecordKeys;
import java.util.Optional;
import org.apache.avro.Schema;
import org.apache.hudi.common.config.RecordMergeMode;
import org.apache.hudi.common.model.HoodieRecordMerger;
import org.apache.hudi.common.model.HoodieRecordPayload;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.util.collection.Triple;

/** How the records of a merge-on-read table that have one key become one row. */
public final class Merging {
  private static final String PAYLOADS = HoodieRecordPayload.class.getPackage().getName() + '.';

  private Merging() {}

  /**
   * Whether every row is a whole record of a base file or of a log: so it is where the later record
   * or the one with the greater ordering value wins, but for partial updates, which a log declares.
   * A payload or a merger of its own may make a third record of two.
   */
  public static boolean keepsRecordsWhole(HoodieTableConfig config) {
    return behaviour(config).getLeft() != RecordMergeMode.CUSTOM;
  }

  /**
   * Accepts a table whose records can be merged here.
   *
   * @throws UnreadableTableException when they are merged by a class that is not Hudi's
   */
  static void requireKnown(HoodieTableConfig config, String path) throws UnreadableTableException {
    Triple<RecordMergeMode, String, String> behaviour = behaviour(config);
    if (behaviour.getLeft() == RecordMergeMode.CUSTOM) {
      if (!HoodieRecordMerger.PAYLOAD_BASED_MERGE_STRATEGY_UUID.equals(behaviour.getRight())) {
        throw unknown(path, "a record merger of its own (strategy " + behaviour.getRight() + ")");
      }
      if (!isPayload(behaviour.getMiddle())) {
        throw unknown(path, "the payload class " + behaviour.getMiddle());
      }
    }
  }

  /**
   * Accepts a table whose records have what merging goes by.
   *
   * @param inPaths columns that are not in the records
   * @throws UnreadableTableException when its records do not tell their keys or their order
   */
  static void requireKeys(
      HoodieTableConfig config, Schema schema, PartitionColumns inPaths, String path)
      throws UnreadableTableException {
    Optional<String> obstacle = RecordKeys.obstacle(config, schema);
    if (obstacle.isPresent()) {
      throw new UnreadableTableException(
          path
              + " is merge-on-read and was written with "
              + HoodieTableConfig.POPULATE_META_FIELDS.key()
              + "=false: its records have no column of keys, and "
              + obstacle.get()
              + ". Rewrite the table without that option");
    }
    if (!inPaths.isEmpty()) {
      throw new UnreadableTableException(
          "merge-on-read tables without their partition columns are not supported, and "
              + path
              + " was written with "
              + HoodieTableConfig.DROP_PARTITION_COLUMNS.key()
              + "=true. Rewrite it without that option");
    }
  }

  /** Whether it is a class of Hudi's, in this release of it. */
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
        "the records of "
            + path
            + " are merged by "
            + merger
            + ", which is not part of Hudi 1.0.2: only its own payloads and orderings can be merged"
            + " here. Query the table through Spark");
  }

  private static Triple<RecordMergeMode, String, String> behaviour(HoodieTableConfig config) {
    return HoodieTableConfig.inferCorrectMergingBehavior(
        config.getRecordMergeMode(),
        config.getPayloadClass(),
        config.getRecordMergeStrategyId(),
        config.getPreCombineField(),
        config.getTableVersion());
  }
}
