// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.compiler;

import static io.hudiskip.hive.compiler.Settings.configuration;
import static io.hudiskip.hive.compiler.Settings.settings;
import static io.hudiskip.hive.wire.TestCalls.compile;
import static io.hudiskip.hive.wire.TestCalls.equalTo;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.hudiskip.expression.HudiExpression;
import io.hudiskip.hive.compiler.CompilerUnavailableException.Reason;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.FilterNode;
import io.hudiskip.wire.ExpressionDecoder;
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

  private static SkippingConf conf() {
    return settings(
        SkippingConf.COMPILER_COMMAND, command, SkippingConf.COMPILER_TIMEOUT_MS, "30000");
  }

  @Test
  void aFilterBecomesAnExpressionForTheSameFilter() throws Exception {
    try (PredicateCompilerClient client = new PredicateCompilerClient(conf())) {
      HudiExpression expression = ExpressionDecoder.decode(compile(client, equalTo(5)));
      assertThat(expression.columns()).containsExactly("id");
      assertThat(expression.fingerprint()).isEqualTo(equalTo(5).getFingerprint());
      assertThat(expression).hasToString("id = 5");
    }
  }

  @Test
  void aCompilerOnAFreePortWorksLikeOneOnASocket() throws Exception {
    try (CompilerProcess onPort =
            CompilerProcess.start(conf(), 60_000, SocketDirectory.loopback());
        PredicateCompilerClient client =
            new PredicateCompilerClient(
                settings(SkippingConf.COMPILER_ADDRESS, onPort.address().toString()))) {
      assertThat(onPort.address().toString()).startsWith("127.0.0.1:");
      assertThat(compile(client, equalTo(5))).isNotEmpty();
    }
  }

  @Test
  void aCompilerThatWasKilledIsStartedAgain() throws Exception {
    SkippingConf conf = conf();
    ChildEndpoint endpoint = new ChildEndpoint(conf);
    try (PredicateCompilerClient client = new PredicateCompilerClient(conf, endpoint)) {
      compile(client, equalTo(1));
      endpoint.running().kill();
      compile(client, equalTo(2));
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
    try (PredicateCompilerClient client = new PredicateCompilerClient(conf())) {
      CompilerUnavailableException failure =
          catchThrowableOfType(CompilerUnavailableException.class, () -> compile(client, deep));
      assertThat(failure.reason()).isEqualTo(Reason.TOO_LARGE);
      compile(client, equalTo(1));
    }
  }

  @Test
  void concurrentQueriesShareOneCompiler() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(8);
    try (PredicateCompilerClient client = new PredicateCompilerClient(conf())) {
      List<Callable<Void>> queries = new ArrayList<>();
      for (int i = 0; i < 200; i++) {
        CompileRequest request = equalTo(i);
        queries.add(
            () -> {
              HudiExpression expression = ExpressionDecoder.decode(compile(client, request));
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
