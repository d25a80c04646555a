import { describe, expect, test } from 'vitest';
import { summarize } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'pt-BR';

describe('Portuguese phrases with a single meaning are understood', () => {
  test.each([
    ['segunda a oito', '2026-11-30 09:00'],
    ['segunda logo cedo', '2026-11-23 07:00'],
    ['ok, terça às 10', '2026-11-24 10:00'],
    ['mudar pra amanhã 9h', '2026-11-21 09:00'],
    ['semana que vem terça 9', '2026-11-24 09:00'],
    ['qua 8 da manha', '2026-11-25 08:00'],
    ['2ª 9h', '2026-11-23 09:00'],
    ['4a às 15h', '2026-11-25 15:00'],
    ['6a que vem 10h', '2026-11-27 10:00'],
    ['depois de amanhã às 10h', '2026-11-22 10:00'],
    ['segunda que vem ao meio-dia', '2026-11-23 12:00'],
    ['dia 3 de dezembro às oito da noite', '2026-12-03 20:00'],
    ['daqui a duas horas', '2026-11-20 13:15'],
    ['hoje à noite às 8', '2026-11-20 20:00'],
    ['em meia hora', '2026-11-20 11:45'],
    ['amanhã de manhã', '2026-11-21 09:00'],
    ['quarta por volta das 17h45', '2026-11-25 17:45'],
    ['7 de janeiro de 2027 às 11:45', '2027-01-07 11:45'],
    ['vinte e cinco de janeiro às nove e meia da manhã', '2027-01-25 09:30'],
    ['última sexta de janeiro às 14h', '2027-01-29 14:00'],
    ['daqui a três dias às 10:00', '2026-11-23 10:00'],
    ['véspera de natal 18h', '2026-12-24 18:00'],
    ['dia 17 do 11 às 9:15', '2027-11-17 09:15'],
    ['3 do 5 às 20:30', '2027-05-03 20:30'],
    ['às 10:45 do dia 21 do 12', '2026-12-21 10:45'],
    ['no próximo dia 6 de abril às 9:15', '2027-04-06 09:15'],
    ['próximo dia 15 às 20:30', '2026-12-15 20:30'],
    ['próximo 2 de maio 10:15', '2027-05-02 10:15'],
    ['amanhã no almoço', '2026-11-21 12:00'],
    ['terça depois do almoço', '2026-11-24 13:00'],
    ['quarta na hora do almoço', '2026-11-25 12:00'],
    ['na próxima semana, 16h, quinta', '2026-11-26 16:00'],
    ['daqui a 2h15', '2026-11-20 13:30'],
    ['em 1 hora e 30', '2026-11-20 12:45'],
    ['daqui 2 horas', '2026-11-20 13:15'],
    ['2ª feira às 9h', '2026-11-23 09:00'],
    ['amanhã cedo', '2026-11-21 07:00'],
    ['ao final do expediente', '2026-11-20 17:00'],
    ['no fim da tarde de amanhã', '2026-11-21 17:00'],
    ['dia 27/11 às 18h', '2026-11-27 18:00'],
    ['meados de janeiro', '2027-01-15 09:00'],
    ['início da semana que vem', '2026-11-23 09:00'],
    ['dia seguinte ao natal', '2026-12-26 09:00'],
    ['segunda depois do natal', '2026-12-28 09:00'],
    ['amanhã as 15:00hs', '2026-11-21 15:00'],
    ['amanhã no mesmo horário', '2026-11-21 11:15'],
    ['vigésimo dia de dezembro', '2026-12-20 09:00'],
    ['amanhã às 9 e meia', '2026-11-21 09:30'],
  ])('%s', (text, wallTime) => {
    expect(summarize(text, { locale })).toBe(`understood: ${wallTime}`);
  });
});

describe('Portuguese phrases with several meanings are ambiguous', () => {
  test.each([
    ['daqui a quinze dias', '2026-12-04 11:15 | 2026-12-05 11:15'],
    ['quinze para as dez', '2026-11-21 09:45 | 2026-11-20 21:45'],
    ['às 9 e 10', '2026-11-21 09:10 | 2026-11-20 21:10'],
    ['sexta-feira às 14h30', '2026-11-20 14:30 | 2026-11-27 14:30'],
    ['neste fim de semana', '2026-11-21 09:00 | 2026-11-22 09:00'],
    ['fim do dia', '2026-11-20 17:00 | 2026-11-20 23:59'],
  ])('%s', (text, wallTimes) => {
    expect(summarize(text, { locale })).toBe(`ambiguous: ${wallTimes}`);
  });
});

describe('Portuguese phrases that aren’t a single future time are refused', () => {
  test.each([
    ['melhor não segunda 9h', 'melhor não'],
    ['ontem às 9', 'ontem'],
    ['há duas horas', 'há duas'],
    ['semana passada', 'semana passada'],
    ['toda segunda às 9', 'toda segunda'],
    ['às segundas às 9', 'às segundas'],
    ['das 9 às 11', 'das 9 às'],
    ['entre as 9 e as 11', 'entre'],
    ['de segunda a sexta', 'de segunda a sexta'],
    ['até amanhã', 'até'],
    ['segunda ou terça', 'ou'],
    ['segunda e terça às 9', 'e'],
    ['15 e 16 de março', '15 e'],
    ['próximo mês', 'próximo mês'],
    ['antes das 9', 'antes'],
    ['não amanhã', 'não'],
    ['todo fim de semana', 'todo fim de semana'],
    ['mais tarde', 'mais tarde'],
    ['boa tarde', 'boa'],
  ])('%s', (text, unparsedText) => {
    expect(summarize(text, { locale })).toBe(`not-understood: ${unparsedText}`);
  });
});
