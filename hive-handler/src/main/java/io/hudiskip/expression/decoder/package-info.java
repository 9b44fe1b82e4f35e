/** Turns the bytes that the predicate compiler sends into a checked expression. */
package io.hudiskip.expression.decoder;
