/**
 * The index that is kept beside the table ({@code docs/format.md}, section 3): newest manifest, the
 * row groups of the columns that are asked for, each checked against its CRC-32 before it is used.
 */
package io.hudiskip.index.storage;
