/**
 * Bounds of Hudi's {@code _hoodie_commit_time} in file slices, from file names and the timeline;
 * needs no index.
 */
package io.hudiskip.table.commits;
