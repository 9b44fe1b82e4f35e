// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import static io.hudiskip.compile.client.Settings.settings;
import static io.hudiskip.compile.request.TestCalls.compile;
import static io.hudiskip.compile.request.TestCalls.equalTo;
import static io.hudiskip.compile.request.TestCalls.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.compile.request.TestCalls;
import io.hudiskip.hive.settings.SkippingConf;
import io.hudiskip.thrift.CompileError;
import io.hudiskip.thrift.CompileErrorCode;
import io.hudiskip.thrift.CompileRequest;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.assertj.core.api.ThrowingConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever is at the address, a call ends at its deadline and says what was wrong. */
@Timeout(60)
class FaultyServiceTest {
  private static final int TIMEOUT_MILLIS = 400;

  private static PredicateCompilerClient client(String address) {
    return client(address, TIMEOUT_MILLIS);
  }

  private static PredicateCompilerClient client(String address, int timeoutMillis) {
    return new PredicateCompilerClient(
        settings(
            SkippingConf.COMPILER_ADDRESS,
            address,
            SkippingConf.COMPILER_TIMEOUT_MS,
            Integer.toString(timeoutMillis)));
  }

  private static CompilerUnavailableException failureOf(
      Reason reason, FaultyServer.Behaviour behaviour) throws IOException {
    try (FaultyServer server = new FaultyServer(behaviour);
        PredicateCompilerClient client = client(server.address())) {
      long start = System.nanoTime();
      CompilerUnavailableException failure = failure(client, equalTo(1), reason);
      assertThat(Duration.ofNanos(System.nanoTime() - start))
          .as("time of the failing call")
          .isLessThan(Duration.ofMillis(TIMEOUT_MILLIS + 1500));
      return failure;
    }
  }

  @Test
  void answersAreCachedByFilter() throws Exception {
    try (FaultyServer server = new FaultyServer(FaultyServer.keepingAll());
        PredicateCompilerClient client = client(server.address())) {
      byte[] expression = compile(client, equalTo(1));
      compile(client, equalTo(1))[0]++;
      assertThat(compile(client, equalTo(1)))
          .as("what is handed out is a copy")
          .isEqualTo(expression);
      assertThat(server.calls()).isEqualTo(1);
      compile(client, equalTo(2));
      assertThat(server.calls()).isEqualTo(2);
    }
  }

  @Test
  void largeAnswersAreNotCached() throws Exception {
    String text = new String(new char[1 << 16]).replace('\0', 'x');
    try (FaultyServer server =
            new FaultyServer(
                FaultyServer.answering(
                    request -> TestCalls.keepAll(request).setDescription(text)));
        PredicateCompilerClient client = client(server.address())) {
      compile(client, equalTo(1));
      compile(client, equalTo(1));
      assertThat(server.calls()).isEqualTo(2);
    }
  }

  static Stream<Arguments> wrongAnswers() {
    return Stream.of(
        wrong(
            Reason.TIMEOUT,
            "within 400 ms (hudi.skipping.compiler.timeout.ms)",
            (call, out) -> true),
        wrong(Reason.TIMEOUT, "within 400 ms", FaultyServiceTest::trickle),
        wrong(Reason.TOO_LARGE, "a frame of 2147483647 bytes", promising(Integer.MAX_VALUE)),
        wrong(Reason.TOO_LARGE, "a frame of 4294967295 bytes", promising(-1)),
        wrong(Reason.TOO_LARGE, "a frame of 4194305 bytes", promising((4 << 20) + 1)),
        wrong(Reason.DISCONNECTED, "closed the connection before answering", promising(100)),
        wrong(
            Reason.INVALID_ANSWER,
            "another filter",
            FaultyServer.answering(request -> TestCalls.keepAll(new byte[32]))),
        wrong(
            Reason.INVALID_ANSWER,
            "no expression",
            FaultyServer.answering(
                request -> TestCalls.keepAll(request).setExpression((byte[]) null))));
  }

  private static Arguments wrong(Reason reason, String message, FaultyServer.Behaviour behaviour) {
    return Arguments.of(reason, message, behaviour);
  }

  private static boolean trickle(byte[] call, DataOutputStream out) throws Exception {
    out.writeInt(1000);
    for (int i = 0; i < 1000; i++) {
      out.write(0);
      out.flush();
      TimeUnit.MILLISECONDS.sleep(20);
    }
    return true;
  }

  /** Sends the length of an answer, 50 bytes of it, and disconnects. */
  private static FaultyServer.Behaviour promising(int length) {
    return (call, out) -> {
      out.writeInt(length);
      out.write(new byte[50]);
      out.flush();
      return false;
    };
  }

  @ParameterizedTest(name = "{0}: {1}")
  @MethodSource("wrongAnswers")
  void aWrongAnswerIsAFailureWithinTheDeadline(
      Reason reason, String message, FaultyServer.Behaviour behaviour) throws Exception {
    assertThat(failureOf(reason, behaviour)).hasMessageContaining(message);
  }

  @Test
  void aServiceThatDoesNotReadIsAbandonedAtTheDeadline() throws Exception {
    CompileRequest large = equalTo(1);
    large.getFilter().getNodes().get(0).setName(new String(new char[3 << 20]).replace('\0', 'x'));
    try (ServerSocket deaf = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        PredicateCompilerClient client = client("127.0.0.1:" + deaf.getLocalPort())) {
      failure(client, large, Reason.TIMEOUT);
    }
  }

  @Test
  void garbageIsRejected() throws Exception {
    Random random = new Random(7);
    for (int size : new int[] {0, 1, 7, 100, 10_000}) {
      byte[] garbage = new byte[size];
      random.nextBytes(garbage);
      failureOf(Reason.INVALID_ANSWER, FaultyServer.sending(garbage));
    }
  }

