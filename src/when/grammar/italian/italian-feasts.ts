import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, nthOf, onDates, SHOPPING_DAYS } from '../feasts.ts';

export const ITALIAN_FEASTS: Vocabulary['feasts'] = [
  ...onDates(`01-01 capodanno; 01-06 (?:(?:l')?epifania|(?:la )?befana); 02-14 san valentino;
    03-08 (?:la )?festa della donna; 03-19 (?:(?:la )?festa del papà|(?:(?:la )?festa di )?san giuseppe);
    03-15 (?:le )?idi di marzo; 05-01 (?:la )?(?:festa|giorno) (?:dei lavoratori|del lavoro);
    08-15 (?:ferragosto|assunzione); 10-31 halloween; 11-01 (?:ognissanti|festa dei santi|tutti i santi);
    11-02 (?:(?:il )?giorno dei|ai|i) morti; 12-08 (?:l')?immacolata(?: concezione)?;
    12-24 (?:la )?vigilia(?: di natale)?(?! di capodanno); 12-25 (?:(?:il )?giorno di )?natale;
    12-26 santo stefano;
    12-31 (?:san silvestro|(?:la )?(?:vigilia|notte) di capodanno|(?:l')?ultimo (?:giorno )?dell'anno)`),
  // Legge 260/1949: Italy.
  ...onDates('04-25 (?:(?:la )?festa della |la )liberazione; 06-02 (?:(?:la )?festa della |la )repubblica'),
  // The churches' calendar.
  ['(?:il )?giovedì grasso', CHURCH_FEASTS.fatThursday],
  ['(?:il )?martedì grasso', CHURCH_FEASTS.shroveTuesday],
  ['(?:il )?mercoledì delle ceneri', CHURCH_FEASTS.ashWednesday],
  ['(?:la )?domenica delle palme', CHURCH_FEASTS.palmSunday],
  ['(?:il )?giovedì santo', CHURCH_FEASTS.maundyThursday],
  ['(?:il )?venerdì santo', CHURCH_FEASTS.goodFriday],
  ['(?:il )?sabato santo', CHURCH_FEASTS.holySaturday],
  ['(?:(?:la )?domenica di )?pasqua', CHURCH_FEASTS.easter],
  ["(?:(?:il )?lunedì (?:di pasqua|dell'angelo)|pasquetta)", CHURCH_FEASTS.easterMonday],
  ["(?:l')?ascensione", CHURCH_FEASTS.ascension],
  ['(?:(?:la )?domenica di )?pentecoste', CHURCH_FEASTS.whitSunday],
  ['(?:il )?lunedì di pentecoste', CHURCH_FEASTS.whitMonday],
  ['(?:il )?corpus domini', CHURCH_FEASTS.corpusChristi],
  // Customs.
  ['(?:la )?festa della mamma', nthOf(2, 'sunday', 5)],
  ['(?:il )?(?:black friday|venerdì nero)', SHOPPING_DAYS.blackFriday],
  ['(?:il )?cyber monday', SHOPPING_DAYS.cyberMonday],
];
