// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.index.storage;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.conformance.Hex;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.parquet.example.data.Group;
import org.apache.parquet.example.data.simple.SimpleGroup;
import org.apache.parquet.io.api.Binary;
import org.apache.parquet.schema.MessageType;

/** Rows of a data file, brought into its order and cut into row groups. */
final class IndexRows {
  private final List<IndexRow> rows;

  /** A row of each base file; the position is the ordinal. */
  private final List<IndexRow> files;

  private final Map<String, Integer> ordinals = new LinkedHashMap<>();

  /** Rows of files in the order that the format has. */
  IndexRows(List<IndexRow> unsorted) {
    this(
        unsorted,
        Comparator.<IndexRow, byte[]>comparing(
                row -> ValueEncoding.encodeString(row.partition), EncodedOrder.COMPARATOR)
            .thenComparing(
                row -> ValueEncoding.encodeString(row.fileName), EncodedOrder.COMPARATOR));
  }

  /**
   * Rows of files.
   *
   * @param order of the files
   */
  IndexRows(List<IndexRow> unsorted, Comparator<IndexRow> order) {
    Map<String, IndexRow> byPath = new LinkedHashMap<>();
    unsorted.forEach(row -> byPath.putIfAbsent(row.path(), row));
    files = new ArrayList<>(byPath.values());
    files.sort(order);
    files.forEach(row -> ordinals.put(row.path(), ordinals.size()));
    rows = new ArrayList<>(unsorted);
    rows.sort(
        Comparator.<IndexRow, byte[]>comparing(
                row -> ValueEncoding.encodeString(row.column), EncodedOrder.COMPARATOR)
            .thenComparing(row -> ordinals.get(row.path())));
  }

  /** Cut after so many rows. */
  List<RowGroup> groups(int rowsPerGroup) {
    List<RowGroup> groups = new ArrayList<>();
    groups.addAll(cut("files", files, rowsPerGroup));
    for (String kind : new String[] {"bloom", "octets", "range", "values"}) {
      groups.addAll(cut(kind, ofKind(kind), rowsPerGroup));
    }
    return groups;
  }

  /** Cut between columns, and where the ordinal is a multiple of a number. */
  List<RowGroup> blocks(int filesPerBlock) {
    List<RowGroup> groups = new ArrayList<>(cut("files", files, files.size()));
    for (String kind : new String[] {"bloom", "range", "values"}) {
      ofKind(kind).stream()
          .collect(
              Collectors.groupingBy(
                  row -> Arrays.asList(row.column, ordinals.get(row.path()) / filesPerBlock),
                  LinkedHashMap::new,
                  Collectors.toList()))
          .values()
          .forEach(block -> groups.add(new RowGroup(kind, block, true)));
    }
    return groups;
  }

  private List<IndexRow> ofKind(String kind) {
    return rows.stream()
        .filter(row -> kind.equals("range") ? row.octets == null : content(kind, row) != null)
        .collect(Collectors.toList());
  }

  private static byte[] content(String kind, IndexRow row) {
    switch (kind) {
      case "bloom":
        return row.bloom;
      case "values":
        return row.values;
      default:
        return row.octets;
    }
  }

  private List<RowGroup> cut(String kind, List<IndexRow> ofKind, int rowsPerGroup) {
    List<RowGroup> groups = new ArrayList<>();
    for (int start = 0; start < ofKind.size(); start += rowsPerGroup) {
      int end = Math.min(ofKind.size(), start + rowsPerGroup);
      groups.add(new RowGroup(kind, ofKind.subList(start, end), false));
    }
    return groups;
  }

  /** One row group to be written. */
  final class RowGroup {
    private final String kind;
    private final List<IndexRow> rows;
    private final boolean isBlock;

    private RowGroup(String kind, List<IndexRow> rows, boolean isBlock) {
      this.kind = kind;
      this.rows = rows;
      this.isBlock = isBlock;
    }

    /** Number of base files of the data file. */
    int files() {
      return files.size();
    }

    List<Group> rows(MessageType schema) {
      return rows.stream().map(row -> group(schema, row)).collect(Collectors.toList());
    }

    private Group group(MessageType schema, IndexRow row) {
      Group group = new SimpleGroup(schema);
      add(group, "kind", kind);
      add(group, "file", ordinals.get(row.path()));
      if (kind.equals("files")) {
        add(group, "column", "");
        add(group, "partition", row.partition);
        add(group, "file_name", row.fileName);
        add(group, "file_id", "id");
        add(group, "commit_time", "20260101120000000");
        add(group, "file_size", row.fileSize);
        add(group, "value_count", row.valueCount);
        return group;
      }
      add(group, "column", row.column);
      add(group, "type", row.type);
      if (kind.equals("range")) {
        add(group, "lower", row.lower);
        add(group, "upper", row.upper);
        add(group, "null_count", row.nullCount);
        add(group, "nan_count", row.nanCount);
        add(group, "flags", 0);
      } else {
        add(group, "content", content(kind, row));
      }
      return group;
    }

    private void add(Group group, String field, Object value) {
      if (value == null || !group.getType().containsField(field)) {
        return;
      }
      if (value instanceof byte[]) {
        group.add(field, Binary.fromConstantByteArray((byte[]) value));
      } else if (value instanceof String) {
        group.add(field, (String) value);
      } else if (value instanceof Integer) {
        group.add(field, (int) (Integer) value);
      } else {
        group.add(field, (long) (Long) value);
      }
    }

    /** Adds what the manifest says, besides offset, length, checksum and number of rows. */
    void describe(ObjectNode manifest) {
      int[] ofRows = rows.stream().mapToInt(row -> ordinals.get(row.path())).toArray();
      boolean hasColumns = !kind.equals("files");
      int first = Arrays.stream(ofRows).min().getAsInt();
      int last = Arrays.stream(ofRows).max().getAsInt();
      manifest
          .put("kind", kind)
          .put("first_column", hasColumns ? rows.get(0).column : "")
          .put("last_column", hasColumns ? rows.get(rows.size() - 1).column : "")
          .put("first_file", first)
          .put("last_file", last);
      boolean isWhole = last - first + 1 == rows.size();
      boolean isOfOneType = rows.stream().map(row -> row.type).distinct().count() == 1;
      if (isBlock && kind.equals("range") && isWhole && isOfOneType) {
        describeBlock(manifest.putObject("block"));
      }
    }

    private void describeBlock(ObjectNode block) {
      List<IndexRow> withValues =
          rows.stream()
              .filter(row -> row.nullCount == null || row.nullCount != row.valueCount)
              .collect(Collectors.toList());
      block
          .put("type", rows.get(0).type)
          .put("lower", bound(withValues, row -> row.lower, EncodedOrder.COMPARATOR))
          .put("upper", bound(withValues, row -> row.upper, EncodedOrder.COMPARATOR.reversed()))
          .put("null_count", sum(row -> row.nullCount))
          .put("nan_count", sum(row -> row.nanCount))
          .put("value_count", sum(row -> row.valueCount));
    }

    private String bound(
        List<IndexRow> of, Function<IndexRow, byte[]> field, Comparator<byte[]> order) {
      return of.isEmpty() || of.stream().map(field).anyMatch(bound -> bound == null)
          ? null
          : Hex.encode(of.stream().map(field).min(order).get());
    }

    private Long sum(Function<IndexRow, Long> field) {
      return rows.stream().map(field).anyMatch(count -> count == null)
          ? null
          : rows.stream().map(field).mapToLong(Long::longValue).sum();
    }
  }
}
