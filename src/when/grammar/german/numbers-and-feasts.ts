import type { Vocabulary } from '../european/vocabulary.ts';
import { numerals, patternsIn } from '../european/word-list.ts';
import { CHURCH_FEASTS, daysAfter, nthOf, onDate, onDates, SHOPPING_DAYS } from '../feasts.ts';

export const GERMAN_NUMBERS = numerals({
  small: patternsIn(`null, (?:ein|eins|eine|einen|einem|einer|'?ner|'?nem), (?:zwei|zwo), drei, vier, fünf,
    sechs, sieben, acht, neun, zehn, elf, zwölf, dreizehn, vierzehn, fünfzehn, sechzehn, siebzehn, achtzehn,
    neunzehn`),
  tens: { 20: 'zwanzig', 30: 'dreißig', 40: 'vierzig', 50: 'fünfzig' },
  compound: (ten, unit) => `${unit}und${ten}`,
});

const IRREGULAR: Readonly<Record<number, string>> = { 1: 'ers', 3: 'drit', 7: 'sieb(?:en)?', 8: 'ach' };

/** "ersten", "dritter", "einundzwanzigste": to 19 with -te, from 20 with -ste. */
export const GERMAN_ORDINALS = GERMAN_NUMBERS.filter(([, value]) => value >= 1 && value <= 31).map(
  ([word, value]) => [`${IRREGULAR[value] ?? word}${value < 20 ? 't' : 'st'}e[nrsm]?`, value] as const,
);

export const GERMAN_FEASTS: Vocabulary['feasts'] = [
  ...onDates(`01-01 (?:neujahr|neujahrstag); 01-06 (?:heilige drei könige|dreikönigstag|dreikönig);
    02-14 valentinstag; 03-08 (?:internationale[rn] )?(?:welt)?frauentag; 04-30 walpurgisnacht;
    05-01 tag der arbeit|maifeiertag`),
  // The United Nations' day is in November, but Germany has two of its own.
  ['(?:welt|internationaler )?kindertag', [onDate(6, 1), onDate(9, 20)]],
  ...onDates(`06-24 johannis(?:tag)?; 08-15 mariä himmelfahrt; 10-31 (?:halloween|reformationstag);
    11-01 allerheiligen; 11-02 allerseelen; 11-11 (?:sankt martin|st\\.? martin|martinstag); 12-04 barbaratag;
    12-06 (?:sankt |st\\.? )?nikolaus(?:tag|abend)?;
    12-24 (?:heiligabend|heilige[rn]? abend|heilig abend|weihnachtsabend);
    12-25 (?:erste[rn]?|1\\.) weihnachts(?:feier)?tag;
    12-26 (?:(?:zweite[rn]?|2\\.) weihnachts(?:feier)?tag|stephanstag|stefanitag)`),
  // Presents are given on the eve; the feast is the day.
  ['weihnachten', [onDate(12, 25), onDate(12, 24)]],
  ['(?:silvester|sylvester)(?:abend|tag)?', onDate(12, 31)],
  // Einigungsvertrag of 1990, article 2: Germany. 1 August: the Swiss federal constitution, article 110.
  ...onDates('10-03 tag der (?:deutschen )?einheit; 08-01 bundesfeiertag'),
  // The churches' calendar.
  ['(?:weiberfastnacht|altweiber|schmotziger donnerstag)', CHURCH_FEASTS.fatThursday],
  ['rosenmontag', CHURCH_FEASTS.roseMonday],
  ['(?:fastnachts|faschings|karnevals)sonntag', CHURCH_FEASTS.carnivalSunday],
  ['(?:fastnachts|faschings|veilchen)dienstag', CHURCH_FEASTS.shroveTuesday],
  ['aschermittwoch', CHURCH_FEASTS.ashWednesday],
  ['palmsonntag', CHURCH_FEASTS.palmSunday],
  ['gründonnerstag', CHURCH_FEASTS.maundyThursday],
  ['karfreitag', CHURCH_FEASTS.goodFriday],
  ['(?:kar|oster)samstag', CHURCH_FEASTS.holySaturday],
  ['oster(?:n|sonntag)', CHURCH_FEASTS.easter],
  ['ostermontag', CHURCH_FEASTS.easterMonday],
  ['(?:christi )?himmelfahrt(?:stag)?', CHURCH_FEASTS.ascension],
  ['pfingst(?:en|sonntag)', CHURCH_FEASTS.whitSunday],
  ['pfingstmontag', CHURCH_FEASTS.whitMonday],
  ['fronleichnam', CHURCH_FEASTS.corpusChristi],
  ['erntedank(?:fest)?', nthOf(1, 'sunday', 10)],
  ['(?:buß-? und bettag|bußtag)', daysAfter(-11, CHURCH_FEASTS.firstAdvent)],
  ['volkstrauertag', daysAfter(-14, CHURCH_FEASTS.firstAdvent)],
  ['(?:toten|ewigkeits)sonntag', daysAfter(-7, CHURCH_FEASTS.firstAdvent)],
  ['(?:(?:erste[rn]?|1\\.) advent(?:ssonntag)?)', CHURCH_FEASTS.firstAdvent],
  ['(?:(?:zweite[rn]?|2\\.) advent(?:ssonntag)?)', CHURCH_FEASTS.secondAdvent],
  ['(?:(?:dritte[rn]?|3\\.) advent(?:ssonntag)?)', CHURCH_FEASTS.thirdAdvent],
  ['(?:(?:vierte[rn]?|4\\.) advent(?:ssonntag)?)', CHURCH_FEASTS.fourthAdvent],
  // Customs: fathers have their day on a Sunday in Austria.
  ['muttertag', nthOf(2, 'sunday', 5)],
  ['vatertag', [CHURCH_FEASTS.ascension, nthOf(2, 'sunday', 6)]],
  ['black friday', SHOPPING_DAYS.blackFriday],
  ['cyber monday', SHOPPING_DAYS.cyberMonday],
];
