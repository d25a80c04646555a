import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, nthOf, onDate, SHOPPING_DAYS } from '../feasts.ts';

const SUNDAY = 0;

export const SPANISH_FEASTS: Vocabulary['feasts'] = [
  ['(?:el )?(?:día de )?año nuevo', onDate(1, 1)],
  ['(?:la )?noche de (?:los )?reyes', onDate(1, 5)],
  ['(?:el )?(?:día de (?:los )?reyes(?: magos)?|reyes(?: magos)?)', onDate(1, 6)],
  ['(?:el )?(?:día de san valentín|san valentín|día de los enamorados)', onDate(2, 14)],
  ['(?:el )?día (?:internacional )?de la mujer', onDate(3, 8)],
  ['san josé', onDate(3, 19)],
  ['(?:el )?día (?:internacional )?(?:del trabajo|del trabajador|de los trabajadores)', onDate(5, 1)],
  ['(?:la )?noche de san juan', onDate(6, 23)],
  ['(?:el )?(?:día de )?san juan', onDate(6, 24)],
  ['(?:la )?asunción', onDate(8, 15)],
  ['halloween', onDate(10, 31)],
  ['(?:el )?(?:día de )?todos los santos', onDate(11, 1)],
  ['(?:el )?día de (?:los )?muertos', onDate(11, 2)],
  ['(?:la )?inmaculada(?: concepción)?', onDate(12, 8)],
  ['(?:la )?noche ?buena', onDate(12, 24)],
  ['(?:la |el día de )?navidad', onDate(12, 25)],
  ['(?:el )?día de los (?:santos )?inocentes', onDate(12, 28)],
  ['(?:(?:la )?noche ?vieja|fin de año)', onDate(12, 31)],
  // Ley 18/1987 and Real Decreto 2964/1983: Spain.
  ['(?:el )?día de la hispanidad', onDate(10, 12)],
  ['(?:el )?día de la constitución', onDate(12, 6)],
  // The churches' calendar.
  ['(?:el )?martes de carnaval', CHURCH_FEASTS.shroveTuesday],
  ['(?:el )?miércoles de ceniza', CHURCH_FEASTS.ashWednesday],
  ['(?:el )?domingo de ramos', CHURCH_FEASTS.palmSunday],
  ['(?:el )?jueves santo', CHURCH_FEASTS.maundyThursday],
  ['(?:el )?viernes santo', CHURCH_FEASTS.goodFriday],
  ['(?:el )?sábado (?:santo|de gloria)', CHURCH_FEASTS.holySaturday],
  ['(?:(?:el )?domingo de )?(?:pascua(?: de resurrección)?|resurrección)', CHURCH_FEASTS.easter],
  ['(?:el )?lunes de pascua', CHURCH_FEASTS.easterMonday],
  ['(?:el )?(?:día|jueves) de la ascensión', CHURCH_FEASTS.ascension],
  ['(?:(?:el )?domingo de )?pentecostés', CHURCH_FEASTS.whitSunday],
  ['(?:el )?lunes de pentecostés', CHURCH_FEASTS.whitMonday],
  ['(?:el )?corpus(?: christi)?', CHURCH_FEASTS.corpusChristi],
  // Customs: mothers have their day a week later in most of America, in Mexico on the 10th.
  ['(?:el )?día de la madre', [nthOf(1, SUNDAY, 5), nthOf(2, SUNDAY, 5)]],
  ['(?:el )?día de las madres', onDate(5, 10)],
  ['(?:el )?(?:black friday|viernes negro)', SHOPPING_DAYS.blackFriday],
  ['(?:el )?(?:cyber ?monday|ciberlunes)', SHOPPING_DAYS.cyberMonday],
];
