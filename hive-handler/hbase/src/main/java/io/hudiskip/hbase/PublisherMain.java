// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hbase;

import io.hudiskip.table.catalogue.CatalogueGeneration;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.Connection;
import org.apache.hadoop.hbase.client.ConnectionFactory;

/**
 * Publishes the partitions on its standard input; {@code hudi-skip} starts it as {@code
 * PublisherMain QUORUM HBASE_TABLE ROOT}. Prints the publication's number.
 *
 * <p>The input is the generation's document, then per partition a byte 1 with key, path and
 * description, or a byte 2 with path and description, and finally a byte 0, without which nothing
 * is published. Document and fields are length-prefixed bytes.
 */
public final class PublisherMain {
  private static final int END = 0;
  private static final int KEYED = 1;
  private static final int UNKEYED = 2;
  private static final int MAX_FIELD_BYTES = 1 << 26;
  private static final int ATTEMPTS = 7;
  private static final int CONNECT_SECONDS = 20;

  /** Exit code when another publication came first. */
  private static final int OVERTAKEN = 3;

  private PublisherMain() {}

  public static void main(String[] arguments) {
    int code;
    try {
      code = publish(arguments[0], TableName.valueOf(arguments[1]), RowKeys.of(arguments[2]));
    } catch (Exception e) {
      System.err.println("error: " + e);
      code = 1;
    }
    System.exit(code); // the client's threads may be slow to end
  }

  /** Returns the exit code. */
  private static int publish(String quorum, TableName table, RowKeys keys) throws Exception {
    Configuration settings = Connections.settings(quorum);
    settings.setInt(HConstants.HBASE_CLIENT_RETRIES_NUMBER, ATTEMPTS);
    // The client itself would retry for many minutes.
    Connections.to(quorum).get(CONNECT_SECONDS, TimeUnit.SECONDS);
    DataInputStream input = new DataInputStream(new BufferedInputStream(System.in, 1 << 16));
    byte[] document = bytes(input);
    CatalogueGeneration generation = CatalogueGeneration.parse(document);
    try (Connection connection = ConnectionFactory.createConnection(settings);
        Publication publication = new Publication(connection, table, keys, generation.layout())) {
      for (int kind = input.readByte(); kind != END; kind = input.readByte()) {
        if (kind == KEYED) {
          publication.add(bytes(input), bytes(input), bytes(input));
        } else if (kind == UNKEYED) {
          publication.add(bytes(input), bytes(input));
        } else {
          throw new IOException("unknown partition kind " + kind + " in the input");
        }
      }
      System.out.println(publication.number());
      return publication.publish(document) ? 0 : OVERTAKEN;
    }
  }

  private static byte[] bytes(DataInputStream input) throws IOException {
    int length = input.readInt();
    if (length < 0 || length > MAX_FIELD_BYTES) {
      throw new EOFException("invalid length in the input: " + length);
    }
    byte[] bytes = new byte[length];
    input.readFully(bytes);
    return bytes;
  }
}
