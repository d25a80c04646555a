import { describe, expect, test } from 'vitest';
import { summarize } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'es-ES';

describe('Spanish phrases with a single meaning are understood', () => {
  test.each([
    ['de hoy en ocho', '2026-11-27 09:00'],
    ['lunes en ocho', '2026-11-30 09:00'],
    ['mañana de madrugada a las 3', '2026-11-21 03:00'],
    ['primer lunes del mes 9h', '2026-12-07 09:00'],
    ['vale, el martes a las 10', '2026-11-24 10:00'],
    ['cambiar a mañana 9h', '2026-11-21 09:00'],
    ['semana que viene martes 9', '2026-11-24 09:00'],
    ['en media horita', '2026-11-20 11:45'],
    ['martes semana 49 9:15', '2026-12-01 09:15'],
    ['mañana x la mañana', '2026-11-21 09:00'],
    ['martes a las 5', '2026-11-24 17:00'],
    ['mañana por la mañana a las 9', '2026-11-21 09:00'],
    ['manana a las 15h', '2026-11-21 15:00'],
    ['pasado mañana a las tres y media de la tarde', '2026-11-22 15:30'],
    ['dentro de dos horas', '2026-11-20 13:15'],
    ['esta noche a las 9', '2026-11-20 21:00'],
    ['en media hora', '2026-11-20 11:45'],
    ['en hora y media', '2026-11-20 12:45'],
    ['próximo miércoles al mediodía', '2026-11-25 12:00'],
    ['10 de enero del 2027 a las 15h', '2027-01-10 15:00'],
    ['el miércoles alrededor de las 17:45', '2026-11-25 17:45'],
    ['veinticinco de enero a las nueve y media de la mañana', '2027-01-25 09:30'],
    ['último viernes de enero a las 14:00', '2027-01-29 14:00'],
    ['fin de mes', '2026-11-30 09:00'],
    ['lun 10:00', '2026-11-23 10:00'],
    ['a las 8 de la tarde', '2026-11-20 20:00'],
    ['el 17 del 11 a las 9:15', '2027-11-17 09:15'],
    ['3 del 5 20:30', '2027-05-03 20:30'],
    ['a las 10:45 el 21 del 12', '2026-12-21 10:45'],
    ['el próximo 6 de abril a las 9:15', '2027-04-06 09:15'],
    ['el próximo 15 a las 20:30', '2026-12-15 20:30'],
    ['próximo 2 de mayo 10:15', '2027-05-02 10:15'],
    ['mañana por la tarde', '2026-11-21 17:00'],
    ['lunes a la hora de comer', '2026-11-23 12:00'],
    ['martes después del almuerzo', '2026-11-24 13:00'],
    ['1 de enero de 28 a las 9:15', '2028-01-01 09:15'],
    ['jueves 16h la semana que viene', '2026-11-26 16:00'],
    ['la próxima semana a las 16h el jueves', '2026-11-26 16:00'],
    ['dentro de 2h15', '2026-11-20 13:30'],
    ['en 1 hora y 30', '2026-11-20 12:45'],
    ['en un par de horas', '2026-11-20 13:15'],
    ['lunes 9 hs', '2026-11-23 09:00'],
    ['hoy más tarde', '2026-11-20 12:00'],
    ['mañana a última hora de la tarde', '2026-11-21 17:00'],
    ['esta noche tarde', '2026-11-20 23:00'],
    ['lunes temprano', '2026-11-23 07:00'],
    ['martes tarde', '2026-11-24 17:00'],
    ['mediados de enero', '2027-01-15 09:00'],
    ['el lunes después de navidad', '2026-12-28 09:00'],
    ['el día después de navidad', '2026-12-26 09:00'],
    ['mañana a la misma hora', '2026-11-21 11:15'],
    ['el 12-5 a las 18h', '2027-05-12 18:00'],
    ['próximo 12/05', '2027-05-12 09:00'],
    ['2 de octubre de dos mil treinta', '2030-10-02 09:00'],
    ['seis cero dos pm', '2026-11-20 18:02'],
    ['15 a las 8:00', '2026-12-15 08:00'],
    ['mañana a las 9', '2026-11-21 09:00'],
    ['el 3 de diciembre a las nueve menos cuarto', '2026-12-03 08:45'],
  ])('%s', (text, wallTime) => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });
});

describe('Spanish phrases with several meanings are ambiguous', () => {
  test.each([
    ['en quince días', '2026-12-04 11:15 | 2026-12-05 11:15'],
    ['diez para las ocho', '2026-11-21 07:50 | 2026-11-20 19:50'],
    ['a finales de la próxima semana', '2026-11-27 09:00 | 2026-11-29 09:00'],
    ['este fin de semana', '2026-11-21 09:00 | 2026-11-22 09:00'],
    ['al final del día', '2026-11-20 17:00 | 2026-11-20 23:59'],
  ])('%s', (text, wallTimes) => {
    expect(summarize(text, { locale })).toBe(`ambiguous: ${wallTimes}`);
  });
});

describe('Spanish phrases that aren’t a single future time are refused', () => {
  test.each([
    ['mejor no el lunes 9h', 'mejor no el'],
    ['ayer a las 9', 'ayer'],
    ['hace dos horas', 'hace dos'],
    ['lunes pasado', 'lunes pasado'],
    ['todos los lunes a las 9', 'todos los'],
    ['los lunes a las 9', 'los lunes'],
    ['de 9 a 11', 'de 9 a 11'],
    ['del 3 al 5 de diciembre', 'del 3 al 5 de diciembre'],
    ['entre las 9 y las 11', 'entre'],
    ['hasta mañana', 'hasta'],
    ['lunes o martes', 'o'],
    ['lunes y martes a las 9', 'y'],
    ['la próxima semana', 'la próxima semana'],
    ['después de las 9', 'después de'],
    ['no mañana', 'no'],
    ['9-11', '9-11'],
    ['cada fin de semana', 'cada'],
    ['la semana que viene a las 9', 'la semana que viene a las 9'],
  ])('%s', (text, unparsedText) => {
    expect(summarize(text, { locale })).toBe(`not-understood: ${unparsedText}`);
  });
});
