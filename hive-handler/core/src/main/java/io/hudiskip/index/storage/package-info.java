/**
 * Reads the index kept beside the table ({@code docs/inside/formats.md}, section 3): the newest
 * manifest and the row groups of requested columns, each checked against its CRC-32 before use.
 */
package io.hudiskip.index.storage;
