import { describe, expect, test } from 'vitest';
import { summarize } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'es-ES';

describe('Spanish phrases with a single meaning are understood', () => {
  test.each([
    ['mañana por la mañana a las 9', '2026-11-21 09:00'],
    ['manana a las 15h', '2026-11-21 15:00'],
    ['pasado mañana a las tres y media de la tarde', '2026-11-22 15:30'],
    ['el viernes que viene a las 10:30', '2026-11-27 10:30'],
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
  ])('%s', (text, wallTime) => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });
});

describe('Spanish phrases with several meanings are ambiguous', () => {
  test.each([
    ['mañana a las 9', '2026-11-21 09:00 | 2026-11-21 21:00'],
    ['el 3 de diciembre a las nueve menos cuarto', '2026-12-03 08:45 | 2026-12-03 20:45'],
    ['diez para las ocho', '2026-11-21 07:50 | 2026-11-20 19:50'],
  ])('%s', (text, wallTimes) => {
    expect(summarize(text, { locale })).toBe(`ambiguous: ${wallTimes}`);
  });
});

describe('Spanish phrases that aren’t a single future time are refused', () => {
  test.each([
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
    ['en quince días', 'en quince días'],
    ['después de las 9', 'después de'],
    ['no mañana', 'no'],
  ])('%s', (text, unparsedText) => {
    expect(summarize(text, { locale })).toBe(`not-understood: ${unparsedText}`);
  });
});
