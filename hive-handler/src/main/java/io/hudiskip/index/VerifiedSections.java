/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.zip.CRC32;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;

/**
 * The sections of a data file that were read and whose checksums agree, as the file that Parquet
 * reads. There is nothing outside them: whatever a damaged offset points at, no unchecked byte is
 * decoded.
 */
final class VerifiedSections implements InputFile {
  private final long fileLength;

  /** Content by offset; sections do not overlap. */
  private final NavigableMap<Long, byte[]> sections = new TreeMap<>();

  VerifiedSections(long fileLength) {
    this.fileLength = fileLength;
  }

  /**
   * Reads a section and checks it.
   *
   * @throws IOException when it cannot be read, or is not what the manifest says
   */
  void load(FSDataInputStream file, Section section) throws IOException {
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
    sections.put(section.offset(), content);
  }

  /** Frees the memory of a section that is not asked for again. */
  void forget(Section section) {
    sections.remove(section.offset());
  }

  @Override
  public long getLength() {
    return fileLength;
  }

  @Override
  public SeekableInputStream newStream() {
    return new ByteArraySeekableStream(this);
  }

  /**
   * The bytes that begin at {@code position} and lie in one section.
   *
   * @return not to be changed
   */
  ByteBuffer bytes(long position, int length) throws IOException {
    Map.Entry<Long, byte[]> section = sections.floorEntry(position);
    long start = section == null ? 0 : position - section.getKey();
    if (section == null || start + length > section.getValue().length) {
      throw new IOException(
          "Parquet asks for bytes "
              + position
              + " to "
              + (position + length)
              + ", which are not in a checked section");
    }
    return ByteBuffer.wrap(section.getValue(), (int) start, length);
  }
}
