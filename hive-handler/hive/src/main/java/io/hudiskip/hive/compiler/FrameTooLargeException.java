// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.hive.compiler;

import java.io.IOException;

/** A frame's length is outside its limit. */
final class FrameTooLargeException extends IOException {
  private static final long serialVersionUID = 1L;

  FrameTooLargeException(int length, int limit) {
    super(
        "a frame of " + Integer.toUnsignedString(length) + " bytes exceeds the limit of " + limit);
  }
}
