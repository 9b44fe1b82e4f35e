// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.plan;

import io.hudiskip.compile.encoding.HiveType;
import io.hudiskip.compile.encoding.ValueEncoding;
import io.hudiskip.compile.expression.ReadColumn;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.Collectors;
import javax.annotation.Nullable;

/**
 * Decodes partition keys into column values, after the table's prefix: {@code
 * docs/inside/formats.md}, "Keys". Immutable.
 */
public final class KeyLayout {
  private static final int MAX_COLUMNS = 255;
  private static final int OFFSET_BYTES = 2;
  private static final byte NULL = 1;
  private static final byte VALUE = 2;

  private final List<ReadColumn> columns;

  private KeyLayout(List<ReadColumn> columns) {
    this.columns = Collections.unmodifiableList(columns);
  }

  /**
   * Creates a layout.
   *
   * @param names lower-case, in key order
   * @param types Hive names of the types for which values are encoded
   * @throws PlanFormatException when a type is unknown, or there are no columns or too many
   */
  public static KeyLayout of(List<String> names, List<String> types) throws PlanFormatException {
    if (names.isEmpty() || names.size() > MAX_COLUMNS || names.size() != types.size()) {
      throw new PlanFormatException(
          "a key needs a type for each of 1 to "
              + MAX_COLUMNS
              + " columns, but has "
              + names.size()
              + " columns and "
              + types.size()
              + " types");
    }
    List<ReadColumn> columns = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      String type = types.get(i);
      HiveType known =
          HiveType.parse(type).orElseThrow(() -> new PlanFormatException("unknown type " + type));
      columns.add(new ReadColumn(names.get(i), known));
    }
    return new KeyLayout(columns);
  }

  public List<ReadColumn> columns() {
    return columns;
  }

  /**
   * The value of a column, located through its offset at the end of the key.
   *
   * @param key without the table's prefix
   * @return encoded; null for NULL
   * @throws PlanFormatException when the bytes are no key of this layout
   */
  @Nullable
  public byte[] value(byte[] key, int column) throws PlanFormatException {
    int valuesEnd = key.length - OFFSET_BYTES * columns.size();
    int start = valuesEnd < 0 ? -1 : offset(key, valuesEnd + OFFSET_BYTES * column);
    int end =
        column + 1 == columns.size() || valuesEnd < 0
            ? valuesEnd
            : offset(key, valuesEnd + OFFSET_BYTES * (column + 1));
    if (start < 0 || start >= end || end > valuesEnd) {
      throw malformed(key);
    }
    if (key[start] == NULL && end == start + 1) {
      return null;
    }
    if (key[start] != VALUE) {
      throw malformed(key);
    }
    HiveType.Kind kind = columns.get(column).type().kind();
    byte[] value =
        hasFixedWidth(kind)
            ? Arrays.copyOfRange(key, start + 1, end)
            : unescaped(key, start + 1, end);
    if (kind != HiveType.Kind.UNENCODED && !ValueEncoding.isWellFormed(kind, value)) {
      throw malformed(key);
    }
    return value;
  }

  private static boolean hasFixedWidth(HiveType.Kind kind) {
    return kind != HiveType.Kind.STRING
        && kind != HiveType.Kind.DECIMAL
        && kind != HiveType.Kind.UNENCODED;
  }

  private static int offset(byte[] key, int at) {
    return (key[at] & 0xFF) << Byte.SIZE | (key[at + 1] & 0xFF);
  }

  /** {@code 00 FF} escapes a zero byte, and {@code 00 01} terminates the value. */
  private static byte[] unescaped(byte[] key, int start, int end) throws PlanFormatException {
    byte[] value = new byte[end - start];
    int length = 0;
    for (int i = start; i + 1 < end; i++) {
      if (key[i] == 0 && key[i + 1] == 1) {
        if (i + 2 != end) {
          throw malformed(key);
        }
        return Arrays.copyOf(value, length);
      }
      value[length++] = key[i];
      if (key[i] == 0) {
        i++;
      }
    }
    throw malformed(key);
  }

  private static PlanFormatException malformed(byte[] key) {
    return new PlanFormatException("not a key of this table: " + key.length + " bytes");
  }

  /** Names and types, which tell layouts apart. */
  @Override
  public String toString() {
    return columns.stream()
        .map(column -> column.name() + ' ' + column.type())
        .collect(Collectors.joining(", "));
  }
}
