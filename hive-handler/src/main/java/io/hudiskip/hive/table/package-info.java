/**
 * A Hudi table as it is on storage: whether Hive can read it, its columns, its partition columns,
 * its latest base files and their totals. Knows nothing of filters or of skipping.
 */
package io.hudiskip.hive.table;
