/** Index kinds, built-in or from other jars, and the questions their records answer. */
package io.hudiskip.compile.kind;
