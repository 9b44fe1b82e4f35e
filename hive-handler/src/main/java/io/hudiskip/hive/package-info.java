/**
 * The classes that Hive and its users know by name: storage handler, SerDe, input and output
 * format, hook. What they do is in the rooms below: {@code ddl} for statements, {@code table} for
 * the Hudi table, {@code scan} for choosing the files, {@code read} for reading them, {@code
 * shadow} for checking that none was left out in error.
 */
package io.hudiskip.hive;
