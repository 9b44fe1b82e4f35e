// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive;

import io.hudiskip.table.failure.ReadFailedException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.util.Optional;
import org.apache.hadoop.hive.ql.exec.MapredContext;
import org.apache.hadoop.hive.ql.exec.tez.TezContext;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.InputSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.tez.runtime.api.TaskFailureType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes one sentence of a failure to read a split. Left to itself, Hive shows the stack traces of
 * four attempts of a task, some 20,000 characters.
 */
final class ReadFailure {
  private static final Logger LOG = LoggerFactory.getLogger(ReadFailure.class);

  private ReadFailure() {}

  /**
   * Logs a failure, and reports it to Tez if this is one of its tasks. Tez then does not report
   * what Hive makes of the exception, and starts no other attempt if none can succeed.
   *
   * @return what to throw
   */
  static IOException of(InputSplit split, JobConf job, Exception failure) {
    if (failure instanceof InterruptedIOException
        || failure instanceof ClosedByInterruptException) { // the task is being killed
      return (IOException) failure;
    }
    LOG.error("Cannot read {}", split, failure);
    Optional<String> vanished = VanishedFiles.explain(split, job);
    boolean isFinal = vanished.isPresent() || failure instanceof ReadFailedException;
    ReadFailedException told =
        new ReadFailedException(vanished.orElseGet(() -> sentence(split, failure)));
    report(isFinal ? TaskFailureType.FATAL : TaskFailureType.NON_FATAL, told);
    return told;
  }

  private static String sentence(InputSplit split, Exception failure) {
    String message = failure.getMessage();
    return message != null && message.contains(((FileSplit) split).getPath().getName())
        ? message
        : "cannot read " + split + ": " + failure;
  }

  private static void report(TaskFailureType type, ReadFailedException failure) {
    try {
      MapredContext task = MapredContext.get();
      if (task instanceof TezContext && ((TezContext) task).getTezProcessorContext() != null) {
        ((TezContext) task).getTezProcessorContext().reportFailure(type, failure, null);
      }
    } catch (RuntimeException | LinkageError e) { // MapReduce needs no Tez
      LOG.debug("Cannot report a failure to Tez", e);
    }
  }
}
