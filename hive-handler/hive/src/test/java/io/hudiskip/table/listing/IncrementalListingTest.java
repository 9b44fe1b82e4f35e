// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.table.listing;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.hive.HudiTestTable;
import io.hudiskip.scan.CountingFileSystem;
import io.hudiskip.table.HudiTable;
import io.hudiskip.table.state.QueriedState;
import java.nio.file.Path;
import java.util.Optional;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hudi.common.fs.FSUtils;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IncrementalListingTest {
  private static final String CONSUME = "hoodie.flights.consume.";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(ints = {2, 20})
  void listsNoDirectoryHoweverManyPartitionsThereAre(int partitions) throws Exception {
    HudiTestTable table =
        HudiTestTable.create(
            directory,
            HudiTestTable.SCHEMA,
            builder -> builder.setPartitionFields("city").setPopulateMetaFields(true));
    String last = "";
    for (int partition = 0; partition < partitions; partition++) {
      last = table.insert("city-" + partition, partition);
    }
    String written = table.insert("city-1", 1000);
    JobConf job = new JobConf(false);
    CountingFileSystem.install(job);
    job.set(CONSUME + "mode", "INCREMENTAL");
    job.set(CONSUME + "start.timestamp", FSUtils.getCommitTime(last));
    job.set(CONSUME + "max.commits", "-1");
    HudiTable opened = HudiTable.open(job, table.location());
    int before = listings(partitions);
    assertThat(QueriedState.of(job, opened, Optional.empty()).slices(opened, ListedPartitions.ALL))
        .extracting(slice -> slice.getBaseFile().get().getFileName())
        .containsExactly(written);
    assertThat(listings(partitions) - before).as("listings of the table's directories").isZero();
  }

  /** How often the root and the partitions have been listed. */
  private int listings(int partitions) {
    int listings = CountingFileSystem.listings(folder(""));
    for (int partition = 0; partition < partitions; partition++) {
      listings += CountingFileSystem.listings(folder("city-" + partition));
    }
    return listings;
  }

  private org.apache.hadoop.fs.Path folder(String partition) {
    return new org.apache.hadoop.fs.Path(directory.resolve(partition).toUri());
  }
}
