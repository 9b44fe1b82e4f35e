/** The leaves of an expression: each tests the statistics of its columns. */
package io.hudiskip.compile.expression.leaf;
