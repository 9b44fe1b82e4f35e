/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.expression.decoder;

import org.apache.thrift.TBase;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TList;
import org.apache.thrift.protocol.TMap;
import org.apache.thrift.protocol.TProtocolException;
import org.apache.thrift.protocol.TSet;
import org.apache.thrift.protocol.TStruct;
import org.apache.thrift.transport.TMemoryInputTransport;
import org.apache.thrift.transport.TTransportException;

/**
 * Thrift's compact protocol over a byte array, which neither allocates more than the array can fill
 * nor recurses deeper than our structs do.
 *
 * <p>libthrift 0.16 believes a container's announced size, and skips unknown fields by recursion
 * without a limit: a few hostile bytes would end in an OutOfMemoryError, a few thousand in a
 * StackOverflowError.
 */
public final class BoundedCompactProtocol extends TCompactProtocol {
  private static final long serialVersionUID = 1L;

  /**
   * HudiExpression, its node list, a node, its list of columns, a column: 5, and fewer in a plan;
   * the rest is for fields of newer writers.
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
   * Reads a message that takes all of some bytes.
   *
   * @throws TException when it does not, or the bytes are garbage
   */
  public static void read(byte[] bytes, TBase<?, ?> message) throws TException {
    try {
      BoundedCompactProtocol protocol = new BoundedCompactProtocol(bytes);
      message.read(protocol);
      int remaining = protocol.getTransport().getBytesRemainingInBuffer();
      if (remaining > 0) {
        throw new TProtocolException(
            TProtocolException.INVALID_DATA, remaining + " bytes follow the end of the message");
      }
    } catch (RuntimeException e) {
      // Thrift's readers throw whatever they run into when the bytes are garbage.
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

  @Override
  public TSet readSetBegin() throws TException {
    descend();
    return super.readSetBegin();
  }

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
