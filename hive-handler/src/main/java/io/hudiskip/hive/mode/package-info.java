/**
 * Which state of a table a query reads, by the statement and by Hudi's settings of the session: the
 * latest snapshot, a past one, base files alone, or the rows of a range of commits.
 */
package io.hudiskip.hive.mode;
