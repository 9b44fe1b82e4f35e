/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.compiler.CompilerUnavailableException.Reason;
import io.hudiskip.expression.ExpressionFormatException;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.decoder.ExpressionDecoder;
import io.hudiskip.thrift.CompileError;
import io.hudiskip.thrift.CompileErrorCode;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.PredicateCompiler;
import java.util.Arrays;
import org.apache.thrift.TApplicationException;
import org.apache.thrift.TConfiguration;
import org.apache.thrift.TException;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.protocol.TMessage;
import org.apache.thrift.protocol.TMessageType;
import org.apache.thrift.protocol.TProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;

/**
 * The {@code compile} call as the bytes of a frame, and the answer with everything checked that can
 * be.
 */
final class CompileProtocol {
  private static final int INITIAL_BYTES = 4096;
  private static final String METHOD = "compile";

  /** There is one call at a time on a connection, and equal requests are to have equal bytes. */
  private static final int SEQUENCE_ID = 1;

  private CompileProtocol() {}

  /** The call; equal requests have equal bytes. */
  static byte[] encode(CompileRequest request) {
    try {
      TMemoryBuffer buffer = new TMemoryBuffer(INITIAL_BYTES);
      TProtocol protocol = new TCompactProtocol(buffer);
      protocol.writeMessageBegin(new TMessage(METHOD, TMessageType.CALL, SEQUENCE_ID));
      new PredicateCompiler.compile_args(request).write(protocol);
      protocol.writeMessageEnd();
      return Arrays.copyOf(buffer.getArray(), buffer.length());
    } catch (TException e) {
      throw new IllegalStateException("a request in memory cannot be written", e);
    }
  }

  /**
   * The answer to {@code request}.
   *
   * @throws CompilerUnavailableException REFUSED or TOO_LARGE if the compiler says so,
   *     INVALID_ANSWER if the bytes are not an answer to this request
   */
  static CompileResponse decode(byte[] answer, CompileRequest request)
      throws CompilerUnavailableException {
    CompileResponse response;
    try {
      TConfiguration limits =
          TConfiguration.custom().setMaxMessageSize(Math.max(1, answer.length)).build();
      TMemoryInputTransport transport = new TMemoryInputTransport(limits, answer);
      response = read(new TCompactProtocol(transport));
      if (transport.getBytesRemainingInBuffer() > 0) {
        throw invalid("there are bytes behind it", null);
      }
    } catch (TException | RuntimeException e) {
      // Thrift's readers throw whatever they run into when the bytes are garbage.
      throw invalid("it cannot be decoded", e);
    }
    check(response, request);
    return response;
  }

  private static CompileResponse read(TProtocol protocol)
      throws TException, CompilerUnavailableException {
    TMessage message = protocol.readMessageBegin();
    if (message.type == TMessageType.EXCEPTION) {
      TApplicationException e = TApplicationException.readFrom(protocol);
      throw invalid("the call failed there: " + e.getMessage(), e);
    }
    if (message.type != TMessageType.REPLY
        || message.seqid != SEQUENCE_ID
        || !METHOD.equals(message.name)) {
      throw invalid("it belongs to no call of ours", null);
    }
    PredicateCompiler.compile_result result = new PredicateCompiler.compile_result();
    result.read(protocol);
    protocol.readMessageEnd();
    if (result.isSetError()) {
      throw refused(result.getError());
    }
    if (!result.isSetSuccess()) {
      throw invalid("it is empty", null);
    }
    return result.getSuccess();
  }

  private static void check(CompileResponse response, CompileRequest request)
      throws CompilerUnavailableException {
    if (!response.isSetExpression()) {
      throw invalid("it holds no expression", null);
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
        "the answer of the predicate compiler cannot be used: "
            + why
            + "; are the handler and the compiler of the same release?",
        cause);
  }
}
