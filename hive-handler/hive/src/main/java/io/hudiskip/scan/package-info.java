/**
 * One scan of a table: the filter of its rows, the files that the filter can match, and a log line
 * with what was skipped and why. {@link io.hudiskip.scan.TableScan} reads the job's configuration
 * once for all of these.
 */
package io.hudiskip.scan;
