/**
 * The {@code HudiExpression}: which files a filter can match, as a predicate over column statistics
 * ({@code docs/format.md}, section 2). Evaluation over whole columns, and words for logs.
 */
package io.hudiskip.expression;
