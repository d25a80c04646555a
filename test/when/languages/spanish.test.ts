import { testReadings } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'es-ES';

testReadings('Spanish phrases with a single meaning are understood: %s', { kind: 'understood', locale }, [
  ['misma hora el lunes', '2026-11-23 11:15'],
  ['próx martes 10:00', '2026-11-24 10:00'],
  ['martes 9am hora de México', '2026-11-24 09:00 America/Mexico_City'],
  ['lunes q viene 9h', '2026-11-23 09:00'],
  ['de hoy en ocho', '2026-11-27 09:00'],
  ['mañana de madrugada a las 3', '2026-11-21 03:00'],
  ['primer lunes del mes 9h', '2026-12-07 09:00'],
  ['vale, el martes a las 10', '2026-11-24 10:00'],
  ['cambiar a mañana 9h', '2026-11-21 09:00'],
  ['semana que viene martes 9', '2026-11-24 09:00'],
  ['en media horita', '2026-11-20 11:45'],
  ['martes semana 49 9:15', '2026-12-01 09:15'],
  ['manana a las 15h', '2026-11-21 15:00'],
  ['pasado mañana a las tres y media de la tarde', '2026-11-22 15:30'],
  ['dentro de dos horas', '2026-11-20 13:15'],
  ['próximo miércoles al mediodía', '2026-11-25 12:00'],
  ['el miércoles alrededor de las 17:45', '2026-11-25 17:45'],
  ['veinticinco de enero a las nueve y media de la mañana', '2027-01-25 09:30'],
  ['lun 10:00', '2026-11-23 10:00'],
  ['el 17 del 11 a las 9:15', '2027-11-17 09:15'],
  ['3 del 5 20:30', '2027-05-03 20:30'],
  ['a las 10:45 el 21 del 12', '2026-12-21 10:45'],
  ['el próximo 6 de abril a las 9:15', '2027-04-06 09:15'],
  ['lunes a la hora de comer', '2026-11-23 12:00'],
  ['martes después del almuerzo', '2026-11-24 13:00'],
  ['jueves 16h la semana que viene', '2026-11-26 16:00'],
  ['la próxima semana a las 16h el jueves', '2026-11-26 16:00'],
  ['dentro de 2h15', '2026-11-20 13:30'],
  ['lunes 9 hs', '2026-11-23 09:00'],
  ['hoy más tarde', '2026-11-20 12:00'],
  ['mañana a última hora de la tarde', '2026-11-21 17:00'],
  ['esta noche tarde', '2026-11-20 23:00'],
  ['lunes temprano', '2026-11-23 07:00'],
  ['el lunes después de navidad', '2026-12-28 09:00'],
  ['el día después de navidad', '2026-12-26 09:00'],
  ['mañana a la misma hora', '2026-11-21 11:15'],
  ['el 12-5 a las 18h', '2027-05-12 18:00'],
  ['2 de octubre de dos mil treinta', '2030-10-02 09:00'],
  ['seis cero dos pm', '2026-11-20 18:02'],
  ['15 a las 8:00', '2026-12-15 08:00'],
  ['el 3 de diciembre a las nueve menos cuarto', '2026-12-03 08:45'],
]);

testReadings('Spanish phrases with several meanings are ambiguous: %s', { kind: 'ambiguous', locale }, [
  ['en quince días', '2026-12-04 11:15 | 2026-12-05 11:15'],
  ['diez para las ocho', '2026-11-21 07:50 | 2026-11-20 19:50'],
  ['a finales de la próxima semana', '2026-11-27 09:00 | 2026-11-29 09:00'],
  ['este fin de semana', '2026-11-21 09:00 | 2026-11-22 09:00'],
]);

testReadings(
  'Spanish phrases that aren’t a single future time are refused: %s',
  { kind: 'not-understood', locale },
  [
    ['ayer a las 9', 'ayer'],
    ['hace dos horas', 'hace dos'],
    ['del 3 al 5 de diciembre', 'del 3 al 5 de diciembre'],
    ['entre las 9 y las 11', 'entre'],
    ['lunes o martes', 'o'],
    ['no mañana', 'no'],
  ],
);
