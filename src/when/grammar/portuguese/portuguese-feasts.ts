import type { Vocabulary } from '../european/vocabulary.ts';
import { CHURCH_FEASTS, nthOf, onDate, SHOPPING_DAYS } from '../feasts.ts';

const SUNDAY = 0;

export const PORTUGUESE_FEASTS: Vocabulary['feasts'] = [
  ['(?:n?o )?(?:dia de )?ano novo', onDate(1, 1)],
  ['(?:n?o )?dia de reis', onDate(1, 6)],
  ['(?:n?o )?(?:dia de )?são valentim', onDate(2, 14)],
  ['(?:n?o )?dia (?:internacional )?da mulher', onDate(3, 8)],
  ['(?:n?o )?dia do trabalh(?:o|ador)', onDate(5, 1)],
  ['(?:n?o )?(?:dia de )?santo ant[óô]nio', onDate(6, 13)],
  ['(?:n?o )?(?:dia de )?são joão', onDate(6, 24)],
  ['(?:dia da )?assunção', onDate(8, 15)],
  ['(?:n?o )?(?:halloween|dia das bruxas)', onDate(10, 31)],
  ['(?:n?o )?(?:dia de )?todos os santos', onDate(11, 1)],
  ['(?:n?o )?(?:dia de )?finados', onDate(11, 2)],
  ['(?:dia da )?imaculada(?: conceição)?', onDate(12, 8)],
  ['(?:(?:n?a )?véspera|noite) de natal', onDate(12, 24)],
  ['(?:n?o )?(?:dia de )?natal', onDate(12, 25)],
  ['(?:n?a )?(?:véspera|noite) de ano novo', onDate(12, 31)],
  // A night that is of both years.
  ['(?:(?:n?o )?réveillon|(?:n?a )?passagem de ano)', [onDate(12, 31), onDate(1, 1)]],
  // Lei 662/1949 and those after it: Brazil.
  ['(?:n?o )?(?:dia de )?tiradentes', onDate(4, 21)],
  ['(?:n?o )?dia da independência', onDate(9, 7)],
  ['(?:(?:n?o )?dia de )?nossa senhora aparecida', onDate(10, 12)],
  ['(?:n?o )?dia das crianças', onDate(10, 12)],
  ['(?:(?:n?o )?dia da )?proclamação da república', onDate(11, 15)],
  ['(?:(?:n?o )?dia da )?consciência negra', onDate(11, 20)],
  // Código do Trabalho, article 234: Portugal.
  ['(?:n?o )?dia da liberdade', onDate(4, 25)],
  ['implantação da república', onDate(10, 5)],
  ['restauração da independência', onDate(12, 1)],
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
  ['(?:n?o )?dia das mães', nthOf(2, SUNDAY, 5)],
  ['(?:n?o )?dia da mãe', nthOf(1, SUNDAY, 5)],
  ['(?:n?o )?dia dos pais', nthOf(2, SUNDAY, 8)],
  ['(?:n?o )?dia do pai', onDate(3, 19)],
  ['(?:n?o )?dia dos namorados', [onDate(6, 12), onDate(2, 14)]],
  ['(?:n?a )?(?:black friday|sexta(?: feira)? negra)', SHOPPING_DAYS.blackFriday],
  ['(?:n?a )?cyber monday', SHOPPING_DAYS.cyberMonday],
];
