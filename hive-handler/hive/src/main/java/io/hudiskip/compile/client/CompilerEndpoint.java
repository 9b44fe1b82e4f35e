// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.compile.client;

/** Locates the compiler and reacts to failed calls. Thread-safe. */
interface CompilerEndpoint extends AutoCloseable {
  /**
   * The address to call; starts the compiler if this endpoint owns the process.
   *
   * @throws CompilerUnavailableException when there is none, or the endpoint is backing off
   */
  CompilerAddress address() throws CompilerUnavailableException;

  /** The compiler answered, possibly with a refusal. */
  default void answered() {}

  /** A call to the address failed, possibly because of the compiler. */
  default void failed(CompilerAddress address) {}

  @Override
  default void close() {}
}
