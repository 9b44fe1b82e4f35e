/**
 * The classes that Hive and its users name: storage handler, SerDe, input and output format, hook.
 * Their work is done in the packages below: {@code ddl} for statements, {@code table} for the Hudi
 * table, {@code scan} for choosing files, {@code read} for reading them, {@code shadow} for
 * checking that none was skipped in error.
 */
package io.hudiskip.hive;
