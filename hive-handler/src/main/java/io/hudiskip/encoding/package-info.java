/**
 * Hive types and the order-preserving byte encoding of their values, as {@code docs/format.md}
 * defines them: the unsigned byte order of two encoded values of one kind is the order of the
 * values.
 */
package io.hudiskip.encoding;
