// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.read;

import java.io.IOException;
import java.util.function.Function;
import org.apache.hadoop.io.NullWritable;
import org.apache.hadoop.mapred.RecordReader;

/** Passes on what another reader returns, and replaces the exceptions with which it fails. */
public final class CheckedReader<V> implements RecordReader<NullWritable, V> {
  private final RecordReader<NullWritable, V> rows;
  private final Function<Exception, IOException> replacement;

  public CheckedReader(
      RecordReader<NullWritable, V> rows, Function<Exception, IOException> replacement) {
    this.rows = rows;
    this.replacement = replacement;
  }

  @Override
  public boolean next(NullWritable key, V value) throws IOException {
    try {
      return rows.next(key, value);
    } catch (IOException | RuntimeException e) {
      throw replacement.apply(e);
    }
  }

  @Override
  public NullWritable createKey() {
    return rows.createKey();
  }

  @Override
  public V createValue() {
    return rows.createValue();
  }

  @Override
  public long getPos() throws IOException {
    return rows.getPos();
  }

  @Override
  public float getProgress() throws IOException {
    return rows.getProgress();
  }

  @Override
  public void close() throws IOException {
    rows.close();
  }
}
