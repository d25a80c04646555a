import type { FoundZone } from './found-zone.ts';
import { ABBREVIATIONS, AMBIGUOUS_ABBREVIATIONS, CAPITALS_ONLY } from './zone-abbreviations.ts';

/** "9am et", "14:30 ct": right after a time these are no words. */
const CLOCKS = /^(?:e|c|m)t$/i;
const AFTER_TIME = /(?:\d\s?[ap]\.?m\.?|\d:\d\d)\s*$/i;

/** "PT", "cet", "IST": the last one in the text that fits, since zone words follow the time. */
export function findAbbreviation(
  text: string,
  capitalsOnly: boolean,
  fits: (found: FoundZone) => boolean,
): FoundZone | undefined {
  const pair = findPair(text);
  if (pair !== undefined) return pair;
  let last: FoundZone | undefined;
  for (const match of text.matchAll(
    /(?<![\p{L}\p{N}])[A-Za-z]{2,4}(?![\p{L}\p{N}])|(?<=\d(?:[ap]m|[AP]M)?)[A-Z]{3,4}(?![\p{L}\p{N}])/gu,
  )) {
    const isAfterTime = AFTER_TIME.test(text.slice(0, match.index));
    const word = isAfterTime && !capitalsOnly && CLOCKS.test(match[0]) ? match[0].toUpperCase() : match[0];
    const meanings = meaningsOf(word, capitalsOnly);
    if (meanings === undefined) continue;
    const found = { start: match.index, end: match.index + match[0].length, meanings };
    if (fits(found)) last = found;
  }
  return last;
}

/** "CET/CEST", "PST/PDT": the clock of one zone, whatever the season. */
function findPair(text: string): FoundZone | undefined {
  for (const match of text.matchAll(/\b([A-Z]{3,4})\s?\/\s?([A-Z]{3,4})\b/g)) {
    const [first, second] = [match[1] ?? '', match[2] ?? ''].map(
      (word) => meaningsOf(word, false)?.[0]?.zone,
    );
    if (first !== undefined && first === second)
      return { start: match.index, end: match.index + match[0].length, meanings: [{ zone: first }] };
  }
  return undefined;
}

function meaningsOf(word: string, capitalsOnly: boolean): FoundZone['meanings'] | undefined {
  const capitals = word.toUpperCase();
  if (word !== capitals && (capitalsOnly || CAPITALS_ONLY.has(capitals))) return undefined;
  if (Object.hasOwn(AMBIGUOUS_ABBREVIATIONS, capitals)) return AMBIGUOUS_ABBREVIATIONS[capitals];
  const single = Object.hasOwn(ABBREVIATIONS, capitals) ? ABBREVIATIONS[capitals] : undefined;
  return single === undefined ? undefined : [single];
}
