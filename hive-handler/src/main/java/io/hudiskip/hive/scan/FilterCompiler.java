/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.compiler.CompilerUnavailableException;
import io.hudiskip.compiler.SharedClients;
import io.hudiskip.filter.CompileRequests;
import io.hudiskip.filter.TypedFilter;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.TableSchema;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** Compiles the filter of a scan with the predicate compiler. */
public final class FilterCompiler {
  private FilterCompiler() {}

  /**
   * Compiles a filter that is not empty.
   *
   * @param settings where the {@code hudi.skipping.*} settings are read
   * @param scan configuration that names the columns of the scan and their types, as Hive sets them
   * @return a {@code HudiExpression} in Thrift's compact protocol
   * @throws CompilerUnavailableException when the compiler gives none
   */
  public static byte[] compile(Configuration settings, Configuration scan, TypedFilter filter)
      throws CompilerUnavailableException {
    return SharedClients.get(settings)
        .compile(CompileRequests.of(scan, filter, schema(scan)))
        .getExpression();
  }

  /**
   * Compiles a filter that is not empty, and asks how the expression came about.
   *
   * @throws CompilerUnavailableException when the compiler gives no answer
   */
  static CompileResponse explain(Configuration settings, Configuration scan, TypedFilter filter)
      throws CompilerUnavailableException {
    return SharedClients.get(settings)
        .compile(CompileRequests.of(scan, filter, schema(scan)).setExplain(true));
  }

  private static TableSchema schema(Configuration scan) {
    String[] names = scan.get(serdeConstants.LIST_COLUMNS, "").split(",", -1);
    List<TypeInfo> types =
        TypeInfoUtils.getTypeInfosFromTypeString(scan.get(serdeConstants.LIST_COLUMN_TYPES, ""));
    List<ColumnSchema> columns = new ArrayList<>();
    for (int i = 0; i < Math.min(names.length, types.size()); i++) {
      columns.add(new ColumnSchema().setName(names[i]).setType(types.get(i).getTypeName()));
    }
    return new TableSchema().setColumns(columns);
  }
}
