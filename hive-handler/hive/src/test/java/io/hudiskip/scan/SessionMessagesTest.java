// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.index.storage.IdIndex;
import java.nio.file.Path;
import java.util.UUID;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.session.SessionState;
import org.apache.hadoop.mapred.JobConf;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SessionMessagesTest {
  @TempDir Path directory;

  @Test
  void opensATableOnceForAllJobsOfAQuery() throws Exception {
    HudiTestTable table = HudiTestTable.partitioned(directory);
    String file = table.insert("rome", 1);
    IdIndex index = new IdIndex(directory);
    index.file("rome", file, 1L, 1L);
    index.publishAsOf(table.completed());
    HiveConf conf = new HiveConf();
    SessionState.setCurrentSessionState(new SessionState(conf));
    try {
      JobConf job = new JobConf(conf);
      CountingFileSystem.install(job);
      for (int query = 0; query < 2; query++) {
        job.set("hive.query.id", UUID.randomUUID().toString());
        assertThat(opensBeforeAJob(job, table)).as("first job").isPositive();
        assertThat(opensBeforeAJob(job, table)).as("second job").isZero();
      }
      job.set("hive.query.id", "");
      opensBeforeAJob(job, table);
      assertThat(opensBeforeAJob(job, table)).as("which query it is, is unknown").isPositive();
    } finally {
      SessionState.detachSession();
    }
  }

  private static int opensBeforeAJob(JobConf job, HudiTestTable table) {
    org.apache.hadoop.fs.Path root = new org.apache.hadoop.fs.Path(table.location());
    int before = opens(root);
    SessionMessages.beforeJob(job, root);
    return opens(root) - before;
  }

  private static int opens(org.apache.hadoop.fs.Path root) {
    return CountingFileSystem.calls(root).get(CountingFileSystem.Call.OPEN);
  }
}
