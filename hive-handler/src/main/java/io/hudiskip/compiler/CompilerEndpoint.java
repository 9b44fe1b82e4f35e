/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

/** Where the compiler is, and what becomes of it when calls fail. Thread-safe. */
interface CompilerEndpoint extends AutoCloseable {
  /**
   * The address to call now; starts the compiler if that is this endpoint's affair.
   *
   * @throws CompilerUnavailableException when there is none, or not yet again
   */
  CompilerAddress address() throws CompilerUnavailableException;

  /** The compiler at the address answered, be it with a refusal. */
  void answered(CompilerAddress address);

  /** A call to the address failed, and the compiler may be the cause. */
  void failed(CompilerAddress address);

  @Override
  void close();
}
