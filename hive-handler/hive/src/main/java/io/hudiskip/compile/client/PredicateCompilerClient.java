// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
import io.hudiskip.hive.metrics.CompilerMetrics;
import io.hudiskip.hive.settings.SkippingConf;
import java.io.IOException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.commons.codec.digest.DigestUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the predicate compiler. Thread-safe. Every call ends at its deadline, whatever the
 * compiler does. A call that starts the compiler, or finds it starting, first waits for that.
 *
 * <p>Answers are cached by call, so a filter is compiled once; refusals and failures are not.
 */
public final class PredicateCompilerClient implements AutoCloseable {
  /** Decodes and checks an answer. */
  public interface Decoder<T> {
    /** Throws INVALID_ANSWER if the bytes are no answer to the call, or the reason of a refusal. */
    T decode(byte[] answer) throws CompilerUnavailableException;
  }

  private static final Logger LOG = LoggerFactory.getLogger(PredicateCompilerClient.class);

  /** Concurrent connections, and so calls. */
  private static final int MAX_CONNECTIONS = 8;

  /** Limit of a request or an answer; the service has the same limit. */
  private static final int MAX_MESSAGE_BYTES = 4 << 20;

  private static final int MAX_CACHED = 1_000;

  /** Larger answers are not cached, to bound the cache in bytes as well. */
  private static final int MAX_CACHED_BYTES = 1 << 16;

  private final SkippingConf conf;
  private final CompilerEndpoint endpoint;
  private final Semaphore connections = new Semaphore(MAX_CONNECTIONS, true);
  private final Cache<ByteBuffer, byte[]> answers;
  private final FailureLog failures = new FailureLog(LOG, System::nanoTime);
  private volatile boolean closed;

  /**
   * A client of its own, with its own compiler, which the caller must close; queries share one:
   * {@link SharedClients}.
   */
  public PredicateCompilerClient(SkippingConf conf) {
    this(conf, endpoint(conf));
  }

  PredicateCompilerClient(SkippingConf conf, CompilerEndpoint endpoint) {
    this.conf = conf;
    this.endpoint = endpoint;
    this.answers = Caffeine.newBuilder().maximumSize(MAX_CACHED).executor(Runnable::run).build();
  }

  private static CompilerEndpoint endpoint(SkippingConf conf) {
    if (conf.compilerAddress().isEmpty()) {
      return new ChildEndpoint(conf);
    }
    try {
      return new ConfiguredEndpoint(CompilerAddress.parse(conf.compilerAddress()));
    } catch (IllegalArgumentException e) {
      return () -> {
        throw new CompilerUnavailableException(
            Reason.UNREACHABLE, SkippingConf.COMPILER_ADDRESS + ": " + e.getMessage());
      };
    }
  }

  /**
   * Calls the compiler.
   *
   * @param call equal bytes for equal calls
   * @throws CompilerUnavailableException when there is no answer within the deadline, or {@code
   *     decoder} throws it; every file must be kept. Logged at intervals
   */
  public <T> T call(byte[] call, Decoder<T> decoder) throws CompilerUnavailableException {
    ByteBuffer key = ByteBuffer.wrap(DigestUtils.sha256(call));
    byte[] known = answers.getIfPresent(key);
    if (known != null) {
      CompilerMetrics.shared().cached();
      return decoder.decode(known);
    }
    long start = System.nanoTime();
    boolean answered = false;
    try {
      T decoded = callUncached(call, key, decoder);
      answered = true;
      return decoded;
    } catch (CompilerUnavailableException e) {
      failures.add(e);
      throw e;
    } finally {
      CompilerMetrics.shared()
          .called(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - start), answered);
    }
  }

  private <T> T callUncached(byte[] call, ByteBuffer key, Decoder<T> decoder)
      throws CompilerUnavailableException {
    if (closed) {
      throw CompilerUnavailableException.closed();
    }
    if (call.length > MAX_MESSAGE_BYTES) {
      throw new CompilerUnavailableException(
          Reason.TOO_LARGE,
          String.format(
              "the filter takes %d bytes, more than the limit of %d",
              call.length, MAX_MESSAGE_BYTES));
    }
    CompilerAddress address = endpoint.address();
    Deadline deadline = Deadline.in(conf.compilerTimeoutMillis());
    byte[] answer = exchange(address, call, deadline);
    try {
      T decoded = decoder.decode(answer);
      endpoint.answered();
      if (answer.length <= MAX_CACHED_BYTES) {
        answers.put(key, answer);
      }
      return decoded;
    } catch (CompilerUnavailableException e) {
      if (e.reason() == Reason.INVALID_ANSWER) {
        endpoint.failed(address);
      } else {
        endpoint.answered();
      }
      throw e;
    }
  }

  /** One connection per call: a local one takes no time that a query would notice. */
  private byte[] exchange(CompilerAddress address, byte[] call, Deadline deadline)
      throws CompilerUnavailableException {
    try {
      if (!connections.tryAcquire(deadline.remainingMillis(), TimeUnit.MILLISECONDS)) {
        throw new SocketTimeoutException("all " + MAX_CONNECTIONS + " connections are in use");
      }
      try (CompilerConnection connection = CompilerConnection.open(address, deadline)) {
        return exchange(connection, address, call, deadline);
      } finally {
        connections.release();
      }
    } catch (InterruptedException e) {
      throw CompilerUnavailableException.interrupted(e);
    } catch (IOException e) {
      throw failed(address, Reason.UNREACHABLE, "cannot be reached", e);
    }
  }

  private byte[] exchange(
      CompilerConnection connection, CompilerAddress address, byte[] call, Deadline deadline)
      throws CompilerUnavailableException {
    try {
      return connection.exchange(call, MAX_MESSAGE_BYTES, deadline);
    } catch (ProtocolException e) {
      throw failed(address, Reason.TOO_LARGE, "sent an invalid answer", e);
    } catch (IOException e) {
      throw failed(address, Reason.DISCONNECTED, "closed the connection before answering", e);
    }
  }

  private CompilerUnavailableException failed(
      CompilerAddress address, Reason reason, String what, IOException cause) {
    if (cause instanceof ClosedByInterruptException) {
      return CompilerUnavailableException.interrupted(cause);
    }
    endpoint.failed(address);
    if (cause instanceof SocketTimeoutException) {
      return new CompilerUnavailableException(
          Reason.TIMEOUT,
          String.format(
              "the predicate compiler at %s did not answer within %d ms (%s): %s",
              address,
              conf.compilerTimeoutMillis(),
              SkippingConf.COMPILER_TIMEOUT_MS,
              cause.getMessage()),
          cause);
    }
    return new CompilerUnavailableException(
        reason,
        String.format("the predicate compiler at %s %s: %s", address, what, cause.getMessage()),
        cause);
  }

  /** Ends the compiler if we own it. */
  @Override
  public void close() {
    closed = true;
    endpoint.close();
  }
}
