// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.wire;

import org.apache.thrift.TBase;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TProtocolUtil;
import org.apache.thrift.protocol.TType;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Reads Thrift's compact protocol with bounded memory and recursion.
 *
 * <p>libthrift 0.16 trusts a container's announced size and skips unknown fields with unlimited
 * recursion: a few hostile bytes cause an OutOfMemoryError, a few thousand a StackOverflowError.
 */
final class BoundedCompactProtocol {
  /**
   * HudiExpression, its node list, a node, its column list, a column and its name need 6; plans
   * need fewer. The rest is room for fields of newer writers.
   */
  private static final int MAX_DEPTH = 17;

  private BoundedCompactProtocol() {}

  /**
   * Reads a message that must fill all of {@code bytes}.
   *
   * @throws TException when it does not, or the bytes are malformed
   */
  static void read(byte[] bytes, TBase<?, ?> message) throws TException {
    try {
      TProtocol checked = protocol(bytes);
      skip(checked);
      int remaining = checked.getTransport().getBytesRemainingInBuffer();
      if (remaining > 0) {
        throw new TProtocolException(
            TProtocolException.INVALID_DATA, remaining + " bytes follow the end of the message");
      }
      message.read(protocol(bytes));
    } catch (RuntimeException e) {
      // Thrift's readers throw arbitrary exceptions on malformed bytes.
      throw new TProtocolException(TProtocolException.INVALID_DATA, "the bytes are damaged", e);
    }
  }

  private static void skip(TProtocol message) throws TException {
    try {
      TProtocolUtil.skip(message, TType.STRUCT, MAX_DEPTH);
    } catch (TException e) {
      throw new TProtocolException(
          "damaged, or nested more than " + MAX_DEPTH + " deep: " + e.getMessage(), e);
    }
  }

  private static TProtocol protocol(byte[] bytes) throws TTransportException {
    // Every string byte and every container element takes at least one byte of the message.
    return new TCompactProtocol(
        new TMemoryInputTransport(new TConfiguration(bytes.length, bytes.length, MAX_DEPTH), bytes),
        bytes.length,
        bytes.length);
  }
}
