// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.client.PredicateCompilerClient;
import io.hudiskip.compile.filter.FilterTerm;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.TableSchema;
import io.hudiskip.thrift.hudi_skippingConstants;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;

/** Calls of the predicate compiler. */
public final class CompileCalls {
  private CompileCalls() {}

  /**
   * Compiles a filter.
   *
   * @param scan has the scan's columns and types, as Hive sets them, and settings for Hive's
   *     SearchArgument builder
   * @param filter not empty, and read from expression nodes that have not changed since
   * @param partitionColumns the columns that make the keys of partitions; null for no plan
   * @throws CompilerUnavailableException when the compiler returns no expression
   * @throws IllegalArgumentException if the filter is empty
   */
  public static Compilation compile(
      PredicateCompilerClient client,
      Configuration scan,
      TypedFilter filter,
      @Nullable List<String> partitionColumns)
      throws CompilerUnavailableException {
    return call(client, request(scan, filter).setPartitionColumns(partitionColumns));
  }

  /** As {@link #compile}, with an explanation and without a plan. */
  public static Compilation explain(
      PredicateCompilerClient client, Configuration scan, TypedFilter filter)
      throws CompilerUnavailableException {
    return call(client, request(scan, filter).setExplain(true));
  }

  /**
   * The release of the compiler.
   *
   * @throws CompilerUnavailableException when it does not answer
   */
  public static String compilerVersion(PredicateCompilerClient client)
      throws CompilerUnavailableException {
    return client
        .call(CompileProtocol.encodeDescribe(), CompileProtocol::decodeDescribe)
        .getVersion();
  }

  static Compilation call(PredicateCompilerClient client, CompileRequest request)
      throws CompilerUnavailableException {
    return client.call(
        CompileProtocol.encode(request), answer -> CompileProtocol.decode(answer, request));
  }

  static CompileRequest request(Configuration scan, TypedFilter filter) {
    FilterTerm root =
        filter.root().orElseThrow(() -> new IllegalArgumentException("the filter is empty"));
    return new CompileRequest()
        .setProtocolVersion(hudi_skippingConstants.PROTOCOL_VERSION)
        .setFingerprint(filter.fingerprint())
        .setSearchArgument(SearchArgumentEncoder.encode(scan, root))
        .setFilter(filter.tree())
        .setSchema(schema(scan));
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
