/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.io.FileNotFoundException;
import java.io.IOException;
import org.apache.commons.lang3.exception.ExceptionUtils;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.InvalidInputException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Has a query fail whose table cannot be listed. Hive's {@code FetchOperator} takes a missing file
 * as the root cause of an exception for an empty table, and answers with no rows.
 */
public final class ListingErrors {
  private static final Logger LOG = LoggerFactory.getLogger(ListingErrors.class);

  /** A listing of a table. */
  public interface Listing<T> {

    /** Lists it. */
    T list() throws IOException, UnreadableTableException;
  }

  private ListingErrors() {}

  /**
   * What a listing returns.
   *
   * @throws IOException when it fails, without a cause that Hive would take for an empty table
   */
  public static <T> T raised(Path root, Listing<T> listing) throws IOException {
    try {
      return listing.list();
    } catch (UnreadableTableException e) {
      LOG.debug("Table {} cannot be read", root, e);
      throw new IOException(e.getMessage());
    } catch (IOException | RuntimeException e) {
      Throwable deepest = ExceptionUtils.getRootCause(e);
      Throwable cause = deepest == null ? e : deepest;
      if (cause instanceof FileNotFoundException || cause instanceof InvalidInputException) {
        LOG.error("Listing of {} failed", root, e);
        throw new IOException("cannot list the Hudi table " + root + ": " + cause.getMessage());
      }
      throw e;
    }
  }
}
