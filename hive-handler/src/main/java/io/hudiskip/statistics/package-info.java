/** What is known of the columns of base files, whichever index it comes from. */
package io.hudiskip.statistics;
