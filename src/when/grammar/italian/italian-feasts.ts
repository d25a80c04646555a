import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, nthOf, onDate, SHOPPING_DAYS } from '../feasts.ts';

const SUNDAY = 0;

export const ITALIAN_FEASTS: Vocabulary['feasts'] = [
  ['capodanno', onDate(1, 1)],
  ["(?:(?:l')?epifania|(?:la )?befana)", onDate(1, 6)],
  ['san valentino', onDate(2, 14)],
  ['(?:la )?festa della donna', onDate(3, 8)],
  ['(?:(?:la )?festa del papà|(?:(?:la )?festa di )?san giuseppe)', onDate(3, 19)],
  ['(?:le )?idi di marzo', onDate(3, 15)],
  ['(?:la )?(?:festa|giorno) (?:dei lavoratori|del lavoro)', onDate(5, 1)],
  ['(?:ferragosto|assunzione)', onDate(8, 15)],
  ['halloween', onDate(10, 31)],
  ['(?:ognissanti|festa dei santi|tutti i santi)', onDate(11, 1)],
  ['(?:(?:il )?giorno dei|ai|i) morti', onDate(11, 2)],
  ["(?:l')?immacolata(?: concezione)?", onDate(12, 8)],
  ['(?:la )?vigilia(?: di natale)?(?! di capodanno)', onDate(12, 24)],
  ['(?:(?:il )?giorno di )?natale', onDate(12, 25)],
  ['santo stefano', onDate(12, 26)],
  [
    "(?:san silvestro|(?:la )?(?:vigilia|notte) di capodanno|(?:l')?ultimo (?:giorno )?dell'anno)",
    onDate(12, 31),
  ],
  // Legge 260/1949: Italy.
  ['(?:(?:la )?festa della |la )liberazione', onDate(4, 25)],
  ['(?:(?:la )?festa della |la )repubblica', onDate(6, 2)],
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
  ['(?:la )?festa della mamma', nthOf(2, SUNDAY, 5)],
  ['(?:il )?(?:black friday|venerdì nero)', SHOPPING_DAYS.blackFriday],
  ['(?:il )?cyber monday', SHOPPING_DAYS.cyberMonday],
];
