// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.catalogue.CatalogueUnavailableException;
import io.hudiskip.catalogue.FoundPartitions;
import io.hudiskip.catalogue.PartitionCatalogue;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.plan.PartitionPlan;
import io.hudiskip.plan.PlanFormatException;
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
