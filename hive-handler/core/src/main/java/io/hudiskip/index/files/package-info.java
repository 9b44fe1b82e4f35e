/**
 * The base files over which an expression is evaluated, from an index or a listing, and their
 * places in the index's file tables.
 */
package io.hudiskip.index.files;
