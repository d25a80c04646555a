import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, type InYear, nthOf, onDate, SHOPPING_DAYS } from '../feasts.ts';

const SUNDAY = 0;

/** Code de l'action sociale et des familles, D215-1: the last Sunday in May, or the next where that is Whit Sunday. */
const mothersDay: InYear = (year) => {
  const day = nthOf(-1, SUNDAY, 5)(year);
  const whitSunday = CHURCH_FEASTS.whitSunday(year);
  return whitSunday !== undefined && day?.hasSame(whitSunday, 'day') ? day.plus({ weeks: 1 }) : day;
};

export const FRENCH_FEASTS: Vocabulary['feasts'] = [
  ["(?:le )?(?:jour de l'an|nouvel an|premier de l'an)", onDate(1, 1)],
  ["(?:l')?épiphanie", onDate(1, 6)],
  ['(?:la )?chandeleur', onDate(2, 2)],
  ['(?:la )?saint valentin', onDate(2, 14)],
  ['(?:la )?fête du travail', onDate(5, 1)],
  ['(?:la )?fête de la musique', onDate(6, 21)],
  ['(?:la )?saint jean', onDate(6, 24)],
  ["(?:l')?assomption", onDate(8, 15)],
  ["(?:d')?halloween", onDate(10, 31)],
  ['(?:(?:le jour|la journée) de )?(?:la )?toussaint', onDate(11, 1)],
  ['(?:le )?jour des morts', onDate(11, 2)],
  ['(?:la )?saint nicolas', onDate(12, 6)],
  ['(?:(?:la )?veille|(?:le )?réveillon) de noël', onDate(12, 24)],
  ['(?:le )?(?:jour de )?noël', onDate(12, 25)],
  [
    "(?:(?:la )?saint sylvestre|(?:(?:la )?veille|(?:le )?réveillon) (?:du nouvel an|du jour de l'an|de la saint sylvestre))",
    onDate(12, 31),
  ],
  // Code du travail, L3133-1: France.
  ['(?:la )?(?:fête de la )?victoire 1945', onDate(5, 8)],
  ['(?:la )?fête nationale', onDate(7, 14)],
  ["(?:le jour de )?(?:l')?armistice", onDate(11, 11)],
  // The churches' calendar.
  ['(?:le )?mardi gras', CHURCH_FEASTS.shroveTuesday],
  ['(?:le )?mercredi des cendres', CHURCH_FEASTS.ashWednesday],
  ['(?:(?:le )?dimanche )?des rameaux', CHURCH_FEASTS.palmSunday],
  ['(?:le )?jeudi saint', CHURCH_FEASTS.maundyThursday],
  ['(?:le )?vendredi saint', CHURCH_FEASTS.goodFriday],
  ['(?:le )?samedi saint', CHURCH_FEASTS.holySaturday],
  ['(?:(?:le )?(?:dimanche|jour) de )?pâques', CHURCH_FEASTS.easter],
  ['(?:le )?lundi de pâques', CHURCH_FEASTS.easterMonday],
  ["(?:le )?(?:jeudi de )?l'ascension", CHURCH_FEASTS.ascension],
  ['(?:(?:le )?dimanche de )?(?:la )?pentecôte', CHURCH_FEASTS.whitSunday],
  ['(?:le )?lundi de (?:la )?pentecôte', CHURCH_FEASTS.whitMonday],
  // Customs: mothers have their day earlier in Belgium, Switzerland and Canada.
  ['(?:la )?fête des mères', [mothersDay, nthOf(2, SUNDAY, 5)]],
  ['(?:la )?fête des pères', nthOf(3, SUNDAY, 6)],
  ['(?:le )?(?:black friday|vendredi fou)', SHOPPING_DAYS.blackFriday],
  ['(?:le )?cyber (?:monday|lundi)', SHOPPING_DAYS.cyberMonday],
];
