/*
 * Copyright the hudi-skip authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.hudiskip.compiler;

import io.hudiskip.compiler.CompilerUnavailableException.Reason;

/** A setting that is no address. */
final class InvalidEndpoint implements CompilerEndpoint {
  private final String message;

  InvalidEndpoint(String message) {
    this.message = message;
  }

  @Override
  public CompilerAddress address() throws CompilerUnavailableException {
    throw new CompilerUnavailableException(Reason.UNREACHABLE, message);
  }

  @Override
  public void answered(CompilerAddress address) {
    throw new IllegalStateException("there is no address");
  }

  @Override
  public void failed(CompilerAddress address) {
    throw new IllegalStateException("there is no address");
  }

  @Override
  public void close() {
    // Nothing was opened.
  }
}
