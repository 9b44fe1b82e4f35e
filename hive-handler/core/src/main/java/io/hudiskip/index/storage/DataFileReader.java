// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import com.github.luben.zstd.ZstdDecompressCtx;
import io.hudiskip.index.manifest.RowGroupEntry;
import io.hudiskip.index.manifest.Section;
import io.hudiskip.index.parquet.RowGroupFields;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;

/**
 * Reads row groups of an open data file and checks each before decoding.
 *
 * <p>The manifest describes the groups completely, so Parquet's footer, which grows with the number
 * of columns, is not read.
 */
final class DataFileReader implements Closeable {
  /** Adjacent groups are read together up to this length. */
  private static final int MAX_READ_BYTES = 8 << 20;

  private final FSDataInputStream file;
  private final ZstdDecompressCtx decompressor;

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
   * Reads row groups, adjacent ones in one request, since object stores charge for each.
   *
   * @param groups in file order
   * @throws IOException when the file cannot be read, or a group is not as the manifest describes
   *     it
   */
  List<RowGroupFields> read(List<RowGroupEntry> groups) throws IOException {
    List<RowGroupFields> read = new ArrayList<>(groups.size());
    int first = 0;
    while (first < groups.size()) {
      int end = endOfAdjacent(groups, first);
      long start = groups.get(first).section().offset();
      byte[] content = content(start, groups.get(end - 1).section().end());
      for (RowGroupEntry group : groups.subList(first, end)) {
        Section section = group.section();
        int offset = Math.toIntExact(section.offset() - start);
        byte[] part = Arrays.copyOfRange(content, offset, offset + section.length());
        requireChecksum(section, part);
        read.add(new RowGroupFields(group.rows(), group.chunkEnds(), part, decompressor));
      }
      first = end;
    }
    return read;
  }

  private static int endOfAdjacent(List<RowGroupEntry> groups, int first) {
    long start = groups.get(first).section().offset();
    int end = first + 1;
    while (end < groups.size()
        && groups.get(end).section().offset() == groups.get(end - 1).section().end()
        && groups.get(end).section().end() - start <= MAX_READ_BYTES) {
      end++;
    }
    return end;
  }

  private byte[] content(long start, long end) throws IOException {
    byte[] content = new byte[Math.toIntExact(end - start)];
    try {
      file.readFully(start, content, 0, content.length);
    } catch (EOFException e) {
      throw new IOException("the file is truncated before byte " + end, e);
    }
    return content;
  }

  private static void requireChecksum(Section section, byte[] content) throws IOException {
    CRC32 actual = new CRC32();
    actual.update(content, 0, content.length);
    if (actual.getValue() != section.crc32()) {
      throw new IOException(
          "the checksum of bytes " + section.offset() + " to " + section.end() + " does not match");
    }
  }

  @Override
  public void close() {
    decompressor.close();
    // What was read has been checked, so a failure to close does not matter.
    IOUtils.closeStream(file);
  }
}
