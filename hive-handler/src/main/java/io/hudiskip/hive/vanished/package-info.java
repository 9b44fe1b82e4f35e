/** What became of files that were there when a table was listed. */
package io.hudiskip.hive.vanished;
