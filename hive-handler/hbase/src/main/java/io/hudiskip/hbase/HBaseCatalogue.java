// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.catalogue.CatalogueUnavailableException;
import io.hudiskip.catalogue.FoundPartitions;
import io.hudiskip.catalogue.PartitionCatalogue;
import io.hudiskip.expression.TermEvaluator;
import io.hudiskip.plan.PartitionPlan;
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
    return Lookup.find(conf, root, plan, terms);
  }
}
