// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import io.hudiskip.index.IndexUnavailableException;
import io.hudiskip.index.manifest.Manifest;
import io.hudiskip.index.manifest.ManifestFormatException;
import io.hudiskip.index.manifest.ManifestParser;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.math.BigInteger;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.commons.codec.digest.DigestUtils;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The directory {@code .hoodie/.skipping_index} of a table. */
final class IndexDirectory {
  private static final String LOCATION = ".hoodie/.skipping_index";
  private static final Pattern MANIFEST_NAME = Pattern.compile("manifest-(\\d{20})\\.json");

  /** Room for some 100,000 row groups; a longer file is not our manifest. */
  private static final long MAX_MANIFEST_BYTES = 64L << 20;

  /** Bytes of a parsed manifest per byte of text. */
  private static final long MANIFEST_EXPANSION = 3;

  private final FileSystem fileSystem;
  private final Path tableRoot;
  private final Path path;

  IndexDirectory(FileSystem fileSystem, Path tableRoot) {
    this.fileSystem = fileSystem;
    this.tableRoot = fileSystem.makeQualified(tableRoot);
    this.path = new Path(this.tableRoot, LOCATION);
  }

  /** Qualified with scheme and authority. */
  Path tableRoot() {
    return tableRoot;
  }

  FileSystem fileSystem() {
    return fileSystem;
  }

  Path file(String name) {
    return new Path(path, name);
  }

  /** Reads the newest manifest, or takes it from the cache; empty if there is no index. */
  Optional<Manifest> newestManifest(IndexCache cache) throws IndexUnavailableException {
    Optional<FileStatus> newest = newest();
    return newest.isPresent() ? Optional.of(manifest(newest.get(), cache)) : Optional.empty();
  }

  IndexUnavailableException missing() {
    return new IndexUnavailableException(
        "no statistics index at " + path + "; build one with: " + buildCommand());
  }

  private Manifest manifest(FileStatus newest, IndexCache cache) throws IndexUnavailableException {
    try {
      byte[] bytes = read(newest);
      // The digest distinguishes indexes at the same place and number.
      List<Object> key =
          Arrays.asList(tableRoot, newest.getPath().getName(), DigestUtils.sha256Hex(bytes));
      Optional<Manifest> cached = cache.get(key, Manifest.class);
      if (cached.isPresent()) {
        return cached.get();
      }
      Manifest manifest = ManifestParser.parse(bytes, generation(newest.getPath()));
      cache.put(key, manifest, MANIFEST_EXPANSION * bytes.length);
      return manifest;
    } catch (ManifestFormatException e) {
      throw new IndexUnavailableException(
          "cannot use the manifest "
              + newest.getPath()
              + ": "
              + e.getMessage()
              + "; rebuild the index with: "
              + buildCommand(),
          e);
    } catch (IOException e) {
      throw new IndexUnavailableException(
          "cannot read the manifest " + newest.getPath() + ": " + e, e);
    }
  }

  String buildCommand() {
    return "hudi-skip index build " + tableRoot;
  }

  /** The newest manifest's file. */
  private Optional<FileStatus> newest() throws IndexUnavailableException {
    FileStatus[] files;
    try {
      files = fileSystem.listStatus(path);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    } catch (IOException e) {
      throw new IndexUnavailableException("cannot list " + path + ": " + e, e);
    }
    // Numbers are zero-padded, so names sort like them.
    return Stream.of(files)
        .filter(file -> MANIFEST_NAME.matcher(file.getPath().getName()).matches())
        .max(Comparator.comparing(file -> file.getPath().getName()));
  }

  private static long generation(Path manifest) throws ManifestFormatException {
    Matcher name = MANIFEST_NAME.matcher(manifest.getName());
    BigInteger number = name.matches() ? new BigInteger(name.group(1)) : BigInteger.ZERO;
    if (number.bitLength() >= Long.SIZE) {
      throw new ManifestFormatException("its number is out of range");
    }
    return number.longValue();
  }

  private byte[] read(FileStatus manifest) throws IOException {
    if (manifest.getLen() > MAX_MANIFEST_BYTES) {
      throw new IOException("it is too long for a manifest: " + manifest.getLen() + " bytes");
    }
    byte[] bytes = new byte[(int) manifest.getLen()];
    try (FSDataInputStream in = fileSystem.open(manifest.getPath())) {
      in.readFully(0, bytes);
    }
    return bytes;
  }
}
