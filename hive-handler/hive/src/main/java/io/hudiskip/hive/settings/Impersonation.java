// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.settings;

import java.io.IOException;
import org.apache.hadoop.security.UserGroupInformation;

/** Whether HiveServer2 reads as the user who asks. */
public final class Impersonation {
  private Impersonation() {}

  /**
   * Whether this thread reads as another user than its process. That user may be allowed to read
   * the index and not each file: rows that are counted without opening files would be answered, and
   * a scan would fail.
   */
  public static boolean isActive() throws IOException {
    return !UserGroupInformation.getCurrentUser()
        .getUserName()
        .equals(UserGroupInformation.getLoginUser().getUserName());
  }
}
