import type { FoundZone } from './found-zone.ts';
import { knownZone } from './zone-names.ts';

/** Two or three parts with a slash, letters first in each: no date looks like it but "8/May", and that is no zone. */
const SLASHED = /\b[A-Za-z]{2,}(?:_[A-Za-z]+)*\/[A-Za-z][\w+-]*(?:\/[A-Za-z][\w-]*)?/g;

/** "Europe/Berlin", "america/new_york", "Etc/GMT-2". */
export function findIanaName(text: string): FoundZone | undefined {
  for (const match of text.matchAll(SLASHED)) {
    const zone = knownZone(match[0]);
    if (zone !== undefined) {
      return { start: match.index, end: match.index + match[0].length, meanings: [{ zone }] };
    }
  }
  return undefined;
}
