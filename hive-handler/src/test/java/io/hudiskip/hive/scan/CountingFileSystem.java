/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import java.io.IOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapred.JobConf;

/** The local file system, which counts how often each directory is listed. */
public final class CountingFileSystem extends LocalFileSystem {
  private static final Map<String, Integer> LISTED = new ConcurrentHashMap<>();

  /** Has a job use it. */
  public static void install(JobConf job) {
    job.set("fs.file.impl", CountingFileSystem.class.getName());
    job.setBoolean("fs.file.impl.disable.cache", true);
  }

  /** How often a directory has been listed so far. */
  public static int listings(Path directory) {
    return LISTED.getOrDefault(directory.toUri().getPath(), 0);
  }

  @Override
  public FileStatus[] listStatus(Path directory) throws IOException {
    LISTED.merge(directory.toUri().getPath(), 1, Integer::sum);
    return super.listStatus(directory);
  }
}
