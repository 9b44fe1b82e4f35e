/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.hudiskip.SkippingConf;
import io.hudiskip.compiler.CompilerUnavailableException.Reason;
import io.hudiskip.thrift.CompileRequest;
import io.hudiskip.thrift.CompileResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Client of the predicate compiler. Thread-safe; every call ends at its deadline, whatever the
 * compiler does. A call that has to start the compiler, or finds it being started, waits for that
 * first, at most {@link SkippingConf#COMPILER_START_TIMEOUT_MS}.
 *
 * <p>Answers are kept by request, so that a filter is compiled once. A refusal or a failure is not
 * kept.
 */
public final class PredicateCompilerClient implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(PredicateCompilerClient.class);

  /** Connections, and so calls, at once. */
  private static final int MAX_CONNECTIONS = 8;

  /** Larger answers are not kept, so that the cache is bounded in bytes as well. */
  private static final int MAX_CACHED_BYTES = 1 << 16;

  private final SkippingConf conf;
  private final CompilerEndpoint endpoint;
  private final ConnectionPool pool = new ConnectionPool(MAX_CONNECTIONS);
  private final Cache<ByteBuffer, CompileResponse> answers;
  private final FailureLog failures = new FailureLog(LOG, System::nanoTime);
  private volatile boolean closed;

  private PredicateCompilerClient(SkippingConf conf, CompilerEndpoint endpoint) {
    this.conf = conf;
    this.endpoint = endpoint;
    this.answers =
        Caffeine.newBuilder()
            .maximumSize(conf.compilerCacheEntries())
            .executor(Runnable::run)
            .build();
  }

  /** A client of its own, to be closed by the caller. */
  static PredicateCompilerClient create(SkippingConf conf) {
    return create(conf, endpoint(conf));
  }

  static PredicateCompilerClient create(SkippingConf conf, CompilerEndpoint endpoint) {
    return new PredicateCompilerClient(conf, endpoint);
  }

  private static CompilerEndpoint endpoint(SkippingConf conf) {
    if (conf.compilerAddress().isEmpty()) {
      return new ChildEndpoint(conf, System::nanoTime);
    }
    try {
      return new ConfiguredEndpoint(
          CompilerAddress.parse(conf.compilerAddress()), System::nanoTime);
    } catch (IllegalArgumentException e) {
      return new InvalidEndpoint(SkippingConf.COMPILER_ADDRESS + ": " + e.getMessage());
    }
  }

  /**
   * Compiles a filter.
   *
   * @param request what to compile, with a fingerprint
   * @return an answer whose expression is well-formed and bears the request's fingerprint
   * @throws CompilerUnavailableException when there is none within the deadline; every file has to
   *     be kept. It is logged, once in a while
   */
  public CompileResponse compile(CompileRequest request) throws CompilerUnavailableException {
    byte[] call = CompileProtocol.encode(request);
    ByteBuffer key = ByteBuffer.wrap(sha256(call));
    CompileResponse known = answers.getIfPresent(key);
    if (known != null) {
      return known.deepCopy();
    }
    try {
      CompileResponse answer = call(call, request);
      if (answer.getExpression().length <= MAX_CACHED_BYTES) {
        answers.put(key, answer.deepCopy());
      }
      return answer;
    } catch (CompilerUnavailableException e) {
      failures.add(e);
      throw e;
    }
  }

  private CompileResponse call(byte[] call, CompileRequest request)
      throws CompilerUnavailableException {
    if (closed) {
      throw new CompilerUnavailableException(
          Reason.CLOSED, "the predicate compiler's client was closed");
    }
    if (call.length > conf.compilerMaxMessageBytes()) {
      throw new CompilerUnavailableException(
          Reason.TOO_LARGE,
          String.format(
              "the filter takes %d bytes, more than %s=%d",
              call.length,
              SkippingConf.COMPILER_MAX_MESSAGE_BYTES,
              conf.compilerMaxMessageBytes()));
    }
    CompilerAddress address = endpoint.address();
    Deadline deadline = Deadline.in(conf.compilerTimeoutMillis());
    byte[] answer = exchange(address, call, deadline);
    try {
      CompileResponse response = CompileProtocol.decode(answer, request);
      endpoint.answered(address);
      return response;
    } catch (CompilerUnavailableException e) {
      if (e.reason() == Reason.INVALID_ANSWER) {
        endpoint.failed(address);
      } else {
        endpoint.answered(address);
      }
      throw e;
    }
  }

  private byte[] exchange(CompilerAddress address, byte[] call, Deadline deadline)
      throws CompilerUnavailableException {
    while (true) {
      CompilerConnection connection;
      try {
        connection = pool.take(address, deadline);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw interrupted(e);
      } catch (IOException e) {
        throw failed(address, Reason.UNREACHABLE, "cannot be reached", e);
      }
      boolean reused = connection.isUsed();
      boolean complete = false;
      try {
        byte[] answer = connection.exchange(call, conf.compilerMaxMessageBytes(), deadline);
        complete = true;
        return answer;
      } catch (SocketTimeoutException | ClosedByInterruptException | FrameTooLargeException e) {
        throw failed(address, Reason.INVALID_ANSWER, "answered with", e);
      } catch (IOException e) {
        if (!reused || connection.isAnswering()) {
          throw failed(address, Reason.DISCONNECTED, "ended the connection before its answer", e);
        }
        // It was closed while it was idle, and this call is the first to notice: a new one will do.
        LOG.debug("An idle connection to {} had ended", address, e);
      } finally {
        if (complete) {
          pool.give(connection);
        } else {
          pool.discard(connection);
        }
      }
    }
  }

  private CompilerUnavailableException failed(
      CompilerAddress address, Reason reason, String what, IOException cause) {
    if (cause instanceof ClosedByInterruptException) {
      return interrupted(cause);
    }
    endpoint.failed(address);
    if (cause instanceof SocketTimeoutException) {
      return new CompilerUnavailableException(
          Reason.TIMEOUT,
          String.format(
              "the predicate compiler at %s gave no answer within %d ms (%s): %s",
              address,
              conf.compilerTimeoutMillis(),
              SkippingConf.COMPILER_TIMEOUT_MS,
              cause.getMessage()),
          cause);
    }
    return new CompilerUnavailableException(
        cause instanceof FrameTooLargeException ? Reason.TOO_LARGE : reason,
        String.format("the predicate compiler at %s %s: %s", address, what, cause.getMessage()),
        cause);
  }

  private static CompilerUnavailableException interrupted(Exception cause) {
    return new CompilerUnavailableException(
        Reason.INTERRUPTED, "interrupted while a filter was being compiled", cause);
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java platform has SHA-256", e);
    }
  }

  /** Ends the compiler if it is ours, and the connections. */
  @Override
  public void close() {
    closed = true;
    endpoint.close();
    pool.close();
  }
}
