/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index.storage;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.hudiskip.index.manifest.RowGroupEntry;
import io.hudiskip.index.manifest.Section;
import io.hudiskip.index.parquet.RowGroupFields;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;

/**
 * Reads row groups of one open data file, each checked before anything of it is decoded.
 *
 * <p>The manifest says all that is needed to read a group, so that Parquet's footer, which grows
 * with the number of columns, is not read: nothing that a query uses depends on it.
 */
final class DataFileReader implements Closeable {
  private final FSDataInputStream file;
  private final ZstdDecompressCtx decompressor;

  /**
   * Opens a data file.
   *
   * @throws IOException when the file cannot be read
   */
  DataFileReader(FileSystem fileSystem, Path path) throws IOException {
    file = fileSystem.open(path);
    try {
      decompressor = new ZstdDecompressCtx();
    } catch (RuntimeException | LinkageError e) {
      IOUtils.closeStream(file);
      throw e;
    }
  }

  /**
   * Reads a row group.
   *
   * @throws IOException when the file cannot be read, or the group is not the one that the manifest
   *     describes
   */
  RowGroupFields read(RowGroupEntry group) throws IOException {
    byte[] content = checked(group.section());
    return new RowGroupFields(group.rows(), group.chunks(), content, decompressor);
  }

  private byte[] checked(Section section) throws IOException {
    byte[] content = new byte[section.length()];
    try {
      file.readFully(section.offset(), content, 0, content.length);
    } catch (EOFException e) {
      throw new IOException("the file is cut short before byte " + section.end(), e);
    }
    CRC32 actual = new CRC32();
    actual.update(content, 0, content.length);
    if (actual.getValue() != section.crc32()) {
      throw new IOException(
          "the checksum of bytes " + section.offset() + " to " + section.end() + " does not fit");
    }
    return content;
  }

  @Override
  public void close() {
    decompressor.close();
    // What was read was checked; a file that cannot be closed takes nothing of that back.
    IOUtils.closeStream(file);
  }
}
