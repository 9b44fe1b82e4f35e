// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.scan.evolution;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hive.ql.io.parquet.read.DataWritableReadSupport;
import org.apache.parquet.hadoop.api.InitContext;

/** Hive's rows of a file whose timestamps are read in the table's {@link TimestampUnits}. */
public final class RepairedReadSupport extends DataWritableReadSupport {
  @Override
  public ReadContext init(InitContext file) {
    Configuration reader = file.getConfiguration();
    return super.init(
        new InitContext(
            reader,
            file.getKeyValueMetadata(),
            TimestampUnits.in(reader).repaired(file.getFileSchema())));
  }
}
