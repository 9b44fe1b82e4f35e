// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import io.hudiskip.table.failure.ReadFailedException;
import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.InvalidInputException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes a query fail if its table cannot be read. Hive's {@code FetchOperator} takes an exception
 * whose root cause is a missing file for an empty table, and returns no rows.
 */
public final class TableErrors {
  private static final Logger LOG = LoggerFactory.getLogger(TableErrors.class);

  public interface Reading<T> {

    T read() throws IOException, UnreadableTableException;
  }

  private TableErrors() {}

  /**
   * Runs a reading.
   *
   * @throws IOException when it fails, without a cause that Hive would take for an empty table
   */
  public static <T> T raise(Path root, Reading<T> reading) throws IOException {
    try {
      return reading.read();
    } catch (UnreadableTableException e) {
      LOG.info("Cannot read table {}", root, e);
      throw new ReadFailedException(e.getMessage());
    } catch (IOException | RuntimeException e) {
      Throwable deepest = ExceptionUtils.getRootCause(e);
      Throwable cause = deepest == null ? e : deepest;
      if (cause instanceof FileNotFoundException || cause instanceof InvalidInputException) {
        LOG.error("Listing of {} failed", root, e);
        throw new ReadFailedException(
            "cannot list the Hudi table " + root + ": " + cause.getMessage());
      }
      throw e;
    }
  }
}
