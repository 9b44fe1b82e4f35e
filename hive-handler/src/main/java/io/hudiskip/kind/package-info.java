/** Index kinds: what records of the index answer, the built-in ones and those of other jars. */
package io.hudiskip.kind;
