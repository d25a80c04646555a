import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, nthOf, onDate, onDates, SHOPPING_DAYS } from '../feasts.ts';

export const PORTUGUESE_FEASTS: Vocabulary['feasts'] = [
  ...onDates(`01-01 (?:n?o )?(?:dia de )?ano novo; 01-06 (?:n?o )?dia de reis;
    02-14 (?:n?o )?(?:dia de )?são valentim; 03-08 (?:n?o )?dia (?:internacional )?da mulher;
    05-01 (?:n?o )?dia do trabalh(?:o|ador); 06-13 (?:n?o )?(?:dia de )?santo ant[óô]nio;
    06-24 (?:n?o )?(?:dia de )?são joão; 08-15 (?:dia da )?assunção;
    10-31 (?:n?o )?(?:halloween|dia das bruxas); 11-01 (?:n?o )?(?:dia de )?todos os santos;
    11-02 (?:n?o )?(?:dia de )?finados; 12-08 (?:dia da )?imaculada(?: conceição)?;
    12-24 (?:(?:n?a )?véspera|noite) de natal; 12-25 (?:n?o )?(?:dia de )?natal;
    12-31 (?:n?a )?(?:véspera|noite) de ano novo`),
  // A night that is of both years.
  ['(?:(?:n?o )?réveillon|(?:n?a )?passagem de ano)', [onDate(12, 31), onDate(1, 1)]],
  // Lei 662/1949 and those after it: Brazil.
  ...onDates(`04-21 (?:n?o )?(?:dia de )?tiradentes; 09-07 (?:n?o )?dia da independência;
    10-12 (?:(?:n?o )?dia de )?nossa senhora aparecida; 10-12 (?:n?o )?dia das crianças;
    11-15 (?:(?:n?o )?dia da )?proclamação da república; 11-20 (?:(?:n?o )?dia da )?consciência negra`),
  // Código do Trabalho, article 234: Portugal.
  ...onDates(
    `04-25 (?:n?o )?dia da liberdade; 10-05 implantação da república; 12-01 restauração da independência`,
  ),
  // The churches' calendar.
  ['(?:n?a )?segunda(?: feira)? de carnaval', CHURCH_FEASTS.roseMonday],
  ['(?:n?a )?terça(?: feira)? (?:de carnaval|gorda)', CHURCH_FEASTS.shroveTuesday],
  ['(?:n?a )?quarta(?: feira)? de cinzas', CHURCH_FEASTS.ashWednesday],
  ['(?:n?o )?domingo de ramos', CHURCH_FEASTS.palmSunday],
  ['(?:n?a )?quinta(?: feira)? santa', CHURCH_FEASTS.maundyThursday],
  ['(?:n?a )?sexta(?: feira)? santa', CHURCH_FEASTS.goodFriday],
  ['(?:n?o )?sábado (?:santo|de aleluia)', CHURCH_FEASTS.holySaturday],
  ['(?:n?a |(?:n?o )?(?:domingo|dia) de )?páscoa', CHURCH_FEASTS.easter],
  ['(?:n?a )?segunda(?: feira)? de páscoa', CHURCH_FEASTS.easterMonday],
  ['(?:dia|quinta(?: feira)?) da ascensão', CHURCH_FEASTS.ascension],
  ['(?:(?:n?o )?domingo de )?pentecostes', CHURCH_FEASTS.whitSunday],
  ['(?:n?o )?(?:corpus christi|corpo de deus)', CHURCH_FEASTS.corpusChristi],
  // Customs. "Dia das mães" and "dia dos pais" are Brazil's, "dia da mãe" and "dia do pai" are Portugal's.
  ['(?:n?o )?dia das mães', nthOf(2, 'sunday', 5)],
  ['(?:n?o )?dia da mãe', nthOf(1, 'sunday', 5)],
  ['(?:n?o )?dia dos pais', nthOf(2, 'sunday', 8)],
  ['(?:n?o )?dia do pai', onDate(3, 19)],
  ['(?:n?o )?dia dos namorados', [onDate(6, 12), onDate(2, 14)]],
  ['(?:n?a )?(?:black friday|sexta(?: feira)? negra)', SHOPPING_DAYS.blackFriday],
  ['(?:n?a )?cyber monday', SHOPPING_DAYS.cyberMonday],
];
