// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.metrics;

import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.MRJobConfig;
import org.apache.tez.common.counters.LimitExceededException;
import org.apache.tez.common.counters.Limits;

/**
 * A job's counters, which its tasks add to. Immutable.
 *
 * <p>Tez and MapReduce fail a job that has more counters than a limit. Without {@code
 * tez.counters.max}, Hive gives Tez that of MapReduce, which is 120 by default ({@code
 * TezSessionState.setupTezParamsBasedOnMR}), and a large statement has almost as many of Hive's
 * own. So there are none unless the limit is far above what Hive needs.
 */
public final class JobCounters {
  /** A limit that leaves room: each operator of Hive has one or two counters. */
  static final int ROOM = 1_000;

  private static final String GROUP = "hudi-skip";

  private final boolean haveRoom;
  private final Reporter reporter;

  private JobCounters(boolean haveRoom, Reporter reporter) {
    this.haveRoom = haveRoom;
    this.reporter = reporter;
  }

  /**
   * The counters of a task.
   *
   * @param mayCount what {@link #mayCount} said where the job's splits were made
   */
  public static JobCounters of(boolean mayCount, JobConf task, Reporter reporter) {
    return new JobCounters(mayCount && mayCount(task), reporter);
  }

  /**
   * Whether this process has room for the counters of a job. Where a job on Tez has its splits
   * made, which is in the application master, the limit is that of the whole job.
   */
  public static boolean mayCount(JobConf job) {
    switch (HiveConf.getVar(job, HiveConf.ConfVars.HIVE_EXECUTION_ENGINE)) {
      case "tez":
        return HiveConf.getBoolVar(job, HiveConf.ConfVars.HIVE_AM_SPLIT_GENERATION) && tezHasRoom();
      case "mr":
        return job.getInt(MRJobConfig.COUNTERS_MAX_KEY, MRJobConfig.COUNTERS_MAX_DEFAULT) >= ROOM;
      default:
        return false;
    }
  }

  private static boolean tezHasRoom() {
    try {
      return TezLimit.leavesRoom();
    } catch (LinkageError e) { // without Tez, as in a HiveServer2 that runs only fetch tasks
      return false;
    }
  }

  /** A class of its own, because it cannot be loaded without Tez. */
  private static final class TezLimit {
    static boolean leavesRoom() {
      try {
        new Limits().checkCounters(ROOM);
        return true;
      } catch (LimitExceededException e) {
        return false;
      }
    }
  }

  /** Adds to one of them. */
  public void add(String name, long amount) {
    if (haveRoom) {
      reporter.incrCounter(GROUP, name, amount);
    }
  }
}
