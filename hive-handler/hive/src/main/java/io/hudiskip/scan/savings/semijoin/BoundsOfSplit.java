// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.savings.semijoin;

import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.io.Writable;

/** The bounds of a split's file, which is opened only when the values of semijoins have arrived. */
public final class BoundsOfSplit implements Writable {
  private List<FileBounds> bounds;

  /** Called through reflection, before {@link #readFields}. */
  public BoundsOfSplit() {}

  BoundsOfSplit(List<FileBounds> bounds) {
    this.bounds = bounds;
  }

  List<FileBounds> bounds() {
    return bounds;
  }

  @Override
  public void write(DataOutput out) throws IOException {
    FileBounds.write(out, bounds);
  }

  @Override
  public void readFields(DataInput in) throws IOException {
    bounds = FileBounds.read(in);
  }
}
