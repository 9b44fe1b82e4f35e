/**
 * One scan of a table: the filter that its rows will meet, the files that the filter can match, and
 * the log line that says what was left out and why.
 */
package io.hudiskip.hive.scan;
