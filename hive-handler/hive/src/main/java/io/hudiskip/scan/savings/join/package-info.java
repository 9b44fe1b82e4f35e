// SPDX-License-Identifier: Apache-2.0

/**
 * Files skipped by what a join finds at run time. While Hive compiles a statement, {@link
 * io.hudiskip.scan.savings.join.SplitPruningGate} decides which joins may send their values to a
 * scan. In the application master, {@link io.hudiskip.scan.savings.join.JoinValues} turns values
 * that arrived into leaves of the scan's expression.
 */
package io.hudiskip.scan.savings.join;
