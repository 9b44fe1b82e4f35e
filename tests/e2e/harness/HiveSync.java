// SPDX-License-Identifier: Apache-2.0
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.metastore.HiveMetaStoreClient;
import org.apache.hadoop.hive.metastore.api.Table;
import org.apache.hudi.hive.HiveSyncTool;

/**
 * Answers each line of standard input, whose words tabs separate, with a line: the stack trace of
 * what failed, with tabs for the ends of its lines, or nothing. The words are {@code sync} and
 * arguments of Hudi's hive-sync, or {@code set URI DATABASE TABLE NAME VALUE}, which sets a property
 * of a table as a program does that knows nothing of storage handlers.
 */
public final class HiveSync {
  public static void main(String[] none) throws Exception {
    PrintStream answers = System.out;
    System.setOut(System.err);
    BufferedReader lines =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line; (line = lines.readLine()) != null; ) {
      String[] words = line.split("\t");
      FutureTask<Void> task = new FutureTask<>(() -> run(words));
      // In a new thread, because Hive keeps the client of one for its next connection.
      new Thread(task).start();
      StringWriter failure = new StringWriter();
      try {
        task.get();
      } catch (ExecutionException exception) {
        exception.getCause().printStackTrace(new PrintWriter(failure));
      }
      answers.println(failure.toString().replace('\n', '\t'));
    }
  }

  private static Void run(String[] words) throws Exception {
    if (words[0].equals("set")) {
      set(words[1], words[2], words[3], words[4], words[5]);
    } else {
      HiveSyncTool.main(Arrays.copyOfRange(words, 1, words.length));
    }
    return null;
  }

  private static void set(String uri, String database, String name, String property, String value)
      throws Exception {
    HiveConf conf = new HiveConf();
    conf.set("hive.metastore.uris", uri);
    HiveMetaStoreClient client = new HiveMetaStoreClient(conf);
    Table table = client.getTable(database, name);
    table.putToParameters(property, value);
    client.alter_table(database, name, table);
    client.close();
  }
}
