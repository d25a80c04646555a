import { testReadings } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'nl-NL';

testReadings('Dutch phrases with a single meaning are understood: %s', { kind: 'understood', locale }, [
  ['eerste maandagavond van december', '2026-12-07 18:00'],
  ['vlgd week maandag 9 uur', '2026-11-23 09:00'],
  ['zaterdag om klokslag 10', '2026-11-21 10:00'],
  ['zet maandag om 9 uur online aub', '2026-11-23 09:00'],
  ['dinsdag 9 uur New Yorkse tijd', '2026-11-24 09:00 America/New_York'],
  ['maandag volgende wk 9u', '2026-11-23 09:00'],
  ['eerste maandag van de maand 9u', '2026-12-07 09:00'],
  ['maandag als eerste', '2026-11-23 09:00'],
  ['doe maar dinsdag 10 uur', '2026-11-24 10:00'],
  ['verzet naar morgen 9 uur', '2026-11-21 09:00'],
  ['mrgn 14u', '2026-11-21 14:00'],
  ['vijf voor half drie', '2026-11-20 14:25'],
  ['volgende week dinsdag om kwart over twee', '2026-11-24 14:15'],
  ['over anderhalf uur', '2026-11-20 12:45'],
  ['over drieënhalf uur', '2026-11-20 14:45'],
  ['7 januari 2027 om 11:45', '2027-01-07 11:45'],
  ["vijfentwintig januari om negen uur 's ochtends", '2027-01-25 09:00'],
  ['laatste vrijdag van januari om 14 uur', '2027-01-29 14:00'],
  ['komende dinsdag 10 uur', '2026-11-24 10:00'],
  ['woensdag rond 17.45 uur', '2026-11-25 17:45'],
  ['tweede kerstdag 11:00', '2026-12-26 11:00'],
  ['de dag erna om 9:15', '2026-11-21 09:15'],
  ['morgen rond lunchtijd', '2026-11-21 12:00'],
  ['dinsdag na de lunch', '2026-11-24 13:00'],
  ['maandag tijdens de lunchpauze', '2026-11-23 12:00'],
  ['3 maart 27 om 9:15', '2027-03-03 09:15'],
  ['overmorgenavond om 8', '2026-11-22 20:00'],
  ['maandag na pasen 10 uur', '2027-03-29 10:00'],
  ['over 3 werkdagen om 10:00', '2026-11-25 10:00'],
  ['volgende werkdag 9u30', '2026-11-23 09:30'],
  ['vanavond laat', '2026-11-20 21:00'],
  ['binnen een uurtje', '2026-11-20 12:15'],
  ['woensdag 15 uur volgende week', '2026-11-25 15:00'],
  ['volgende week zondag 10 uur', '2026-11-29 10:00'],
  ['week 3 donderdag om 10 uur', '2027-01-21 10:00'],
  ['halverwege volgende week', '2026-11-25 09:00'],
  ['eind januari', '2027-01-31 09:00'],
]);

testReadings('Dutch phrases with several meanings are ambiguous: %s', { kind: 'ambiguous', locale }, [
  ['over acht dagen', '2026-11-27 11:15 | 2026-11-28 11:15'],
  ['overmorgen om half acht', '2026-11-22 07:30 | 2026-11-22 19:30'],
  ['dinsdag einde van de dag', '2026-11-24 17:00 | 2026-11-24 23:59'],
  ['half 8', '2026-11-21 07:30 | 2026-11-20 19:30 | 2026-11-21 08:30 | 2026-11-20 20:30'],
]);

testReadings(
  'Dutch phrases that aren’t a single future time are refused: %s',
  { kind: 'not-understood', locale },
  [
    ['liever niet maandag 9u', 'liever niet'],
    ['gisteren om 9', 'gisteren'],
    ['twee uur geleden', 'twee uur geleden'],
    ['maandagen om 9', 'maandagen'],
    ['van 9 tot 11', 'van 9 tot 11'],
    ['maandag t/m vrijdag', 't/m'],
    ['9-11 uur', '9-'],
  ],
);
