/** Shadow mode: checks files that would be skipped for rows that match the filter. */
package io.hudiskip.hive.shadow;
