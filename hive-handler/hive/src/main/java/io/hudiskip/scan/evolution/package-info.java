// SPDX-License-Identifier: Apache-2.0
/**
 * Reads base files older than their table's schema: how each column is converted, and which columns
 * cannot be read.
 */
package io.hudiskip.scan.evolution;
