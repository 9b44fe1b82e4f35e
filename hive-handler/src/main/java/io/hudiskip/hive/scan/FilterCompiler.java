/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.PartitionSource;
import io.hudiskip.SkippingConf;
import io.hudiskip.compiler.CompilerUnavailableException;
import io.hudiskip.compiler.SharedClients;
import io.hudiskip.filter.CompileRequests;
import io.hudiskip.filter.TypedFilter;
import io.hudiskip.hive.table.HudiTable;
import io.hudiskip.hive.table.UnreadableTableException;
import io.hudiskip.plan.PlanDecoder;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.TableSchema;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.serde.serdeConstants;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfo;
import org.apache.hadoop.hive.serde2.typeinfo.TypeInfoUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Compiles the filter of a scan with the predicate compiler. */
public final class FilterCompiler {
  private static final Logger LOG = LoggerFactory.getLogger(FilterCompiler.class);

  private FilterCompiler() {}

  /**
   * Compiles a filter that is not empty; where a catalogue of partitions will be asked, with a plan
   * for it.
   *
   * @param settings where the settings of the compiler are read
   * @param scan configuration that names the columns of the scan and their types, as Hive sets
   *     them, and has the table's settings
   * @param location root directory of the table
   * @throws CompilerUnavailableException when the compiler gives no expression
   */
  public static PushedExpression compile(
      Configuration settings, Configuration scan, TypedFilter filter, String location)
      throws CompilerUnavailableException {
    CompileRequest request = CompileRequests.of(scan, filter, schema(scan));
    if (SkippingConf.of(scan).catalogue() == PartitionSource.HBASE) {
      request.setPartitionColumns(partitionColumns(scan, location));
    }
    CompileResponse response = SharedClients.get(settings).compile(request);
    return new PushedExpression(
        filter.fingerprint(),
        response.getExpression(),
        response.isSetPartitionPlan() ? PlanDecoder.encode(response.getPartitionPlan()) : null);
  }

  /** Null, so that there is no plan, if they are not known: the listing says why it has none. */
  @Nullable
  private static List<String> partitionColumns(Configuration conf, String location) {
    try {
      return HudiTable.partitionFields(conf, location);
    } catch (UnreadableTableException e) {
      LOG.debug("The partition columns of {} are not known", location, e);
      return null;
    }
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
