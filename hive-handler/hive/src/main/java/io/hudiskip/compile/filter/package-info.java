// SPDX-License-Identifier: Apache-2.0
/**
 * Hive's filter as typed terms, and the gate that keeps Hive's unsound conversions away from
 * row-group skipping.
 */
package io.hudiskip.compile.filter;
