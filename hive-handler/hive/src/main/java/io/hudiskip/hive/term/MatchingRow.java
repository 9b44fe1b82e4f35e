// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.term;

import io.hudiskip.encoding.HiveType;
import io.hudiskip.expression.ReadColumn;
import io.hudiskip.expression.TermEvaluator.Outcome;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.conf.HiveConf;
import org.apache.hadoop.hive.ql.plan.ExprNodeDesc;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.io.Writable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Values of a filter's columns for which all of Hive's evaluators find the filter TRUE, so that
 * tasks do, too: {@link EvaluableFunctions} refuses what depends on where it runs. Immutable.
 */
public final class MatchingRow {
  private static final Logger LOG = LoggerFactory.getLogger(MatchingRow.class);

  private final List<ReadColumn> columns;

  /** Null for NULL. */
  private final List<byte[]> encoded;

  private MatchingRow(List<ReadColumn> columns, List<byte[]> encoded) {
    this.columns = Collections.unmodifiableList(columns);
    this.encoded = Collections.unmodifiableList(encoded);
  }

  /**
   * Evaluates a filter for a row.
   *
   * @param filter the whole one; not changed
   * @param columns all that it reads
   * @param encoded the value of each, in the encoding of its type's kind; null for NULL
   * @param job the configuration of the job that will filter the rows
   * @return empty unless the filter is TRUE
   */
  public static Optional<MatchingRow> of(
      ExprNodeDesc filter, List<ReadColumn> columns, List<byte[]> encoded, Configuration job) {
    try {
      MatchingRow row = new MatchingRow(new ArrayList<>(columns), new ArrayList<>(encoded));
      Optional<ConstantTerm> term =
          ConstantTerm.prepare(filter, columns, new HiveConf(job, MatchingRow.class));
      boolean isMatching =
          term.isPresent() && term.get().evaluate(row.values()).equals(Optional.of(Outcome.TRUE));
      return isMatching ? Optional.of(row) : Optional.empty();
    } catch (Throwable e) { // users' functions may throw anything; the query must go on
      LOG.debug("Cannot evaluate a filter for a row of {} columns", columns.size(), e);
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

  private Object[] values() {
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
  public static MatchingRow read(DataInput in) throws IOException {
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
    return new MatchingRow(columns, encoded);
  }
}
