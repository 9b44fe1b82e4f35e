/**
 * A Hudi table on storage: whether Hive can read it, its columns, partition columns, latest files
 * and totals. Independent of filters.
 */
package io.hudiskip.table;
