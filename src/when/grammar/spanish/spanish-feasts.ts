import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, nthOf, onDate, onDates, SHOPPING_DAYS } from '../feasts.ts';

export const SPANISH_FEASTS: Vocabulary['feasts'] = [
  ...onDates(`01-01 (?:el )?(?:día de )?año nuevo; 01-05 (?:la )?noche de (?:los )?reyes;
    01-06 (?:el )?(?:día de (?:los )?reyes(?: magos)?|reyes(?: magos)?);
    02-14 (?:el )?(?:día de san valentín|san valentín|día de los enamorados);
    03-08 (?:el )?día (?:internacional )?de la mujer; 03-19 san josé;
    05-01 (?:el )?día (?:internacional )?(?:del trabajo|del trabajador|de los trabajadores);
    06-23 (?:la )?noche de san juan; 06-24 (?:el )?(?:día de )?san juan; 08-15 (?:la )?asunción;
    10-31 halloween; 11-01 (?:el )?(?:día de )?todos los santos; 11-02 (?:el )?día de (?:los )?muertos;
    12-08 (?:la )?inmaculada(?: concepción)?; 12-24 (?:la )?noche ?buena; 12-25 (?:la |el día de )?navidad;
    12-28 (?:el )?día de los (?:santos )?inocentes; 12-31 (?:(?:la )?noche ?vieja|fin de año)`),
  // Ley 18/1987 and Real Decreto 2964/1983: Spain.
  ...onDates('10-12 (?:el )?día de la hispanidad; 12-06 (?:el )?día de la constitución'),
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
  ['(?:el )?día de la madre', [nthOf(1, 'sunday', 5), nthOf(2, 'sunday', 5)]],
  ['(?:el )?día de las madres', onDate(5, 10)],
  ['(?:el )?(?:black friday|viernes negro)', SHOPPING_DAYS.blackFriday],
  ['(?:el )?(?:cyber ?monday|ciberlunes)', SHOPPING_DAYS.cyberMonday],
];
