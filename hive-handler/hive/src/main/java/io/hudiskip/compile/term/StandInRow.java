// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.term;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.expression.ReadColumn;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A row whose copies stand for the rows of files that are not opened. Immutable. */
public final class StandInRow {
  private static final Logger LOG = LoggerFactory.getLogger(StandInRow.class);

  private final List<ReadColumn> columns;

  /** Null for NULL. */
  private final List<byte[]> encoded;

  private StandInRow(List<ReadColumn> columns, List<byte[]> encoded) {
    this.columns = Collections.unmodifiableList(columns);
    this.encoded = Collections.unmodifiableList(encoded);
  }

  /**
   * A row that has some values.
   *
   * @param columns all that are read of it
   * @param encoded the value of each, in the encoding of its type's kind; null for NULL
   * @return empty if one is not of its column's type
   */
  public static Optional<StandInRow> of(List<ReadColumn> columns, List<byte[]> encoded) {
    StandInRow row = new StandInRow(new ArrayList<>(columns), new ArrayList<>(encoded));
    try {
      row.values();
      return Optional.of(row);
    } catch (RuntimeException e) {
      LOG.debug("Some value of {} is not of its type", columns, e);
      return Optional.empty();
    }
  }

  /** The name of each column, in lower case. */
  public List<String> names() {
    List<String> names = new ArrayList<>();
    columns.forEach(column -> names.add(column.name()));
    return names;
  }

  /** The value of each column as Hive's Parquet reader returns it; null for NULL. */
  public List<Writable> writables() {
    List<Writable> writables = new ArrayList<>();
    for (Object value : values()) {
      writables.add((Writable) value);
    }
    return writables;
  }

  /** The {@link ConstantValues} of the columns; null for NULL. */
  Object[] values() {
    Object[] values = new Object[columns.size()];
    for (int i = 0; i < values.length; i++) {
      values[i] =
          encoded.get(i) == null
              ? null
              : ConstantValues.writable(columns.get(i).type(), encoded.get(i));
    }
    return values;
  }

  /** Writes the row for a task. */
  public void write(DataOutput out) throws IOException {
    out.writeInt(columns.size());
    for (int i = 0; i < columns.size(); i++) {
      Text.writeString(out, columns.get(i).name());
      Text.writeString(out, columns.get(i).type().toString());
      out.writeBoolean(encoded.get(i) != null);
      if (encoded.get(i) != null) {
        new BytesWritable(encoded.get(i)).write(out);
      }
    }
  }

  /** Reads what {@link #write} wrote. */
  public static StandInRow read(DataInput in) throws IOException {
    List<ReadColumn> columns = new ArrayList<>();
    List<byte[]> encoded = new ArrayList<>();
    for (int i = in.readInt(); i > 0; i--) {
      String name = Text.readString(in);
      String type = Text.readString(in);
      columns.add(
          new ReadColumn(
              name,
              HiveType.parse(type).orElseThrow(() -> new IOException("unknown type " + type))));
      BytesWritable value = null;
      if (in.readBoolean()) {
        value = new BytesWritable();
        value.readFields(in);
      }
      encoded.add(value == null ? null : value.copyBytes());
    }
    return new StandInRow(columns, encoded);
  }
}
