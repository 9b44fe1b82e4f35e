// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.hudiskip.compile.client.CompilerUnavailableException.Reason;
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
  private final ProcessDirectory directory;
  private final CompilerAddress address;
  private volatile boolean killed;

  private CompilerProcess(
      Process process, ProcessOutput output, ProcessDirectory directory, CompilerAddress address) {
    this.process = process;
    this.output = output;
    this.directory = directory;
    this.address = address;
  }

  /**
   * Starts a compiler with its files in {@code directory}, which the result then owns, and waits
   * until it is ready: the command of the settings, or else the bundle's own compiler.
   */
  static CompilerProcess start(
      SkippingConf conf, int startTimeoutMillis, ProcessDirectory directory)
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

  private static Process launch(SkippingConf conf, ProcessDirectory directory)
      throws CompilerUnavailableException {
    List<String> command = new ArrayList<>();
    if (conf.compilerCommand().isEmpty()) {
      command.addAll(BundledCompiler.command(directory));
    } else {
      command.addAll(conf.compilerCommand());
      command.add("compiler");
      command.add("serve");
    }
    command.addAll(directory.arguments());
    command.add("--exit-on-stdin-close");
    LOG.info("Starting the predicate compiler: {}", String.join(" ", command));
    try {
      return ProcessEnvironment.builder(command).start();
    } catch (IOException e) {
      throw new CompilerUnavailableException(
          Reason.NOT_INSTALLED,
          String.format(
              "cannot run the predicate compiler: %s. Install the Python package hudi-skip on this"
                  + " host, and set %s to its command '%s'; or leave the setting empty for the"
                  + " compiler in the handler's jar, or set %s to a running compiler",
              e.getMessage(),
              SkippingConf.COMPILER_COMMAND,
              command.get(0),
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
