// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.compiler;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.hive.compiler.CompilerUnavailableException.Reason;
import io.hudiskip.hive.settings.SkippingConf;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The compiler as a child process. It exits when its stdin closes, so it does not outlive this JVM
 * even if the JVM is killed.
 */
final class CompilerProcess implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(CompilerProcess.class);
  private static final long END_MILLIS = 2_000;

  private final Process process;
  private final ProcessOutput output;
  private final SocketDirectory directory;
  private final CompilerAddress address;
  private volatile boolean killed;

  private CompilerProcess(
      Process process, ProcessOutput output, SocketDirectory directory, CompilerAddress address) {
    this.process = process;
    this.output = output;
    this.directory = directory;
    this.address = address;
  }

  /**
   * Starts a compiler that listens in {@code directory}, which the result then owns, and waits
   * until it is ready.
   */
  static CompilerProcess start(SkippingConf conf, int startTimeoutMillis, SocketDirectory directory)
      throws CompilerUnavailableException {
    Process process = null;
    try {
      process = launch(conf, directory);
      ProcessOutput output = ProcessOutput.of(process);
      return new CompilerProcess(
          process, output, directory, ready(startTimeoutMillis, process, output));
    } catch (CompilerUnavailableException | RuntimeException e) {
      if (process != null) {
        process.destroyForcibly();
      }
      directory.close();
      throw e;
    }
  }

  private static Process launch(SkippingConf conf, SocketDirectory directory)
      throws CompilerUnavailableException {
    List<String> command = new ArrayList<>(conf.compilerCommand());
    command.add("compiler");
    command.add("serve");
    command.addAll(directory.arguments());
    command.add("--exit-on-stdin-close");
    try {
      return new ProcessBuilder(command).start();
    } catch (IOException e) {
      throw new CompilerUnavailableException(
          Reason.NOT_INSTALLED,
          String.format(
              "cannot run the predicate compiler: %s. Install the Python package hudi-skip on this"
                  + " host so that the command '%s' is on the PATH of this process, or set %s to"
                  + " the command or %s to a running compiler",
              e.getMessage(),
              conf.compilerCommand().get(0),
              SkippingConf.COMPILER_COMMAND,
              SkippingConf.COMPILER_ADDRESS),
          e);
    }
  }

  private static CompilerAddress ready(
      int startTimeoutMillis, Process process, ProcessOutput output)
      throws CompilerUnavailableException {
    String line;
    try {
      line = output.firstLine().get(startTimeoutMillis, TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      throw failed(
          String.format(
              "it was not ready within %d ms%s", startTimeoutMillis, output.recentOutput()),
          e);
    } catch (ExecutionException e) {
      throw failed("it " + exit(process) + output.finalOutput(), e.getCause());
    } catch (InterruptedException e) {
      throw CompilerUnavailableException.interrupted(e);
    }
    try {
      JsonNode address = new ObjectMapper().readTree(line).path("address");
      return CompilerAddress.parse(address.asText());
    } catch (JsonProcessingException | IllegalArgumentException e) {
      throw failed("it did not print its address" + output.recentOutput(), e);
    }
  }

  private static CompilerUnavailableException failed(String why, Throwable cause) {
    return new CompilerUnavailableException(
        Reason.START_FAILED, "the predicate compiler did not start: " + why, cause);
  }

  private static String exit(Process process) {
    try {
      return process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)
          ? "ended with exit code " + process.exitValue()
          : "closed its output";
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return "closed its output";
    }
  }

  CompilerAddress address() {
    return address;
  }

  /** Whether calls may be sent to it; a killed process may linger. */
  boolean isAlive() {
    return !killed && process.isAlive();
  }

  /** How it ended, for display; only for a process that is not alive. */
  String end() {
    return "the predicate compiler " + exit(process) + output.finalOutput();
  }

  /** Kills it at once; {@link #close} must still be called. */
  void kill() {
    killed = true;
    process.destroyForcibly();
  }

  @Override
  public void close() {
    process.destroyForcibly();
    try {
      if (!process.waitFor(END_MILLIS, TimeUnit.MILLISECONDS)) {
        LOG.warn("The predicate compiler at {} is still running after it was killed", address);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    directory.close();
  }
}
