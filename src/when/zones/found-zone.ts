import type { AbbreviatedZone } from './zone-abbreviations.ts';

/** Where zone words stand in a text, and what they can mean, the likeliest first. */
export interface FoundZone {
  start: number;
  end: number;
  meanings: readonly AbbreviatedZone[];
}
