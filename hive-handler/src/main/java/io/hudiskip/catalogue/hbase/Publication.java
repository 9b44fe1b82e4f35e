/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.catalogue.hbase;

import io.hudiskip.plan.KeyLayout;
import io.hudiskip.plan.PlanFormatException;
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
 * All partitions of a table on their way into HBase: rows of their own, and at last the pointer.
 *
 * <p>A reader never sees a part. Rows are written under a number that nobody else has, and nobody
 * reads them before the pointer names it, for which all of them must have been written. They are
 * deleted when neither the pointer nor the publication before has the number, and no pointer can
 * get it any more: a pointer is put only in the place of the one that was read before the number
 * was taken, so that whoever took a smaller number and has not finished will not. A reader looks
 * once more at the pointer when it has read the rows.
 */
final class Publication implements Closeable {
  private static final int DELETED_AT_ONCE = 10_000;

  private final RowKeys keys;
  private final KeyLayout layout;
  private final Table table;
  private final BufferedMutator rows;
  private final Optional<Pointer> before;
  private final long number;

  /**
   * Begins.
   *
   * @param layout how the keys of the partitions are made
   */
  Publication(Connection connection, TableName name, RowKeys keys, KeyLayout layout)
      throws IOException {
    createIfMissing(connection, name);
    this.keys = keys;
    this.layout = layout;
    this.table = connection.getTable(name);
    this.rows = connection.getBufferedMutator(name);
    this.before = Pointer.of(table.get(Pointer.get(keys)));
    // After the pointer was read.
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

  /** Its number. */
  long number() {
    return number;
  }

  /**
   * Adds a partition with a key.
   *
   * @param key without what names the table
   * @param description for people
   */
  void add(byte[] key, byte[] path, byte[] description) throws IOException, PlanFormatException {
    Put row = new Put(keys.keyed(number, key)).addColumn(RowKeys.PARTITIONS, path, description);
    for (int i = 0; i < layout.columns().size(); i++) {
      byte[] value = RowKeys.cell(layout.value(key, i));
      row.addColumn(RowKeys.VALUES, RowKeys.column(i), value);
    }
    rows.mutate(row);
  }

  /** Adds a partition without a key. */
  void add(byte[] path, byte[] description) throws IOException {
    rows.mutate(
        new Put(keys.unkeyed(number, path)).addColumn(RowKeys.PARTITIONS, path, description));
  }

  /**
   * Puts all of it into force, if nothing else was since it began.
   *
   * @param document what it says of itself
   * @return whether it is in force
   */
  boolean publish(byte[] document) throws IOException {
    rows.flush(); // and each row into the log of its server, as the pointer will be
    Pointer next = Pointer.next(before, number, document);
    if (!table.checkAndMutate(next.inPlaceOf(before, keys)).isSuccess()) {
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
    try (ResultScanner found = table.getScanner(scan.setCaching(DELETED_AT_ONCE))) {
      for (Result row : found) {
        gone.add(new Delete(row.getRow()));
        if (gone.size() == DELETED_AT_ONCE) {
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
