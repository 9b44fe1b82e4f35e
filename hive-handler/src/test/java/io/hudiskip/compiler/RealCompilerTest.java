/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import static io.hudiskip.compiler.Requests.configuration;
import static io.hudiskip.compiler.Requests.equalTo;
import static io.hudiskip.compiler.Requests.settings;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hudiskip.SkippingConf;
import io.hudiskip.compiler.CompilerUnavailableException.Reason;
import io.hudiskip.expression.HudiExpression;
import io.hudiskip.expression.decoder.ExpressionDecoder;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import io.hudiskip.thrift.FilterNode;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Python compiler itself, as {@code hudiskip.command} starts it. */
@Timeout(120)
class RealCompilerTest {
  private static String command;

  @BeforeAll
  static void findCommand() {
    command = System.getProperty("hudiskip.command", "");
    assertThat(command)
        .as("system property hudiskip.command, the command hudi-skip; 'make test' sets it")
        .isNotBlank();
  }

  private static SkippingConf conf(String... more) {
    String[] pairs = new String[more.length + 4];
    System.arraycopy(more, 0, pairs, 0, more.length);
    pairs[more.length] = SkippingConf.COMPILER_COMMAND;
    pairs[more.length + 1] = command;
    pairs[more.length + 2] = SkippingConf.COMPILER_START_TIMEOUT_MS;
    pairs[more.length + 3] = "60000";
    return settings(pairs);
  }

  @Test
  void aFilterBecomesAnExpressionForTheSameFilter() throws Exception {
    try (PredicateCompilerClient client = PredicateCompilerClient.create(conf())) {
      CompileResponse response = client.compile(equalTo(5));
      HudiExpression expression = ExpressionDecoder.decode(response.getExpression());
      assertThat(expression.columns()).containsExactly("i");
      assertThat(expression.fingerprint()).isEqualTo(equalTo(5).getFingerprint());
      assertThat(expression.toString()).contains("i").contains("5");
    }
  }

  @Test
  void aCompilerOnAFreePortIsAsGoodAsOneOnASocket() throws Exception {
    try (CompilerProcess onPort = CompilerProcess.start(conf(), SocketDirectory.loopback());
        PredicateCompilerClient client =
            PredicateCompilerClient.create(
                settings(SkippingConf.COMPILER_ADDRESS, onPort.address().toString()))) {
      assertThat(onPort.address().toString()).startsWith("127.0.0.1:");
      assertThat(client.compile(equalTo(5)).isSetExpression()).isTrue();
    }
  }

  @Test
  void aCompilerThatWasKilledIsStartedAgain() throws Exception {
    SkippingConf conf = conf();
    ChildEndpoint endpoint = new ChildEndpoint(conf, System::nanoTime);
    try (PredicateCompilerClient client = PredicateCompilerClient.create(conf, endpoint)) {
      client.compile(equalTo(1));
      endpoint.running().kill();
      endpoint.running().awaitEnd();
      client.compile(equalTo(2));
      assertThat(endpoint.running().isAlive()).isTrue();
    }
    assertThat(endpoint.running().isAlive()).as("closing the client ends its compiler").isFalse();
  }

  @Test
  void aFilterAboveTheCompilersLimitsIsRefusedWithItsReason() throws Exception {
    CompileRequest deep = equalTo(1);
    List<FilterNode> nodes = new ArrayList<>(deep.getFilter().getNodes());
    for (int i = 0; i < 5_000; i++) {
      nodes.add(nodes.get(2).deepCopy().setName("not").setArity(1));
    }
    deep.getFilter().setNodes(nodes);
    try (PredicateCompilerClient client = PredicateCompilerClient.create(conf())) {
      CompilerUnavailableException failure =
          catchThrowableOfType(CompilerUnavailableException.class, () -> client.compile(deep));
      assertThat(failure.reason()).isEqualTo(Reason.TOO_LARGE);
      client.compile(equalTo(1));
    }
  }

  @Test
  void concurrentQueriesShareOneCompiler() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (PredicateCompilerClient client =
        PredicateCompilerClient.create(conf(SkippingConf.COMPILER_TIMEOUT_MS, "30000"))) {
      List<Callable<Void>> queries = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        CompileRequest request = equalTo(i);
        queries.add(
            () -> {
              HudiExpression expression =
                  ExpressionDecoder.decode(client.compile(request).getExpression());
              assertThat(expression.fingerprint()).isEqualTo(request.getFingerprint());
              return null;
            });
      }
      for (Future<Void> query : threads.invokeAll(queries)) {
        query.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void equalSettingsShareAClientInTheWholeJvm() {
    String[] pairs = {SkippingConf.COMPILER_COMMAND, command};
    PredicateCompilerClient one = SharedClients.get(configuration(pairs));
    assertThat(SharedClients.get(configuration(pairs))).isSameAs(one);
    assertThat(
            SharedClients.get(
                configuration(
                    SkippingConf.COMPILER_COMMAND,
                    command,
                    SkippingConf.COMPILER_TIMEOUT_MS,
                    "1234")))
        .isNotSameAs(one);
  }
}
