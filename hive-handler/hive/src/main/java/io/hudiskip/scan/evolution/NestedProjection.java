// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hive.serde2.typeinfo.StructTypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.io.ArrayWritable;
import org.apache.hadoop.io.Writable;

/**
 * The shape in which Hive expects a partially read struct: only the projected fields, in the type's
 * order. Hive's reader returns it, and its {@code ArrayWritableObjectInspector} expects it.
 */
final class NestedProjection {
  private NestedProjection() {}

  /**
   * Removes the fields that are not read.
   *
   * @param paths of those that are, relative to this value; none or an empty path means all
   */
  static Conversion of(TypeInfo type, List<String> paths) {
    if (!(type instanceof StructTypeInfo) || paths.isEmpty() || paths.contains("")) {
      return Conversion.NONE;
    }
    StructTypeInfo struct = (StructTypeInfo) type;
    List<Integer> positions = new ArrayList<>();
    List<Conversion> fields = new ArrayList<>();
    for (int i = 0; i < struct.getAllStructFieldNames().size(); i++) {
      List<String> below = below(struct.getAllStructFieldNames().get(i), paths);
      if (!below.isEmpty()) {
        positions.add(i);
        fields.add(of(struct.getAllStructFieldTypeInfos().get(i), below));
      }
    }
    return value -> {
      Writable[] all = ((ArrayWritable) value).get();
      Writable[] read = new Writable[positions.size()];
      for (int i = 0; i < read.length; i++) {
        read[i] = fields.get(i).applyToNullable(all[positions.get(i)]);
      }
      return new ArrayWritable(Writable.class, read);
    };
  }

  /** The remainders of the paths that begin with {@code name}. */
  static List<String> below(String name, Iterable<String> paths) {
    List<String> below = new ArrayList<>();
    for (String path : paths) {
      int end = path.indexOf('.') < 0 ? path.length() : path.indexOf('.');
      if (path.substring(0, end).equalsIgnoreCase(name)) {
        below.add(end == path.length() ? "" : path.substring(end + 1));
      }
    }
    return below;
  }
}
