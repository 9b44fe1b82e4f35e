// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table;

import io.hudiskip.table.version.HudiVersions;
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
 * Opens a table once its {@code hoodie.properties} are complete. Hudi replaces that file in place
 * and keeps a copy beside it meanwhile ({@code HoodieTableConfig.modify}), as when a restore drops
 * the metadata table. Concurrent readers find an empty or truncated file; Hudi's reader takes the
 * former for a missing table and the latter for complete.
 */
final class TableProperties {
  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final long PAUSE_MILLIS = 20;

  /** The writer of an older copy has died. */
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

  /** Hudi's handle of the table with root directory {@code location}. */
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

  /** The properties alone. */
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
      requireVersion(config.apply(read), location);
      return read;
    } catch (HoodieException | IllegalArgumentException e) {
      requireKnown(conf, location);
      throw cannotOpen(location, e);
    } catch (IOException e) {
      throw cannotOpen(location, e);
    }
  }

  /** Accepts a table of a known version. */
  static void requireVersion(HoodieTableConfig config, String location)
      throws UnreadableTableException {
    Optional<String> problem = HudiVersions.problem(config, location);
    if (problem.isPresent()) {
      throw new UnreadableTableException(problem.get());
    }
  }

  /** Replaces Hudi's message for an unknown version or type, which names no remedy. */
  private static void requireKnown(Configuration conf, String location)
      throws UnreadableTableException {
    try {
      HoodieTableConfig config = config(conf, location);
      requireVersion(config, location);
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
          // Complete: the file is unchanged with no copy in progress, or nothing moved until the
          // deadline.
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
    } catch (TableNotFoundException e) { // Hudi throws this for an empty file
      return Optional.empty();
    } catch (HoodieException | IllegalArgumentException e) { // possibly for a truncated file
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
              + " is not a Hudi table: it has no .hoodie directory. Specify the root directory of a"
              + " table that Hudi has written");
    }
    return new UnreadableTableException(
        String.format(
            "cannot open the Hudi table %s: %s has been %s for one second. If a writer has died,"
                + " wait for the next write to the table, which repairs the file, or copy %s over it",
            location, file, status.isPresent() ? "incomplete" : "missing", copy.getName()));
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
