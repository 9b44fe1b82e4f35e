// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.wire;

import org.apache.thrift.TBase;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Thrift's compact protocol over a byte array with bounded memory and recursion.
 *
 * <p>libthrift 0.16 trusts a container's announced size and skips unknown fields with unlimited
 * recursion: a few hostile bytes cause an OutOfMemoryError, a few thousand a StackOverflowError.
 */
final class BoundedCompactProtocol extends TCompactProtocol {
  private static final long serialVersionUID = 1L;

  /**
   * HudiExpression, its node list, a node, its column list and a column need 5; plans need fewer.
   * The rest is room for fields of newer writers.
   */
  private static final int MAX_DEPTH = 16;

  private int depth;

  private BoundedCompactProtocol(byte[] bytes) throws TTransportException {
    // Every string byte and every container element takes at least one byte of the message.
    super(
        new TMemoryInputTransport(new TConfiguration(bytes.length, bytes.length, MAX_DEPTH), bytes),
        bytes.length,
        bytes.length);
  }

  /**
   * Reads a message that must fill all of {@code bytes}.
   *
   * @throws TException when it does not, or the bytes are malformed
   */
  static void read(byte[] bytes, TBase<?, ?> message) throws TException {
    try {
      BoundedCompactProtocol protocol = new BoundedCompactProtocol(bytes);
      message.read(protocol);
      int remaining = protocol.getTransport().getBytesRemainingInBuffer();
      if (remaining > 0) {
        throw new TProtocolException(
            TProtocolException.INVALID_DATA, remaining + " bytes follow the end of the message");
      }
    } catch (RuntimeException e) {
      // Thrift's readers throw arbitrary exceptions on malformed bytes.
      throw new TProtocolException(TProtocolException.INVALID_DATA, "the bytes are damaged", e);
    }
  }

  private void descend() throws TProtocolException {
    depth++;
    if (depth > MAX_DEPTH) {
      throw new TProtocolException(
          TProtocolException.DEPTH_LIMIT, "nested more than " + MAX_DEPTH + " deep");
    }
  }

  @Override
  public TStruct readStructBegin() throws TException {
    descend();
    return super.readStructBegin();
  }

  @Override
  public void readStructEnd() throws TException {
    super.readStructEnd();
    depth--;
  }

  @Override
  public TList readListBegin() throws TException {
    descend();
    return super.readListBegin();
  }

  @Override
  public void readListEnd() throws TException {
    super.readListEnd();
    depth--;
  }

  /** The compact protocol begins a set as a list. */
  @Override
  public void readSetEnd() throws TException {
    super.readSetEnd();
    depth--;
  }

  @Override
  public TMap readMapBegin() throws TException {
    descend();
    return super.readMapBegin();
  }

  @Override
  public void readMapEnd() throws TException {
    super.readMapEnd();
    depth--;
  }
}
