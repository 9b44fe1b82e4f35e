/**
 * The {@code HudiExpression}: which files a filter can match, as a predicate over column statistics
 * ({@code docs/inside/formats.md}, section 2).
 */
package io.hudiskip.compile.expression;
