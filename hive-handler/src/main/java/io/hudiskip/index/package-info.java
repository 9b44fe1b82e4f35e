/**
 * Reads the statistics index of a table ({@code docs/format.md}, section 3): newest manifest, the
 * row groups of the columns that are asked for, each checked against its CRC-32 before it is used.
 * Any problem ends in an {@link io.hudiskip.index.IndexUnavailableException}, never in a bound that
 * was not checked.
 */
package io.hudiskip.index;
