/**
 * Reads base files with Hive's own Parquet readers, and corrects what those get wrong: unsound
 * row-group filters, files older than the table's schema, values that only the path of a file has.
 * Of slices with logs it takes the rows that Hudi leaves as they were from these readers, too.
 */
package io.hudiskip.hive.read;
