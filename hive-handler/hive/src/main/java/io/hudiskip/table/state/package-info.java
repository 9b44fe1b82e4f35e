/**
 * Which state of a table a query reads, as chosen by the statement and Hudi's session settings: the
 * latest snapshot, a past one, base files alone, or a range of commits.
 */
package io.hudiskip.table.state;
