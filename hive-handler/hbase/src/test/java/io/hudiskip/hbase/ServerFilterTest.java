// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.KeyLayout;
import io.hudiskip.compile.plan.PartitionFilter;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.plan.ScanRange;
import io.hudiskip.compile.wire.PlanDecoder;
import io.hudiskip.conformance.ConformanceVectors;
import io.hudiskip.conformance.Hex;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.hadoop.hbase.Cell;
import org.apache.hadoop.hbase.CellBuilderFactory;
import org.apache.hadoop.hbase.CellBuilderType;
import org.apache.hadoop.hbase.filter.Filter;
import org.junit.jupiter.api.Test;

/** HBase's own filters, on rows as they are published, against the evaluator. */
class ServerFilterTest {

  /** Filters of the vectors that none of HBase's own express. */
  private static final Set<String> FOR_THE_CLIENT = new LinkedHashSet<>();

  static {
    FOR_THE_CLIENT.add("two columns of one kind are compared");
    FOR_THE_CLIENT.add("two columns are a constant apart");
    FOR_THE_CLIENT.add("two days are a constant apart");
  }

  @Test
  void aRowPassesIfItsPartitionMeetsTheFilter() throws Exception {
    int passed = 0;
    int held = 0;
    for (JsonNode vector : ConformanceVectors.load("partition_plans.json", "vectors")) {
      PartitionPlan plan = PlanDecoder.decode(Hex.decode(vector.get("plan").textValue()));
      List<byte[]> keys = new ArrayList<>();
      vector.get("keys").forEach(key -> keys.add(Hex.decode(key.textValue())));
      for (ScanRange scan : plan.scans()) {
        if (!scan.filter().isPresent()) {
          continue;
        }
        PartitionFilter wanted = scan.filter().get();
        Optional<Filter> filter = ServerFilter.of(wanted, plan.layout());
        String name = vector.get("name").textValue();
        assertThat(filter.isPresent()).as(name).isNotEqualTo(FOR_THE_CLIENT.contains(name));
        if (!filter.isPresent()) {
          continue;
        }
        BitSet met = wanted.matches(keys, TermEvaluator.NONE);
        for (int i = 0; i < keys.size(); i++) {
          assertThat(passes(filter.get(), row(plan.layout(), keys.get(i))))
              .as("%s: %s on %s", name, wanted, Hex.encode(keys.get(i)))
              .isEqualTo(met.get(i));
          passed += met.get(i) ? 1 : 0;
          held += met.get(i) ? 0 : 1;
        }
      }
    }
    assertThat(passed).isGreaterThan(20);
    assertThat(held).isGreaterThan(20);
  }

  private static List<Cell> row(KeyLayout layout, byte[] key) throws Exception {
    List<Cell> cells = new ArrayList<>();
    byte[] row = RowKeys.of("/lake/flights").keyed(1, key);
    cells.add(cell(row, RowKeys.PARTITIONS, new byte[] {'x'}, new byte[0]));
    for (int i = 0; i < layout.columns().size(); i++) {
      byte[] value = RowKeys.cell(layout.value(key, i));
      cells.add(cell(row, RowKeys.VALUES, RowKeys.column(i), value));
    }
    return cells;
  }

  private static Cell cell(byte[] row, byte[] family, byte[] qualifier, byte[] value) {
    return CellBuilderFactory.create(CellBuilderType.DEEP_COPY)
        .setRow(row)
        .setFamily(family)
        .setQualifier(qualifier)
        .setTimestamp(1)
        .setType(Cell.Type.Put)
        .setValue(value)
        .build();
  }

  /** As a region server asks a filter about a row. */
  private static boolean passes(Filter filter, List<Cell> cells) throws Exception {
    filter.reset();
    for (Cell cell : cells) {
      Filter.ReturnCode code = filter.filterCell(cell);
      if (code == Filter.ReturnCode.NEXT_ROW) {
        break;
      }
    }
    return !filter.filterRow();
  }
}