  @Test
  void aRequestAboveTheLimitIsNotSent() throws Exception {
    try (FaultyServer server = new FaultyServer(FaultyServer.keepingAll());
        PredicateCompilerClient client = client(server.address())) {
      CompileRequest large = equalTo(1);
      large.getFilter().getNodes().get(0).setName(new String(new char[5 << 20]));
      assertThat(failure(client, large, Reason.TOO_LARGE))
          .hasMessageContaining("more than the limit of 4194304");
      assertThat(server.calls()).isZero();
    }
  }

  @Test
  void aRefusalHasAReasonAndIsNoFailureOfTheService() throws Exception {
    try (FaultyServer server =
            new FaultyServer(
                FaultyServer.answering(
                    request -> {
                      throw new CompileError()
                          .setCode(CompileErrorCode.TOO_LARGE.getValue())
                          .setMessage("30000 nodes, limit 20000");
                    }));
        PredicateCompilerClient client = client(server.address())) {
      for (int i = 0; i < 5; i++) {
        assertThat(failure(client, equalTo(1), Reason.TOO_LARGE))
            .hasMessageContaining("30000 nodes");
      }
      assertThat(server.calls()).as("a refusal is no reason to back off").isEqualTo(5);
    }
  }

  @Test
  void anUnreachableAddressFailsAtOnce() throws Exception {
    int port;
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = socket.getLocalPort();
    }
    for (String address : new String[] {"127.0.0.1:" + port, "unix:/nonexistent/directory/s"}) {
      try (PredicateCompilerClient client = client(address)) {
        assertThat(failure(client, equalTo(1), Reason.UNREACHABLE)).hasMessageContaining(address);
      }
    }
    try (PredicateCompilerClient client = client("nonsense")) {
      assertThat(failure(client, equalTo(1), Reason.UNREACHABLE))
          .hasMessageContaining(SkippingConf.COMPILER_ADDRESS + ": 'nonsense'");
    }
  }

  @Test
  void afterThreeFailuresInARowTheServiceIsLeftAloneForAWhile() throws Exception {
    try (FaultyServer server = new FaultyServer((call, out) -> false);
        PredicateCompilerClient client = client(server.address())) {
      for (int i = 0; i < 3; i++) {
        failure(client, equalTo(1), Reason.DISCONNECTED);
      }
      failure(client, equalTo(1), Reason.BACKING_OFF);
      assertThat(server.calls()).isEqualTo(3);
      server.become(FaultyServer.keepingAll());
      TimeUnit.MILLISECONDS.sleep(1100);
      compile(client, equalTo(1));
      server.become((call, out) -> false);
      failure(client, equalTo(2), Reason.DISCONNECTED); // an answer has ended the back-off
    }
  }

  @Test
  void manyQueriesHaveABoundedNumberOfConnections() throws Exception {
    AtomicInteger running = new AtomicInteger();
    AtomicInteger mostRunning = new AtomicInteger();
    try (FaultyServer server =
            new FaultyServer(
                (call, out) -> {
                  mostRunning.accumulateAndGet(running.incrementAndGet(), Math::max);
                  TimeUnit.MILLISECONDS.sleep(1);
                  running.decrementAndGet();
                  return FaultyServer.keepingAll().answer(call, out);
                });
        PredicateCompilerClient client = client(server.address(), 10_000)) {
      inThreads(
          32,
          640,
          request ->
              assertThat(compile(client, request))
                  .isEqualTo(TestCalls.keepAll(request).getExpression()));
      assertThat(server.calls()).isEqualTo(640);
      assertThat(mostRunning.get()).isLessThanOrEqualTo(8);
    }
  }

  @Test
  void waitingForAConnectionEndsAtTheDeadlineAsWell() throws Exception {
    try (FaultyServer server = new FaultyServer((call, out) -> true);
        PredicateCompilerClient client = client(server.address())) {
      long start = System.nanoTime();
      inThreads(20, 20, request -> failure(client, request, Reason.TIMEOUT, Reason.BACKING_OFF));
      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(Duration.ofSeconds(3));
    }
  }

  private static void inThreads(int count, int requests, ThrowingConsumer<CompileRequest> query)
      throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(count);
    try {
      List<Callable<Void>> queries = new ArrayList<>();
      for (int i = 0; i < requests; i++) {
        CompileRequest request = equalTo(i);
        queries.add(
            () -> {
              query.accept(request);
              return null;
            });
      }
      for (Future<Void> running : threads.invokeAll(queries)) {
        running.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aCancelledQueryDoesNotWait() throws Exception {
    CountDownLatch called = new CountDownLatch(1);
    try (FaultyServer server =
            new FaultyServer(
                (call, out) -> {
                  called.countDown();
                  return true;
                });
        PredicateCompilerClient client = client(server.address(), 60_000)) {
      AtomicReference<Boolean> interrupted = new AtomicReference<>();
      Thread query =
          new Thread(
              () -> {
                failure(client, equalTo(1), Reason.INTERRUPTED);
                interrupted.set(Thread.currentThread().isInterrupted());
              });
      query.start();
      called.await();
      query.interrupt();
      query.join(5000);
      assertThat(query.isAlive()).isFalse();
      assertThat(interrupted.get()).as("the interrupt is kept for the caller").isTrue();
    }
  }

  @Test
  void aClosedClientFailsWithAReason() throws Exception {
    try (FaultyServer server = new FaultyServer(FaultyServer.keepingAll())) {
      PredicateCompilerClient client = client(server.address());
      compile(client, equalTo(1));
      client.close();
      failure(client, equalTo(2), Reason.CLOSED);
    }
  }
}
