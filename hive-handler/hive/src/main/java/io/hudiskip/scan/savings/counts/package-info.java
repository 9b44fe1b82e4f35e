// SPDX-License-Identifier: Apache-2.0
/**
 * Files that need not be opened, because the index has all that a statement uses of their rows:
 * their number and, for some columns, their only value. The rules are in {@link
 * io.hudiskip.scan.savings.counts.UsedColumns}.
 */
package io.hudiskip.scan.savings.counts;
