// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.wire;

import io.hudiskip.compile.encoding.EncodedOrder;
import io.hudiskip.compile.expression.ExpressionFormatException;
import io.hudiskip.compile.plan.KeyLayout;
import io.hudiskip.compile.plan.PartitionFilter;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.compile.plan.ScanRange;
import io.hudiskip.thrift.ColumnSchema;
import io.hudiskip.thrift.hudi_skippingConstants;
import java.util.ArrayList;
import java.util.List;
import javax.annotation.Nullable;
import org.apache.thrift.TBaseHelper;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;

/** Encodes the predicate compiler's plans and decodes them into checked {@link PartitionPlan}s. */
public final class PlanDecoder {
  private PlanDecoder() {}

  /** Encodes a plan in Thrift's compact protocol, for {@link #decode}. */
  public static byte[] encode(io.hudiskip.thrift.PartitionPlan plan) {
    try {
      return new TSerializer(new TCompactProtocol.Factory()).serialize(plan);
    } catch (TException e) {
      throw new IllegalStateException("cannot serialize a plan", e);
    }
  }

  /**
   * Reads a plan from Thrift's compact protocol. Memory and time are bounded by the number of
   * bytes, even if they are hostile.
   *
   * @throws PlanFormatException when the bytes are malformed or of another version
   */
  public static PartitionPlan decode(byte[] bytes) throws PlanFormatException {
    io.hudiskip.thrift.PartitionPlan message = read(bytes);
    if (message.getFormatVersion() != hudi_skippingConstants.PLAN_FORMAT_VERSION) {
      throw new PlanFormatException(
          "the plan has format version "
              + message.getFormatVersion()
              + ", but this build reads version "
              + hudi_skippingConstants.PLAN_FORMAT_VERSION);
    }
    KeyLayout layout = layout(message);
    List<PartitionFilter> filters = filters(message, layout);
    List<ScanRange> scans = new ArrayList<>();
    byte[] end = new byte[0];
    for (int i = 0; i < message.getScansSize(); i++) {
      io.hudiskip.thrift.ScanRange scan = message.getScans().get(i);
      if (end == null || !scan.isSetStart() || EncodedOrder.compare(end, scan.getStart()) > 0) {
        throw new PlanFormatException(
            "range " + i + " of the plan overlaps its predecessor or is out of order");
      }
      end = scan.isSetStop() ? scan.getStop() : null;
      if (end != null && EncodedOrder.compare(scan.getStart(), end) >= 0) {
        throw new PlanFormatException("range " + i + " of the plan is empty");
      }
      scans.add(new ScanRange(scan.getStart(), end, filter(scan, filters)));
    }
    return new PartitionPlan(layout, scans, message.isSetText() ? message.getText() : "");
  }

  private static io.hudiskip.thrift.PartitionPlan read(byte[] bytes) throws PlanFormatException {
    io.hudiskip.thrift.PartitionPlan message = new io.hudiskip.thrift.PartitionPlan();
    try {
      BoundedCompactProtocol.read(bytes, message);
    } catch (TException e) {
      throw new PlanFormatException("not a serialized plan: " + e.getMessage(), e);
    }
    return message;
  }

  private static KeyLayout layout(io.hudiskip.thrift.PartitionPlan message)
      throws PlanFormatException {
    List<String> names = new ArrayList<>();
    List<String> types = new ArrayList<>();
    for (int i = 0; i < message.getColumnsSize(); i++) {
      ColumnSchema column = message.getColumns().get(i);
      if (!column.isSetName() || !column.isSetType()) {
        throw new PlanFormatException("column " + i + " of the keys has no name or no type");
      }
      names.add(column.getName());
      types.add(column.getType());
    }
    return KeyLayout.of(names, types);
  }

  private static List<PartitionFilter> filters(
      io.hudiskip.thrift.PartitionPlan message, KeyLayout layout) throws PlanFormatException {
    List<PartitionFilter> filters = new ArrayList<>();
    for (int i = 0; i < message.getFiltersSize(); i++) {
      byte[] bytes = TBaseHelper.byteBufferToByteArray(message.getFilters().get(i));
      try {
        filters.add(new PartitionFilter(layout, ExpressionDecoder.decode(bytes)));
      } catch (ExpressionFormatException e) {
        throw new PlanFormatException("filter " + i + " of the plan: " + e.getMessage(), e);
      }
    }
    return filters;
  }

  @Nullable
  private static PartitionFilter filter(
      io.hudiskip.thrift.ScanRange scan, List<PartitionFilter> filters) throws PlanFormatException {
    if (!scan.isSetFilter()) {
      return null;
    }
    if (scan.getFilter() < 0 || scan.getFilter() >= filters.size()) {
      throw new PlanFormatException("a range refers to unknown filter " + scan.getFilter());
    }
    return filters.get(scan.getFilter());
  }
}
