/**
 * One scan of a table: the filter that its rows will meet, the files that the filter can match, and
 * the log line that says what was left out and why. Everything takes these from {@link
 * io.hudiskip.hive.scan.TableScan}, which reads the job's configuration once.
 */
package io.hudiskip.hive.scan;
