/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.callback;

import java.io.IOException;
import org.apache.hudi.callback.HoodieWriteCommitCallback;
import org.apache.hudi.callback.common.HoodieWriteCommitCallbackMessage;
import org.apache.hudi.config.HoodieWriteConfig;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Starts {@code hudi-skip index update} for the table after each commit of a Hudi writer.
 *
 * <pre>
 * hoodie.write.commit.callback.on=true
 * hoodie.write.commit.callback.class=io.hudiskip.callback.IndexUpdateCallback
 * </pre>
 *
 * <p>The update is a process of its own that the writer does not wait for and that outlives it, so
 * that a writer that ends with its last commit leaves a complete index. No failure reaches the
 * writer: the index is a help for queries and never needed.
 */
public final class IndexUpdateCallback implements HoodieWriteCommitCallback {
  private static final Logger LOG = LoggerFactory.getLogger(IndexUpdateCallback.class);

  private final HoodieWriteConfig config;

  /** Used by Hudi, by reflection. */
  public IndexUpdateCallback(HoodieWriteConfig config) {
    this.config = config;
  }

  /** Called by Hudi in the driver, once a commit is complete and the locks are released. */
  @Override
  public void call(HoodieWriteCommitCallbackMessage message) {
    String table = message.getBasePath();
    try {
      UpdateProcess process = UpdateProcess.start(UpdateSettings.of(config), table);
      LOG.info(
          "The statistics index of {} is brought up to date after commit {}; log: {}",
          table,
          message.getCommitTime(),
          process.log());
      process.reportFailure();
    } catch (IOException e) {
      LOG.warn(
          "The statistics index of {} is not brought up to date: {}. Queries stay right and read new files whole."
              + " Install the Python package hudi-skip where this driver runs, or set {} to its command;"
              + " catch up with: hudi-skip index update {}",
          table,
          e.getMessage(),
          UpdateSettings.COMMAND,
          table);
    } catch (Throwable e) { // the commit is made, and whoever sees an exception would write again
      LOG.warn("The statistics index of {} is not brought up to date", table, e);
    }
  }
}
