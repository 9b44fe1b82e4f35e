/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.hive.scan;

import io.hudiskip.hive.table.TableRoot;
import io.hudiskip.index.BaseFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hudi.common.fs.FSUtils;
import org.apache.hudi.hadoop.FileStatusWithBootstrapBaseFile;
import org.apache.hudi.hadoop.LocatedFileStatusWithBootstrapBaseFile;
import org.apache.hudi.hadoop.RealtimeFileStatus;
import org.apache.hudi.hadoop.fs.HadoopFSUtils;

/** The files of a listing of which the statistics index may know something. */
final class IndexedListing {
  private final int size;
  private final List<BaseFile> files = new ArrayList<>();
  private final List<Integer> positions = new ArrayList<>();

  private IndexedListing(int size) {
    this.size = size;
  }

  static IndexedListing of(Path root, List<FileStatus> listing) {
    IndexedListing indexed = new IndexedListing(listing.size());
    for (int i = 0; i < listing.size(); i++) {
      FileStatus status = listing.get(i);
      String relative = TableRoot.relativePath(root, status.getPath());
      if (relative != null && isPlainBaseFile(status)) {
        indexed.files.add(new BaseFile(relative, status.getLen()));
        indexed.positions.add(i);
      }
    }
    return indexed;
  }

  /** These files, in the order of the listing. */
  List<BaseFile> files() {
    return Collections.unmodifiableList(files);
  }

  /**
   * Which files of the listing are kept.
   *
   * @param candidates those of {@link #files} that are; all others are, because the statistics of a
   *     base file say nothing of rows that come from elsewhere
   */
  BitSet kept(BitSet candidates) {
    BitSet kept = new BitSet(size);
    kept.set(0, size);
    for (int i = 0; i < files.size(); i++) {
      kept.set(positions.get(i), candidates.get(i));
    }
    return kept;
  }

  private static boolean isPlainBaseFile(FileStatus status) {
    return FSUtils.isBaseFile(HadoopFSUtils.convertToStoragePath(status.getPath()))
        && !(status instanceof RealtimeFileStatus)
        && !(status instanceof FileStatusWithBootstrapBaseFile)
        && !(status instanceof LocatedFileStatusWithBootstrapBaseFile);
  }
}
