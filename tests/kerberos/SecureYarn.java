// SPDX-License-Identifier: Apache-2.0
import java.util.Arrays;
import org.apache.hadoop.mapreduce.MiniHadoopClusterManager;
import org.apache.hadoop.security.UserGroupInformation;

/**
 * Starts YARN as {@code SecureYarn PRINCIPAL KEYTAB OPTION…}. Its ResourceManager runs as whoever
 * has logged in before, because that of {@code MiniYARNCluster} does not do so itself.
 */
class SecureYarn {
  public static void main(String[] arguments) throws Exception {
    UserGroupInformation.loginUserFromKeytab(arguments[0], arguments[1]);
    MiniHadoopClusterManager.main(Arrays.copyOfRange(arguments, 2, arguments.length));
  }
}
