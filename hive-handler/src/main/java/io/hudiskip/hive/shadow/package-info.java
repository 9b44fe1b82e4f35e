/** Shadow mode: looks in files that would be skipped for rows that the query wants. */
package io.hudiskip.hive.shadow;
