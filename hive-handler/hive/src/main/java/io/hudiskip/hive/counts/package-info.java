// SPDX-License-Identifier: Apache-2.0
/**
 * Statements that only count the rows that a filter leaves: files in which every row matches are
 * counted without being opened. The rule is in {@link io.hudiskip.hive.counts.CountedFilter}.
 */
package io.hudiskip.hive.counts;
