/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.index;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.parquet.io.SeekableInputStream;

/** A position in {@link VerifiedSections}. Every read is whole or fails. */
final class ByteArraySeekableStream extends SeekableInputStream {
  private final VerifiedSections file;
  private long position;

  ByteArraySeekableStream(VerifiedSections file) {
    this.file = file;
  }

  @Override
  public long getPos() {
    return position;
  }

  @Override
  public void seek(long newPosition) {
    position = newPosition;
  }

  @Override
  public int read() throws IOException {
    if (position >= file.getLength()) {
      return -1;
    }
    byte[] one = new byte[1];
    readFully(one);
    return one[0] & 0xFF;
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    if (length == 0) {
      return 0;
    }
    if (position >= file.getLength()) {
      return -1;
    }
    int available = (int) Math.min(length, file.getLength() - position);
    readFully(target, offset, available);
    return available;
  }

  @Override
  public int read(ByteBuffer target) throws IOException {
    if (target.hasRemaining() && position >= file.getLength()) {
      return -1;
    }
    byte[] bytes = new byte[(int) Math.min(target.remaining(), file.getLength() - position)];
    readFully(bytes);
    target.put(bytes);
    return bytes.length;
  }

  @Override
  public void readFully(byte[] target) throws IOException {
    readFully(target, 0, target.length);
  }

  @Override
  public void readFully(byte[] target, int offset, int length) throws IOException {
    if (length > file.getLength() - position) {
      throw new EOFException("the file ends before byte " + (position + length));
    }
    file.copy(position, target, offset, length);
    position += length;
  }

  @Override
  public void readFully(ByteBuffer target) throws IOException {
    byte[] bytes = new byte[target.remaining()];
    readFully(bytes);
    target.put(bytes);
  }
}
