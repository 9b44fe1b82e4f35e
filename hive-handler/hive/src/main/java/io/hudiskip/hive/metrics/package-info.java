/**
 * Counts for monitoring: of this process's scans and of its calls of the predicate compiler, in a
 * metrics system of their own (Hadoop Metrics2), so that JMX and every sink of Metrics2 show them;
 * and counters of a job, which its engine adds up and shows.
 */
package io.hudiskip.hive.metrics;
