import { DateTime } from 'luxon';
import type { Vocabulary } from '../european/vocabulary.ts';
import { numerals, patternsIn } from '../european/word-list.ts';
import { CHURCH_FEASTS, type InYear, nthOf, onDate, onDates, SHOPPING_DAYS } from '../feasts.ts';

export const DUTCH_NUMBERS = numerals({
  small: patternsIn(`nul, (?:één|een), twee, drie, vier, vijf, zes, zeven, acht, negen, tien, elf, twaalf,
    dertien, veertien, vijftien, zestien, zeventien, achttien, negentien`),
  tens: { 20: 'twintig', 30: 'dertig', 40: 'veertig', 50: 'vijftig' },
  compound: (ten, unit) => `${unit}en${ten}`,
});

const IRREGULAR: Readonly<Record<number, string>> = { 1: 'eerste', 3: 'derde', 8: 'achtste' };

/** "tweede", "twintigste", "eenendertigste": to 19 with -de, from 20 with -ste. */
export const DUTCH_ORDINALS = DUTCH_NUMBERS.filter(([, value]) => value >= 1 && value <= 31).map(
  ([word, value]) => [IRREGULAR[value] ?? `${word}${value < 20 ? 'de' : 'ste'}`, value] as const,
);

/** 27 April, and the day before where that is a Sunday (rijksoverheid.nl, Koningsdag). */
const kingsDay: InYear = (year) => {
  const day = DateTime.utc(year, 4, 27);
  return day.weekday === 7 ? day.minus({ days: 1 }) : day;
};

const FEASTS: Vocabulary['feasts'] = [
  ...onDates(`01-01 nieuwjaar(?:sdag)?; 01-06 driekoningen; 02-14 valentijn(?:sdag)?; 05-01 dag van de arbeid;
    10-04 dierendag; 10-31 halloween; 11-01 allerheiligen; 11-02 allerzielen;
    11-11 (?:sint|sinter|st\\.?) ?maarten; 12-05 (?:sinterklaasavond|pakjesavond)`),
  // His eve in the Netherlands, his day in Belgium.
  ['sinterklaas', [onDate(12, 5), onDate(12, 6)]],
  ...onDates(`12-24 kerst ?avond; 12-25 (?:(?:eerste|1e) kerst ?dag|kerst(?:mis|dag)?);
    12-26 (?:tweede|2e) kerst ?dag;
    12-31 (?:oud ?jaar(?:savond|sdag)?|oudejaars ?(?:avond|dag|nacht)|oud en nieuw)`),
  // rijksoverheid.nl: the Netherlands. Belgium's national day: the law of 27 May 1890.
  ['koningsdag', kingsDay],
  ...onDates('05-04 dodenherdenking; 05-05 bevrijdingsdag'),
  ['prinsjesdag', nthOf(3, 'tuesday', 9)],
  ['nationale feestdag', onDate(7, 21)],
  // The churches' calendar.
  ['carnavalszondag', CHURCH_FEASTS.carnivalSunday],
  ['carnavalsmaandag', CHURCH_FEASTS.roseMonday],
  ['(?:carnavalsdinsdag|vastenavond)', CHURCH_FEASTS.shroveTuesday],
  ['aswoensdag', CHURCH_FEASTS.ashWednesday],
  ['palmzondag', CHURCH_FEASTS.palmSunday],
  ['witte donderdag', CHURCH_FEASTS.maundyThursday],
  ['goede vrijdag', CHURCH_FEASTS.goodFriday],
  ['(?:stille|paas) ?zaterdag', CHURCH_FEASTS.holySaturday],
  ['(?:pasen|paas ?zondag|(?:eerste|1e) paas ?dag)', CHURCH_FEASTS.easter],
  ['(?:paas ?maandag|(?:tweede|2e) paas ?dag)', CHURCH_FEASTS.easterMonday],
  ['hemelvaart(?:sdag)?', CHURCH_FEASTS.ascension],
  ['(?:pinksteren|pinkster ?zondag|(?:eerste|1e) pinkster ?dag)', CHURCH_FEASTS.whitSunday],
  ['(?:pinkster ?maandag|(?:tweede|2e) pinkster ?dag)', CHURCH_FEASTS.whitMonday],
  // Customs: fathers have their day a week earlier in Belgium.
  ['moederdag', nthOf(2, 'sunday', 5)],
  ['vaderdag', [nthOf(3, 'sunday', 6), nthOf(2, 'sunday', 6)]],
  ['black friday', SHOPPING_DAYS.blackFriday],
  ['cyber monday', SHOPPING_DAYS.cyberMonday],
];

/** "Met kerst": a feast's own word for "on". */
export const DUTCH_FEASTS = FEASTS.map(([name, feast]) => [`(?:met )?${name}`, feast] as const);
