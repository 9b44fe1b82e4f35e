// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.catalogue;

import io.hudiskip.compile.expression.TermEvaluator;
import io.hudiskip.compile.plan.PartitionPlan;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;

/**
 * An external store of a table's partitions and their column values. {@link
 * java.util.ServiceLoader} finds implementations in jars beside the handler's bundle. Threads share
 * one instance.
 */
public interface PartitionCatalogue {
  /** The lower-case value of {@code hudi.skipping.catalogue} that selects it. */
  String name();

  /**
   * Names of its settings, below {@code hudi.skipping.catalogue.NAME.}. Jobs receive these and no
   * others, from the session or the server, never from a table; blank where they are not set. Not
   * for secrets: EXPLAIN EXTENDED prints them.
   */
  Set<String> settings();

  /**
   * The partitions of the last publication that a plan selects.
   *
   * @param conf configuration of the job, of which only the {@link #settings} can be trusted: the
   *     rest may come from a table
   * @param root the table's root directory
   * @param terms evaluates terms of the filter that was planned
   * @throws CatalogueUnavailableException when the catalogue does not answer in time
   */
  FoundPartitions find(Configuration conf, Path root, PartitionPlan plan, TermEvaluator terms)
      throws CatalogueUnavailableException;
}
