// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.scan;

import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.index.BaseFile;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import org.apache.hudi.common.model.FileSlice;
import org.apache.hudi.common.model.HoodieBaseFile;
import org.apache.hudi.common.model.HoodieFileGroupId;
import org.apache.hudi.common.model.HoodieLogFile;
import org.apache.hudi.storage.StoragePath;
import org.apache.hudi.storage.StoragePathInfo;
import org.junit.jupiter.api.Test;

class IndexedSlicesTest {
  private static final String INSTANT = "20260101000000000";

  @Test
  void queriesTheBaseFileAndTheLogsOfEachSlice() {
    List<FileSlice> listing = Arrays.asList(slice("a", true, 2), slice("b", true, 0));
    assertThat(IndexedSlices.of(listing, true).files())
        .extracting(BaseFile::toString)
        .containsExactlyInAnyOrder(
            "p/a_0_20260101000000000.parquet (100 bytes)",
            "p/.a_20260101000000000.log.1_0-1-1 (11 bytes)",
            "p/.a_20260101000000000.log.2_0-1-1 (12 bytes)",
            "p/b_0_20260101000000000.parquet (100 bytes)");
  }

  @Test
  void skipsASliceOnlyIfAllItsFilesAreSkipped() {
    List<FileSlice> listing = Arrays.asList(slice("a", true, 2), slice("b", true, 0));
    IndexedSlices slices = IndexedSlices.of(listing, true);
    assertThat(slices.kept(new BitSet())).isEqualTo(new BitSet());
    for (int file = 0; file < slices.files().size(); file++) {
      BitSet one = new BitSet();
      one.set(file);
      int slice = slices.files().get(file).relativePath().contains("a_") ? 0 : 1;
      assertThat(slices.kept(one).stream().toArray())
          .as("only %s can match", slices.files().get(file))
          .containsExactly(slice);
    }
  }

  @Test
  void skipsASliceOfOnlyLogs() {
    IndexedSlices slices =
        IndexedSlices.of(Arrays.asList(slice("a", false, 1), slice("b", true, 0)), true);
    assertThat(slices.files()).hasSize(2);
    assertThat(slices.kept(new BitSet()).isEmpty()).isTrue();
  }

  @Test
  void keepsEverySliceWithLogsWhoseRecordsMayCombine() {
    IndexedSlices slices =
        IndexedSlices.of(Arrays.asList(slice("a", true, 1), slice("b", true, 0)), false);
    assertThat(slices.kept(new BitSet()).stream().toArray()).containsExactly(0);
  }

  @Test
  void keepsASliceWithoutStatistics() {
    FileSlice empty = new FileSlice(new HoodieFileGroupId("p", "a"), INSTANT);
    IndexedSlices slices = IndexedSlices.of(Arrays.asList(empty), true);
    assertThat(slices.kept(new BitSet()).stream().toArray()).containsExactly(0);
  }

  private static FileSlice slice(String fileId, boolean hasBaseFile, int logs) {
    FileSlice slice = new FileSlice(new HoodieFileGroupId("p", fileId), INSTANT);
    if (hasBaseFile) {
      slice.setBaseFile(
          new HoodieBaseFile(info("/t/p/" + fileId + "_0_" + INSTANT + ".parquet", 100)));
    }
    for (int i = 1; i <= logs; i++) {
      String name = "." + fileId + "_" + INSTANT + ".log." + i + "_0-1-1";
      slice.addLogFile(new HoodieLogFile(info("/t/p/" + name, 10 + i)));
    }
    return slice;
  }

  private static StoragePathInfo info(String path, long length) {
    return new StoragePathInfo(new StoragePath(path), length, false, (short) 0, 0, 0);
  }
}
