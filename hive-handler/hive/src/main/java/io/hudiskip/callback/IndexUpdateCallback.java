// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.callback;

import java.io.IOException;
import java.nio.file.Path;
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
 * <p>The update is a separate process. The writer does not wait for it, and it outlives the writer,
 * so a writer that ends with its last commit leaves a complete index. Failures never reach the
 * writer: the index speeds up queries but is never required.
 */
public final class IndexUpdateCallback implements HoodieWriteCommitCallback {
  private static final Logger LOG = LoggerFactory.getLogger(IndexUpdateCallback.class);

  private final HoodieWriteConfig config;

  /** Called by Hudi through reflection. */
  public IndexUpdateCallback(HoodieWriteConfig config) {
    this.config = config;
  }

  /** Called by Hudi in the driver after a commit is complete and locks are released. */
  @Override
  public void call(HoodieWriteCommitCallbackMessage message) {
    String table = message.getBasePath();
    try {
      for (String unknown : UpdateSettings.unknown(config)) {
        LOG.warn("{} is unknown and has no effect. Known are: {}", unknown, UpdateSettings.known());
      }
      Path log = UpdateProcess.start(config, table);
      LOG.info(
          "Updating the statistics index of {} after commit {}; log: {}",
          table,
          message.getCommitTime(),
          log);
    } catch (IOException e) {
      LOG.warn(
          "The statistics index of {} was not updated: {}. Queries stay correct, but read new files"
              + " in full. Install the Python package hudi-skip on the machine of this driver, or"
              + " set {} to its command; then catch up with: hudi-skip index update {}",
          table,
          e.getMessage(),
          UpdateSettings.COMMAND,
          table);
    } catch (Throwable e) {
      // The commit is complete; an exception would make the caller write again.
      LOG.warn("The statistics index of {} was not updated", table, e);
    }
  }
}
