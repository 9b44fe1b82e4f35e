// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.source;

import io.hudiskip.compile.plan.PlanFormatException;
import io.hudiskip.index.LiveTotals;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.TableTotals;
import io.hudiskip.table.UnreadableTableException;
import io.hudiskip.table.catalogue.CatalogueUnavailableException;
import io.hudiskip.table.catalogue.FoundPartitions;
import io.hudiskip.table.catalogue.PartitionCatalogue;
import io.hudiskip.table.catalogue.PartitionCatalogues;
import io.hudiskip.table.listing.ListedPartitions;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieTableType;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The files of partitions that a catalogue selects for a scan's plan, in the latest state of a
 * copy-on-write table.
 *
 * <p>No row is lost. Either a commit after the catalogue's generation changed the partition of a
 * matching row; it names the partition, which is then listed. Or the partition's files are
 * unchanged, and the catalogue has it: with values shared by all its rows, so the plan keeps it, or
 * without a key, so every plan keeps it.
 */
final class CatalogueCandidates {
  private static final Logger LOG = LoggerFactory.getLogger(CatalogueCandidates.class);

  private CatalogueCandidates() {}

  static Candidates of(String name, FileRequest request)
      throws SourceUnavailableException, KeepAllFilesException, IOException {
    try {
      PartitionCatalogue catalogue = PartitionCatalogues.named(name);
      // Asked before the table is opened, so the table knows every commit that the catalogue does.
      FoundPartitions found =
          catalogue.find(request.job(), request.root(), request.plan(), request.terms());
      openIndex(request);
      return candidates(name, FileSources.latest(request), request.partitions(), found);
    } catch (CatalogueUnavailableException | PlanFormatException | UnreadableTableException e) {
      throw new SourceUnavailableException(e.getMessage(), e);
    } catch (LinkageError e) {
      throw new SourceUnavailableException(
          name + "'s client is not on the class path, or is of another version: " + e, e);
    }
  }

  /** Opens the index if there is one: if it is asked next, it must not be newer than the table. */
  private static void openIndex(FileRequest request) {
    try {
      request.index();
    } catch (KeepAllFilesException | RuntimeException | LinkageError e) {
      LOG.debug("The index of {} cannot be used", request.root(), e);
    }
  }

  private static Candidates candidates(
      String name, HudiTable table, ListedPartitions listed, FoundPartitions found)
      throws SourceUnavailableException, UnreadableTableException, IOException {
    if (table.metaClient().getTableType() != HoodieTableType.COPY_ON_WRITE) {
      // The catalogue has values of base files; logs may have others.
      throw new SourceUnavailableException("the table is merge-on-read");
    }
    table.columns(); // refuses what a listing would refuse
    Set<String> partitions =
        new TreeSet<>(
            listed.keeps(
                TimelineChanges.partitionsSince(table.metaClient(), found.generation().seen())));
    partitions.addAll(found.paths());
    List<FileSlice> slices =
        partitions.isEmpty() ? Collections.emptyList() : table.latestSlices(partitions);
    LiveTotals live = found.generation().live();
    return new Candidates(slices, TableTotals.of(live.files(), live.bytes()), name);
  }
}
