// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.compile.expression.ExpressionFormatException;
import io.hudiskip.compile.expression.HudiExpression;
import io.hudiskip.compile.wire.ExpressionDecoder;
import io.hudiskip.thrift.CompileError;
import io.hudiskip.thrift.CompileErrorCode;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.CompilerInfo;
import io.hudiskip.thrift.PredicateCompiler;
import java.util.Arrays;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TBase;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;

/** Encodes calls of the compiler as frames, and decodes and checks the answers. */
final class CompileProtocol {
  private static final int INITIAL_BYTES = 4096;
  private static final String COMPILE = "compile";
  private static final String DESCRIBE = "describe";

  /**
   * Constant: a connection carries one call at a time, and equal requests must have equal bytes.
   */
  private static final int SEQUENCE_ID = 1;

  private CompileProtocol() {}

  /** Equal requests have equal bytes. */
  static byte[] encode(CompileRequest request) {
    return encode(COMPILE, new PredicateCompiler.compile_args(request));
  }

  /** The call that asks the compiler what it is. */
  static byte[] encodeDescribe() {
    return encode(DESCRIBE, new PredicateCompiler.describe_args());
  }

  private static byte[] encode(String method, TBase<?, ?> arguments) {
    try {
      TMemoryBuffer buffer = new TMemoryBuffer(INITIAL_BYTES);
      TProtocol protocol = new TCompactProtocol(buffer);
      protocol.writeMessageBegin(new TMessage(method, TMessageType.CALL, SEQUENCE_ID));
      arguments.write(protocol);
      protocol.writeMessageEnd();
      return Arrays.copyOf(buffer.getArray(), buffer.length());
    } catch (TException e) {
      throw new IllegalStateException("cannot serialize a request", e);
    }
  }

  /**
   * Decodes and checks the answer to {@code request}.
   *
   * @throws CompilerUnavailableException REFUSED or TOO_LARGE if the compiler refuses the request,
   *     INVALID_ANSWER if the bytes are not an answer to it
   */
  static Compilation decode(byte[] answer, CompileRequest request)
      throws CompilerUnavailableException {
    PredicateCompiler.compile_result result = new PredicateCompiler.compile_result();
    decode(answer, COMPILE, result);
    if (result.isSetError()) {
      throw refused(result.getError());
    }
    if (!result.isSetSuccess()) {
      throw invalid("it is empty", null);
    }
    CompileResponse response = result.getSuccess();
    check(response, request);
    return new Compilation(response);
  }

  /**
   * Decodes the answer to {@link #encodeDescribe}.
   *
   * @throws CompilerUnavailableException INVALID_ANSWER if the bytes are not an answer to it
   */
  static CompilerInfo decodeDescribe(byte[] answer) throws CompilerUnavailableException {
    PredicateCompiler.describe_result result = new PredicateCompiler.describe_result();
    decode(answer, DESCRIBE, result);
    if (!result.isSetSuccess()) {
      throw invalid("it is empty", null);
    }
    return result.getSuccess();
  }

  private static void decode(byte[] answer, String method, TBase<?, ?> result)
      throws CompilerUnavailableException {
    try {
      TConfiguration limits =
          TConfiguration.custom().setMaxMessageSize(Math.max(1, answer.length)).build();
      TMemoryInputTransport transport = new TMemoryInputTransport(limits, answer);
      read(new TCompactProtocol(transport), method, result);
      if (transport.getBytesRemainingInBuffer() > 0) {
        throw invalid("bytes follow its end", null);
      }
    } catch (TException | RuntimeException e) {
      // Thrift's readers throw arbitrary exceptions on malformed bytes.
      throw invalid("it cannot be decoded", e);
    }
  }

  private static void read(TProtocol protocol, String method, TBase<?, ?> result)
      throws TException, CompilerUnavailableException {
    TMessage message = protocol.readMessageBegin();
    if (message.type == TMessageType.EXCEPTION) {
      TApplicationException e = TApplicationException.readFrom(protocol);
      throw invalid("the call failed in the compiler: " + e.getMessage(), e);
    }
    if (message.type != TMessageType.REPLY
        || message.seqid != SEQUENCE_ID
        || !method.equals(message.name)) {
      throw invalid("it does not belong to this call", null);
    }
    result.read(protocol);
    protocol.readMessageEnd();
  }

  private static void check(CompileResponse response, CompileRequest request)
      throws CompilerUnavailableException {
    if (!response.isSetExpression()) {
      throw invalid("it contains no expression", null);
    }
    HudiExpression expression;
    try {
      expression = ExpressionDecoder.decode(response.getExpression());
    } catch (ExpressionFormatException e) {
      throw invalid("its expression cannot be used: " + e.getMessage(), e);
    }
    if (!Arrays.equals(expression.fingerprint(), request.getFingerprint())) {
      throw invalid("its expression is for another filter", null);
    }
  }

  private static CompilerUnavailableException refused(CompileError error) {
    CompileErrorCode code = CompileErrorCode.findByValue(error.getCode());
    return new CompilerUnavailableException(
        code == CompileErrorCode.TOO_LARGE ? Reason.TOO_LARGE : Reason.REFUSED,
        "the predicate compiler refused the filter ("
            + (code == null ? "code " + error.getCode() : code.name())
            + "): "
            + error.getMessage(),
        error);
  }

  private static CompilerUnavailableException invalid(String why, Exception cause) {
    return new CompilerUnavailableException(
        Reason.INVALID_ANSWER,
        "cannot use the predicate compiler's answer: "
            + why
            + "; check that the handler and the compiler are of the same release",
        cause);
  }
}
