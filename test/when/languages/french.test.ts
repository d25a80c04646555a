import { testReadings } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'fr-FR';

testReadings('French phrases with a single meaning are understood: %s', { kind: 'understood', locale }, [
  ['on poste ça lundi à 9h svp', '2026-11-23 09:00'],
  ['dernier jour ouvré de février 16h', '2027-02-26 16:00'],
  ["d'ici lundi", '2026-11-23 09:00'],
  ['mardi en milieu de matinée', '2026-11-24 10:00'],
  ['disons mardi 10h', '2026-11-24 10:00'],
  ['reporte à lundi 10h', '2026-11-23 10:00'],
  ['la semaine prochaine mardi 9', '2026-11-24 09:00'],
  ['mardi semaine 49 9h15', '2026-12-01 09:15'],
  ['ap-demain 9h', '2026-11-22 09:00'],
  ['après-demain à 8h30', '2026-11-22 08:30'],
  ['cet après-midi à 3 heures', '2026-11-20 15:00'],
  ['dans une heure et demie', '2026-11-20 12:45'],
  ['lundi prochain à midi et demi', '2026-11-23 12:30'],
  ['1er déc. 14h', '2026-12-01 14:00'],
  ['dans une demi-heure', '2026-11-20 11:45'],
  ['le 7 janvier 2027 à 11 h 45', '2027-01-07 11:45'],
  ['mercredi vers 17h45', '2026-11-25 17:45'],
  ['le lundi 30 novembre à 9h', '2026-11-30 09:00'],
  ['demain à 9h heure de Paris', '2026-11-21 09:00 Europe/Paris'],
  ['demain avant le déjeuner', '2026-11-21 11:00'],
  ["lundi à l'heure du déjeuner", '2026-11-23 12:00'],
  ['le 8 juin 28 à 16h', '2028-06-08 16:00'],
  ['jeudi 16h la semaine prochaine', '2026-11-26 16:00'],
  ['dans 1 heure 30', '2026-11-20 12:45'],
  ['demain aprem 15h', '2026-11-21 15:00'],
  ['demain matin tôt', '2026-11-21 07:00'],
  ["plus tard aujourd'hui", '2026-11-20 12:00'],
  ['mi-janvier', '2027-01-15 09:00'],
  ['le lendemain de noël à 9h', '2026-12-26 09:00'],
  ['15h la veille du 3 décembre', '2026-12-02 15:00'],
  ['lundi après noël', '2026-12-28 09:00'],
  ['à la même heure demain', '2026-11-21 11:15'],
  ['le 30 novembre prochain à 10h', '2026-11-30 10:00'],
  ['lundi pro 9h', '2026-11-23 09:00'],
  ['samedi ce week-end à 10h', '2026-11-21 10:00'],
  ['le 3 décembre à neuf heures moins le quart', '2026-12-03 08:45'],
  ['vingt-cinq janvier à neuf heures trente', '2027-01-25 09:30'],
]);

testReadings('French phrases with several meanings are ambiguous: %s', { kind: 'ambiguous', locale }, [
  ['dimanche la semaine prochaine 9h', '2026-11-29 09:00 | 2026-11-22 09:00'],
  ['le soir de noël', '2026-12-24 18:00 | 2026-12-25 18:00'],
  ['dans quinze jours', '2026-12-04 11:15 | 2026-12-05 11:15'],
  ['la fin du jour', '2026-11-20 17:00 | 2026-11-20 23:59'],
]);

testReadings(
  'French phrases that aren’t a single future time are refused: %s',
  { kind: 'not-understood', locale },
  [
    ['décale de 2h', 'décale de'],
    ['il y a deux heures', 'il y a'],
    ['9h-11h', '9h-11h'],
    ["jusqu'à demain", 'jusqu'],
    ['lundi ou mardi', 'ou'],
    ['tous les week-ends', 'tous les'],
  ],
);
