// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import com.fasterxml.jackson.databind.JsonNode;

/** Bytes as the vector files write them. */
public final class Hex {

  private Hex() {}

  /** The bytes of pairs of hex digits. */
  public static byte[] decode(String hex) {
    byte[] bytes = new byte[hex.length() / 2];
    for (int i = 0; i < bytes.length; i++) {
      bytes[i] = (byte) Integer.parseInt(hex.substring(2 * i, 2 * i + 2), 16);
    }
    return bytes;
  }

  /** The bytes of a JSON string; null for a JSON null. */
  public static byte[] decodeNullable(JsonNode hex) {
    return hex == null || hex.isNull() ? null : decode(hex.textValue());
  }

  /** Pairs of lower-case hex digits. */
  public static String encode(byte[] bytes) {
    StringBuilder hex = new StringBuilder();
    for (byte b : bytes) {
      hex.append(String.format("%02x", b));
    }
    return hex.toString();
  }
}
