// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.table;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.hudiskip.hive.HudiTestTable;
import java.io.File;
import java.io.IOException;
import java.security.PrivilegedExceptionAction;
import org.apache.commons.io.FileUtils;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TableTotalsTest {

  @Test
  void theTotalsThatOneUserHasReadAreNotGivenToAnother(@TempDir File directory) throws Exception {
    HudiTestTable table = HudiTestTable.create(directory.toPath());
    table.insert("", 1, 2);
    assertThat(files("alice", table.location())).isEqualTo(1);

    // Unlike permissions, this also stops root.
    FileUtils.deleteDirectory(new File(table.location()));
    assertThat(files("alice", table.location())).as("cached").isEqualTo(1);
    assertThatThrownBy(() -> files("bob", table.location())).isInstanceOf(IOException.class);
  }

  private static long files(String user, String root) throws Exception {
    PrivilegedExceptionAction<Long> ask =
        () -> TableTotals.of(new Configuration(), new Path(root)).files();
    return UserGroupInformation.createRemoteUser(user).doAs(ask);
  }
}
