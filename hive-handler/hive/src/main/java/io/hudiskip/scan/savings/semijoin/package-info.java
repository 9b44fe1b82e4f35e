// SPDX-License-Identifier: Apache-2.0
/**
 * Files that a task does not open, because Hive's semijoin reduction has found, since the splits
 * were made, that a join needs none of their rows: see {@link
 * io.hudiskip.scan.savings.semijoin.SemijoinFilter}.
 */
package io.hudiskip.scan.savings.semijoin;
