/** Functions for conditions on places, and the index kind that they ask. */
package io.hudiskip.places;
