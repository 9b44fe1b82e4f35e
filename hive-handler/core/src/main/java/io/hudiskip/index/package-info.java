/**
 * What a statistics index answers, however it is stored. Any problem becomes an {@link
 * io.hudiskip.index.IndexUnavailableException}, never an unchecked bound.
 */
package io.hudiskip.index;
