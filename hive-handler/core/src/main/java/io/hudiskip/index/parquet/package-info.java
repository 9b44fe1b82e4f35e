/**
 * Decodes the columns of an index row group: Parquet's pages and encodings, not the meaning of
 * values.
 */
package io.hudiskip.index.parquet;
