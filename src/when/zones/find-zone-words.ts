import { takeSteps } from '../steps.ts';
import { findAbbreviation, findIanaName, findPlaceName, findUtcOffset } from './find-zones.ts';
import type { FoundZone } from './found-zone.ts';
import { standsAsZone } from './stands-as-zone.ts';
import type { AbbreviatedZone } from './zone-abbreviations.ts';

/** Looking for zone words takes a fraction of the time that a grammar takes for as many letters. */
const ZONE_LETTERS_PER_STEP = 5;

/** What is left of the text without its zone words, and what these can mean: nothing where there are none. */
interface ZoneWords {
  rest: string;
  meanings: readonly AbbreviatedZone[];
  /** Where only a title names a zone ("kickoff of phoenix: monday 9am"): what is left without it, and its meanings. */
  inTitle?: { rest: string; meanings: readonly AbbreviatedZone[] };
}

/**
 * Takes the zone words out of a text. A place and an offset together ("Berlin, UTC+02:00") are the place's clock,
 * at the one of an hour's two passes that has this offset. Other languages than English have words that look like
 * abbreviations ("cet", "est", "et"): there these count in capitals only.
 */
export function findZoneWords(text: string, locale: string): ZoneWords {
  takeSteps(Math.ceil(text.length / ZONE_LETTERS_PER_STEP));
  const isEnglish = /^en\b/i.test(locale.replace('_', '-'));
  const plain = withoutDots(text);
  const place = findIanaName(plain);
  const withoutPlace = place === undefined ? plain : cut(plain, place);
  const offset = findUtcOffset(withoutPlace);
  const rest = offset === undefined ? withoutPlace : cut(withoutPlace, offset);
  if (place !== undefined) return { rest, meanings: together(place.meanings, offset?.meanings) };
  const naming = { abbreviationsToo: offset === undefined, capitalsOnly: !isEnglish };
  const stands = (found: FoundZone): boolean => !isEnglish || standsAsZone(rest, found);
  const named = findNamed(rest, naming, stands);
  const meanings = together(named?.meanings, offset?.meanings);
  if (named !== undefined) return { rest: cut(rest, named), meanings };
  const inTitle = offset === undefined ? findNamed(rest, naming, () => true) : undefined;
  if (inTitle === undefined) return { rest, meanings };
  return { rest, meanings, inTitle: { rest: cut(rest, inTitle), meanings: inTitle.meanings } };
}

/** "P.S.T." as "PST" and "U.S." as "US"; "P.M." is no zone. */
function withoutDots(text: string): string {
  return text.replace(/\b(?![AP]\.M\b)([A-Z])\.([A-Z])\.(?:([A-Z])\.)?/g, '$1$2$3');
}

interface Naming {
  abbreviationsToo: boolean;
  capitalsOnly: boolean;
}

function findNamed(
  text: string,
  { abbreviationsToo, capitalsOnly }: Naming,
  fits: (found: FoundZone) => boolean,
): FoundZone | undefined {
  const abbreviation = abbreviationsToo ? findAbbreviation(text, capitalsOnly, fits) : undefined;
  return abbreviation ?? findPlaceName(text, fits);
}

function together(
  named: readonly AbbreviatedZone[] | undefined,
  fixed: readonly AbbreviatedZone[] | undefined,
): readonly AbbreviatedZone[] {
  const offset = fixed?.[0]?.offset;
  if (named === undefined) return fixed ?? [];
  return offset === undefined ? named : named.map(({ zone }) => ({ zone, offset }));
}

/** Words that only lead to or follow zone words go with them: "in Berlin", "(PT)", "London time". */
function cut(text: string, { start, end }: FoundZone): string {
  const before = text.slice(0, start).replace(/(?:[\s,]*[([]\s*|\s+\bin\s+(?:the\s+)?)$/i, ' ');
  const after = text.slice(end).replace(/^(?:'s|’s)?(?:\s+local)?(?:\s+time\b)?[\s,]*[)\]]?/i, ' ');
  return `${before} ${after}`;
}
