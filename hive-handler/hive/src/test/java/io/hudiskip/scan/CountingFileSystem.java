// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan;

import java.io.IOException;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.table.HoodieTableMetaClient;

/**
 * The local file system, with counts of the listings, opens and status calls of each path, and of
 * files that are open.
 */
public final class CountingFileSystem extends LocalFileSystem {

  /** A kind of call. */
  enum Call {
    LIST,
    OPEN,

    /** Outside Hudi's own folder only, since opening a file includes such a call. */
    STATUS
  }

  private static final Map<Call, Map<String, Integer>> CALLS = new EnumMap<>(Call.class);

  private static final Map<FSDataInputStream, String> OPEN_NOW = new ConcurrentHashMap<>();

  static {
    for (Call call : Call.values()) {
      CALLS.put(call, new ConcurrentHashMap<>());
    }
  }

  /** Makes a job use this file system. */
  public static void install(JobConf job) {
    job.set("fs.file.impl", CountingFileSystem.class.getName());
    job.setBoolean("fs.file.impl.disable.cache", true);
  }

  /** How often a directory has been listed so far. */
  public static int listings(Path directory) {
    return CALLS.get(Call.LIST).getOrDefault(directory.toUri().getPath(), 0);
  }

  /** How often each file below a directory has been opened so far, by its path. */
  public static Map<String, Integer> opens(Path directory) {
    String prefix = directory.toUri().getPath() + Path.SEPARATOR;
    Map<String, Integer> opens = new HashMap<>(CALLS.get(Call.OPEN));
    opens.keySet().removeIf(path -> !path.startsWith(prefix));
    return opens;
  }

  /** How many files below a directory are open. */
  public static int openNow(Path directory) {
    String prefix = directory.toUri().getPath() + Path.SEPARATOR;
    return (int) OPEN_NOW.values().stream().filter(path -> path.startsWith(prefix)).count();
  }

  /** How many calls of each kind there have been so far below a directory. */
  static Map<Call, Integer> calls(Path directory) {
    String prefix = directory.toUri().getPath();
    Map<Call, Integer> counts = new EnumMap<>(Call.class);
    CALLS.forEach(
        (call, paths) ->
            counts.put(
                call,
                paths.entrySet().stream()
                    .filter(entry -> entry.getKey().startsWith(prefix))
                    .mapToInt(Map.Entry::getValue)
                    .sum()));
    return counts;
  }

  private static void count(Call call, Path path) {
    CALLS.get(call).merge(path.toUri().getPath(), 1, Integer::sum);
  }

  @Override
  public FileStatus[] listStatus(Path directory) throws IOException {
    count(Call.LIST, directory);
    return super.listStatus(directory);
  }

  @Override
  public RemoteIterator<LocatedFileStatus> listLocatedStatus(Path directory) throws IOException {
    count(Call.LIST, directory);
    return super.listLocatedStatus(directory);
  }

  @Override
  public FSDataInputStream open(Path file, int bufferSize) throws IOException {
    count(Call.OPEN, file);
    FSDataInputStream counted =
        new FSDataInputStream(super.open(file, bufferSize)) {
          @Override
          public void close() throws IOException {
            OPEN_NOW.remove(this);
            super.close();
          }
        };
    OPEN_NOW.put(counted, file.toUri().getPath());
    return new FSDataInputStream(counted); // callers may unwrap what they get
  }

  @Override
  public FileStatus getFileStatus(Path path) throws IOException {
    if (!path.toString().contains(HoodieTableMetaClient.METAFOLDER_NAME)) {
      count(Call.STATUS, path);
    }
    return super.getFileStatus(path);
  }
}
