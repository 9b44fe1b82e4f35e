// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.PartitionPlan;
import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.table.catalogue.CatalogueUnavailableException;
import io.hudiskip.table.catalogue.FoundPartitions;
import io.hudiskip.table.catalogue.PartitionCatalogue;
import java.io.IOException;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/** The partition catalogue {@code hbase}: rows of an HBase table, sorted by partition values. */
public final class HBaseCatalogue implements PartitionCatalogue {
  @Override
  public String name() {
    return "hbase";
  }

  @Override
  public Set<String> settings() {
    return HBaseSettings.NAMES;
  }

  @Override
  public FoundPartitions find(
      Configuration conf, Path root, PartitionPlan plan, TermEvaluator terms)
      throws CatalogueUnavailableException {
    HBaseSettings settings = HBaseSettings.of(conf);
    if (plan.isWholeTable()) {
      throw new CatalogueUnavailableException("the plan selects all partitions");
    }
    Outages.checkAvailable(settings.quorum);
    try {
      return new Lookup(conf, settings, root, plan).find(terms);
    } catch (IOException | PlanFormatException | RuntimeException e) {
      throw new CatalogueUnavailableException(e.toString(), e);
    }
  }
}
