/**
 * Which base files an expression is evaluated over, those that an index knows or those of a
 * listing, and where they are in the tables of files of an index.
 */
package io.hudiskip.index.files;
