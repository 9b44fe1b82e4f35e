/** Functions for conditions on places, and the index kind that answers them. */
package io.hudiskip.places;
