/**
 * What a statistics index answers, whichever way it is kept. Any problem ends in an {@link
 * io.hudiskip.index.IndexUnavailableException}, never in a bound that was not checked.
 */
package io.hudiskip.index;
