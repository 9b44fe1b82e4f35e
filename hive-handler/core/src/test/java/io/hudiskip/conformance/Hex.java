// SPDX-License-Identifier: Apache-2.0
package io.hudiskip.conformance;

import com.fasterxml.jackson.databind.JsonNode;
import org.apache.hadoop.util.StringUtils;

/** Bytes as the vector files write them. */
public final class Hex {

  private Hex() {}

  /** The bytes of pairs of hex digits. */
  public static byte[] decode(String hex) {
    return StringUtils.hexStringToByte(hex);
  }

  /** The bytes of a JSON string; null for a JSON null. */
  public static byte[] decodeNullable(JsonNode hex) {
    return hex == null || hex.isNull() ? null : decode(hex.textValue());
  }

  /** Pairs of lower-case hex digits. */
  public static String encode(byte[] bytes) {
    return StringUtils.byteToHexString(bytes);
  }
}
