// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.compile.plan.KeyLayout;
import io.hudiskip.compile.plan.PlanFormatException;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.hbase.TableExistsException;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Admin;
import org.apache.hadoop.hbase.client.BufferedMutator;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptorBuilder;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.Delete;
import org.apache.hadoop.hbase.client.Put;
import org.apache.hadoop.hbase.client.Result;
import org.apache.hadoop.hbase.client.ResultScanner;
import org.apache.hadoop.hbase.client.Scan;
import org.apache.hadoop.hbase.client.Table;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.filter.FirstKeyOnlyFilter;

/**
 * Publishes all partitions of a table in HBase: rows under a new number, then the pointer.
 *
 * <p>Readers never see a partial publication. Rows are written under a unique number and not read
 * until the pointer names it, after all are written. They are deleted when the number is neither
 * the pointer's nor the previous publication's, and no pointer can name it any more: a pointer
 * replaces only the one read before its number was taken, so a publisher with a smaller number that
 * has not finished never will. A reader checks the pointer again after reading rows.
 */
final class Publication implements Closeable {
  private static final int DELETES_PER_REQUEST = 10_000;

  private final RowKeys keys;
  private final KeyLayout layout;
  private final Table table;
  private final BufferedMutator rows;
  private final Optional<Pointer> before;
  private final long number;

  /** Begins a publication; {@code layout} describes the partitions' keys. */
  Publication(Connection connection, TableName name, RowKeys keys, KeyLayout layout)
      throws IOException {
    createIfMissing(connection, name);
    this.keys = keys;
    this.layout = layout;
    this.table = connection.getTable(name);
    this.rows = connection.getBufferedMutator(name);
    this.before = Pointer.of(table.get(Pointer.get(keys)));
    // Must follow reading the pointer.
    this.number =
        table.incrementColumnValue(keys.pointer(), RowKeys.PARTITIONS, Pointer.LAST_NUMBER, 1);
  }

  private static void createIfMissing(Connection connection, TableName name) throws IOException {
    try (Admin admin = connection.getAdmin()) {
      if (admin.tableExists(name)) {
        return;
      }
      admin.createTable(
          TableDescriptorBuilder.newBuilder(name)
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(RowKeys.PARTITIONS))
              .setColumnFamily(ColumnFamilyDescriptorBuilder.of(RowKeys.VALUES))
              .build());
    } catch (TableExistsException e) {
      return; // another publisher was faster
    }
  }

  long number() {
    return number;
  }

  /**
   * Adds a partition with a key, which excludes the table's prefix. {@code description} is for
   * display.
   */
  void add(byte[] key, byte[] path, byte[] description) throws IOException, PlanFormatException {
    Put row = new Put(keys.keyed(number, key)).addColumn(RowKeys.PARTITIONS, path, description);
    for (int i = 0; i < layout.columns().size(); i++) {
      byte[] value = RowKeys.cell(layout.value(key, i));
      row.addColumn(RowKeys.VALUES, RowKeys.column(i), value);
    }
    rows.mutate(row);
  }

  void add(byte[] path, byte[] description) throws IOException {
    rows.mutate(
        new Put(keys.unkeyed(number, path)).addColumn(RowKeys.PARTITIONS, path, description));
  }

  /**
   * Puts the publication into force, unless another has been since it began.
   *
   * @return whether it is in force
   */
  boolean publish(byte[] document) throws IOException {
    rows.flush(); // also into each server's log, where the pointer will be
    Pointer next = Pointer.next(before, number, document);
    if (!table.checkAndMutate(next.replacing(before, keys)).isSuccess()) {
      return false;
    }
    if (next.previous() > 0) {
      delete(keys.prefix(0), keys.prefix(next.previous()));
      delete(keys.end(next.previous()), keys.prefix(number));
    } else {
      delete(keys.prefix(0), keys.prefix(number));
    }
    return true;
  }

  private void delete(byte[] start, byte[] stop) throws IOException {
    Scan scan =
        new Scan().withStartRow(start).withStopRow(stop).setFilter(new FirstKeyOnlyFilter());
    List<Delete> gone = new ArrayList<>();
    try (ResultScanner found = table.getScanner(scan.setCaching(DELETES_PER_REQUEST))) {
      for (Result row : found) {
        gone.add(new Delete(row.getRow()));
        if (gone.size() == DELETES_PER_REQUEST) {
          table.delete(gone);
          gone.clear();
        }
      }
    }
    table.delete(gone);
  }

  @Override
  public void close() throws IOException {
    rows.close();
    table.close();
  }
}
