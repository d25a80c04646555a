import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, type InYear, nthOf, onDates, SHOPPING_DAYS } from '../feasts.ts';

/** Code de l'action sociale et des familles, D215-1: the last Sunday in May, or the next where that is Whit Sunday. */
const mothersDay: InYear = (year) => {
  const day = nthOf(-1, 'sunday', 5)(year);
  const whitSunday = CHURCH_FEASTS.whitSunday(year);
  return whitSunday !== undefined && day?.hasSame(whitSunday, 'day') ? day.plus({ weeks: 1 }) : day;
};

export const FRENCH_FEASTS: Vocabulary['feasts'] = [
  ...onDates(`01-01 (?:le )?(?:jour de l'an|nouvel an|premier de l'an); 01-06 (?:l')?épiphanie;
    02-02 (?:la )?chandeleur; 02-14 (?:la )?saint valentin; 05-01 (?:la )?fête du travail;
    06-21 (?:la )?fête de la musique; 06-24 (?:la )?saint jean; 08-15 (?:l')?assomption;
    10-31 (?:d')?halloween; 11-01 (?:(?:le jour|la journée) de )?(?:la )?toussaint;
    11-02 (?:le )?jour des morts; 12-06 (?:la )?saint nicolas;
    12-24 (?:(?:la )?veille|(?:le )?réveillon) de noël; 12-25 (?:le )?(?:jour de )?noël;
    12-31 (?:la )?saint sylvestre;
    12-31 (?:(?:la )?veille|(?:le )?réveillon) (?:du nouvel an|du jour de l'an|de la saint sylvestre)`),
  // Code du travail, L3133-1: France.
  ...onDates(`05-08 (?:la )?(?:fête de la )?victoire 1945; 07-14 (?:la )?fête nationale;
    11-11 (?:le jour de )?(?:l')?armistice`),
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
  ['(?:la )?fête des mères', [mothersDay, nthOf(2, 'sunday', 5)]],
  ['(?:la )?fête des pères', nthOf(3, 'sunday', 6)],
  ['(?:le )?(?:black friday|vendredi fou)', SHOPPING_DAYS.blackFriday],
  ['(?:le )?cyber (?:monday|lundi)', SHOPPING_DAYS.cyberMonday],
];
