/**
 * Reads base files with Hive's Parquet readers and corrects what they get wrong: unsound row-group
 * filters, files older than the table's schema, values that only a file's path has. Unchanged rows
 * of slices with logs come from these readers, too.
 */
package io.hudiskip.scan.read;
