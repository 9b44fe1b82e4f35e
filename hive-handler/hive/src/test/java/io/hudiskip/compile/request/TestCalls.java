// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hudiskip.compile.client.CompilerUnavailableException;
import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.compile.client.PredicateCompilerClient;
import io.hudiskip.hive.HiveJobs;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.CompilerInfo;
import io.hudiskip.thrift.ExpressionNode;
import io.hudiskip.thrift.ExpressionOperator;
import io.hudiskip.thrift.HudiExpression;
import io.hudiskip.thrift.PredicateCompiler;
import java.util.Arrays;
import java.util.Collections;
import org.apache.hadoop.conf.Configuration;
import org.apache.thrift.TException;
import org.apache.thrift.TSerializer;
import org.apache.thrift.protocol.TCompactProtocol;
import org.apache.thrift.transport.TMemoryBuffer;
import org.apache.thrift.transport.TMemoryInputTransport;

/** Requests to the compiler, and a service's answers to them. */
public final class TestCalls {
  private TestCalls() {}

  /** A request to compile {@code id = value}. */
  public static CompileRequest equalTo(long value) {
    Configuration scan = new Configuration(false);
    scan.set("columns", "id");
    scan.set("columns.types", "bigint");
    return CompileCalls.request(scan, TypedFilter.of(HiveJobs.idEquals(value)));
  }

  /** The expression that a request is answered with. */
  public static byte[] compile(PredicateCompilerClient client, CompileRequest request)
      throws CompilerUnavailableException {
    return CompileCalls.call(client, request).expression();
  }

  /** The failure of a request, for one of these reasons. */
  public static CompilerUnavailableException failure(
      PredicateCompilerClient client, CompileRequest request, Reason... reasons) {
    CompilerUnavailableException failure =
        catchThrowableOfType(CompilerUnavailableException.class, () -> compile(client, request));
    assertThat(failure).as("the call must fail").isNotNull();
    assertThat(failure.getMessage()).as("one line for people").isNotBlank().doesNotContain("\n");
    assertThat(failure.reason()).isIn((Object[]) reasons);
    return failure;
  }

  /** An answer as {@link io.hudiskip.scan} gets it. */
  public static Compilation compilation(CompileResponse response) {
    return new Compilation(response);
  }

  /** An answer whose expression keeps every file. */
  public static CompileResponse keepAll(CompileRequest request) throws TException {
    return keepAll(request.getFingerprint());
  }

  /** As {@link #keepAll(CompileRequest)}, for a filter with this fingerprint. */
  public static CompileResponse keepAll(byte[] fingerprint) throws TException {
    HudiExpression expression =
        new HudiExpression()
            .setFormatVersion(1)
            .setMinReaderVersion(1)
            .setFingerprint(fingerprint)
            .setNodes(
                Collections.singletonList(
                    new ExpressionNode()
                        .setOperator(ExpressionOperator.UNKNOWN.getValue())
                        .setArity(0)
                        .setReason("a test")));
    return new CompileResponse()
        .setExpression(new TSerializer(new TCompactProtocol.Factory()).serialize(expression));
  }

  /** The service's logic. */
  public interface Compile {
    CompileResponse compile(CompileRequest request) throws TException;
  }

  /** The bytes of an answer to a call. */
  public static byte[] answer(byte[] call, Compile logic) throws TException {
    TMemoryBuffer out = new TMemoryBuffer(1024);
    new PredicateCompiler.Processor<>(
            new PredicateCompiler.Iface() {
              @Override
              public CompileResponse compile(CompileRequest request) throws TException {
                return logic.compile(request);
              }

              @Override
              public CompilerInfo describe() {
                return new CompilerInfo();
              }
            })
        .process(new TCompactProtocol(new TMemoryInputTransport(call)), new TCompactProtocol(out));
    return Arrays.copyOf(out.getArray(), out.length());
  }
}
