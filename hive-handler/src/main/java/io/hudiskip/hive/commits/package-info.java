/**
 * Which commits the rows of file slices can be of, by the names of their files and the timeline: a
 * bound of Hudi's own column {@code _hoodie_commit_time} that no index is needed for.
 */
package io.hudiskip.hive.commits;
