/**
 * Hive types and the order-preserving encoding of their values ({@code docs/inside/formats.md}):
 * encoded values of one kind compare as unsigned bytes in the order of the values.
 */
package io.hudiskip.compile.encoding;
