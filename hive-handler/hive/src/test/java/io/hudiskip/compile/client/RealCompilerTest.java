// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static io.hudiskip.compile.client.Settings.command;
import static io.hudiskip.compile.client.Settings.configuration;
import static io.hudiskip.compile.client.Settings.settings;
import static io.hudiskip.compile.request.TestCalls.compile;
import static io.hudiskip.compile.request.TestCalls.equalTo;
import static io.hudiskip.compile.request.TestCalls.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.FilterNode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The Python compiler itself, as {@code hudiskip.command} starts it. */
@Timeout(120)
class RealCompilerTest {
  private static SkippingConf conf() {
    return settings(
        SkippingConf.COMPILER_COMMAND, command(), SkippingConf.COMPILER_TIMEOUT_MS, "30000");
  }

  @Test
  void aCompilerOnAFreePortWorksLikeOneOnASocket() throws Exception {
    try (CompilerProcess onPort =
            CompilerProcess.start(conf(), 60_000, ProcessDirectory.withoutSocket());
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
      failure(client, deep, Reason.TOO_LARGE);
      compile(client, equalTo(1));
    }
  }

  @Test
  void equalSettingsShareAClientInTheWholeJvm() {
    String[] pairs = {SkippingConf.COMPILER_COMMAND, command()};
    PredicateCompilerClient one = SharedClients.get(configuration(pairs));
    assertThat(SharedClients.get(configuration(pairs))).isSameAs(one);
    assertThat(
            SharedClients.get(
                configuration(
                    SkippingConf.COMPILER_COMMAND,
                    command(),
                    SkippingConf.COMPILER_TIMEOUT_MS,
                    "1234")))
        .isNotSameAs(one);
  }
}
