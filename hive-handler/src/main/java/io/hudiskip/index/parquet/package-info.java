/**
 * Decodes the columns of a row group of the index. It knows Parquet's pages and encodings and
 * nothing of what the values mean.
 */
package io.hudiskip.index.parquet;
