/** The leaves of an expression: each asks one question of the statistics of its columns. */
package io.hudiskip.expression.leaf;
