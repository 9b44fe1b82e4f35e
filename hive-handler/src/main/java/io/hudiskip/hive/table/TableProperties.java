/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.table;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.Optional;
import java.util.Properties;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.table.HoodieTableConfig;
import org.apache.hudi.common.table.HoodieTableMetaClient;
import org.apache.hudi.exception.HoodieException;
import org.apache.hudi.exception.TableNotFoundException;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;
import org.apache.hudi.storage.HoodieStorageUtils;

/**
 * Opens a table by its {@code hoodie.properties}, once they are whole. Hudi replaces that file in
 * place, with a copy beside it meanwhile ({@code HoodieTableConfig.modify}); a restore does so when
 * it drops the metadata table. Whoever reads the file at that moment finds it empty or cut off, and
 * Hudi's reader takes an empty one for no table and one that is cut off for whole.
 */
final class TableProperties {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_MILLIS = 20;

  /** Of a copy that is older the writer has died. */
  private static final long REPLACING_MILLIS = TimeUnit.MINUTES.toMillis(1);

  private final FileSystem files;
  private final Path file;
  private final Path copy;
  private final String location;

  private TableProperties(Configuration conf, String location) throws IOException {
    Path folder = new Path(location, HoodieTableMetaClient.METAFOLDER_NAME);
    this.files = folder.getFileSystem(conf);
    this.file = new Path(folder, HoodieTableConfig.HOODIE_PROPERTIES_FILE);
    this.copy = new Path(folder, HoodieTableConfig.HOODIE_PROPERTIES_FILE_BACKUP);
    this.location = location;
  }

  /**
   * Hudi's handle of the table whose root directory is {@code location}.
   *
   * @throws UnreadableTableException when there is no table, or one of an unknown version
   */
  static HoodieTableMetaClient open(Configuration conf, String location)
      throws UnreadableTableException {
    return read(
        conf,
        location,
        () ->
            HoodieTableMetaClient.builder()
                .setConf(HadoopFSUtils.getStorageConfWithCopy(conf))
                .setBasePath(location)
                .build(),
        HoodieTableMetaClient::getTableConfig);
  }

  /**
   * The properties alone.
   *
   * @throws UnreadableTableException as {@link #open}
   */
  static HoodieTableConfig load(Configuration conf, String location)
      throws UnreadableTableException {
    return read(conf, location, () -> config(conf, location), Function.identity());
  }

  private static HoodieTableConfig config(Configuration conf, String location) {
    return HoodieTableConfig.loadFromHoodieProps(
        HoodieStorageUtils.getStorage(location, HadoopFSUtils.getStorageConfWithCopy(conf)),
        location);
  }

  private static <T> T read(
      Configuration conf,
      String location,
      Supplier<T> reading,
      Function<T, HoodieTableConfig> config)
      throws UnreadableTableException {
    try {
      T read = new TableProperties(conf, location).settled(reading, config);
      TableVersions.require(config.apply(read), location);
      return read;
    } catch (HoodieException | IllegalArgumentException e) {
      requireKnown(conf, location);
      throw cannotOpen(location, e);
    } catch (IOException e) {
      throw cannotOpen(location, e);
    }
  }

  /** Hudi's own words for a version or a type that it does not know do not say what to do. */
  private static void requireKnown(Configuration conf, String location)
      throws UnreadableTableException {
    try {
      HoodieTableConfig config = config(conf, location);
      TableVersions.require(config, location);
      KnownProperties.require(config, true, location);
    } catch (HoodieException | IllegalArgumentException e) {
      throw cannotOpen(location, e);
    }
  }

  private <T> T settled(Supplier<T> reading, Function<T, HoodieTableConfig> config)
      throws IOException, UnreadableTableException {
    long start = System.nanoTime();
    Properties before = null;
    while (true) {
      Optional<FileStatus> status = status(file);
      boolean isLate = System.nanoTime() - start > PATIENCE_NANOS;
      Optional<T> read =
          status.isPresent() || status(copy).isPresent()
              ? opened(reading, isLate)
              : Optional.empty();
      if (read.isPresent()) {
        Properties found = config.apply(read.get()).getProps();
        if (found.containsKey(HoodieTableConfig.NAME.key())) {
          // Whole: it is the same file as before, and there is no copy of one being replaced. Or
          // nothing has moved for all the time.
          if ((!isBeingReplaced() && isSame(status, status(file)))
              || (isLate && found.equals(before))) {
            return read.get();
          }
          before = found;
        }
      }
      if (isLate || (!status.isPresent() && !files.exists(file.getParent()))) {
        throw incomplete(status);
      }
      pause();
    }
  }

  private <T> Optional<T> opened(Supplier<T> reading, boolean isLate) throws IOException {
    try {
      return Optional.of(reading.get());
    } catch (TableNotFoundException e) { // Hudi's word for an empty file
      return Optional.empty();
    } catch (HoodieException | IllegalArgumentException e) { // of one that is cut off, it may be
      if (isLate || !isBeingReplaced()) {
        throw e;
      }
      return Optional.empty();
    }
  }

  private boolean isBeingReplaced() throws IOException {
    return status(copy)
        .filter(
            found -> System.currentTimeMillis() - found.getModificationTime() < REPLACING_MILLIS)
        .isPresent();
  }

  private static boolean isSame(Optional<FileStatus> one, Optional<FileStatus> other) {
    return one.isPresent()
        && other.isPresent()
        && one.get().getLen() == other.get().getLen()
        && one.get().getModificationTime() == other.get().getModificationTime();
  }

  private Optional<FileStatus> status(Path path) throws IOException {
    try {
      return Optional.of(files.getFileStatus(path));
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }

  private UnreadableTableException incomplete(Optional<FileStatus> status) throws IOException {
    if (!files.exists(file.getParent())) {
      return new UnreadableTableException(
          location
              + " is not a Hudi table: it has no .hoodie directory. Give the root directory of a"
              + " table that Hudi has written");
    }
    return new UnreadableTableException(
        "cannot open the Hudi table "
            + location
            + ": "
            + file
            + (status.isPresent() ? " is not complete" : " is missing")
            + ", and has been for a second. If a writer has died, the next write to the table"
            + " repairs the file, or copy "
            + copy.getName()
            + " over it");
  }

  private static UnreadableTableException cannotOpen(String location, Exception cause) {
    return new UnreadableTableException(
        "cannot open the Hudi table " + location + ": " + cause.getMessage(), cause);
  }

  private static void pause() throws IOException {
    try {
      TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw (IOException) new InterruptedIOException("waiting for hoodie.properties").initCause(e);
    }
  }
}
