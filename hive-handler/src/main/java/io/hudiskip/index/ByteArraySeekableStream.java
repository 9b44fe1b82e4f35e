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
    return position >= file.getLength() ? -1 : next(1).get() & 0xFF;
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
    int available = (int) Math.min(target.remaining(), file.getLength() - position);
    target.put(next(available));
    return available;
  }

  @Override
  public void readFully(byte[] target) throws IOException {
    readFully(target, 0, target.length);
  }

  @Override
  public void readFully(byte[] target, int offset, int length) throws IOException {
    next(length).get(target, offset, length);
  }

  @Override
  public void readFully(ByteBuffer target) throws IOException {
    target.put(next(target.remaining()));
  }

  private ByteBuffer next(int length) throws IOException {
    if (length > file.getLength() - position) {
      throw new EOFException("the file ends before byte " + (position + length));
    }
    ByteBuffer bytes = file.bytes(position, length);
    position += length;
    return bytes;
  }
}
