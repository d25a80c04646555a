import { testReadings } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'pt-BR';

testReadings('Portuguese phrases with a single meaning are understood: %s', { kind: 'understood', locale }, [
  ['posta isso segunda às 9 pfv', '2026-11-23 09:00'],
  ['seg q vem 9h', '2026-11-23 09:00'],
  ['segunda logo cedo', '2026-11-23 07:00'],
  ['ok, terça às 10', '2026-11-24 10:00'],
  ['mudar pra amanhã 9h', '2026-11-21 09:00'],
  ['semana que vem terça 9', '2026-11-24 09:00'],
  ['qua 8 da manha', '2026-11-25 08:00'],
  ['6a que vem 10h', '2026-11-27 10:00'],
  ['depois de amanhã às 10h', '2026-11-22 10:00'],
  ['dia 3 de dezembro às oito da noite', '2026-12-03 20:00'],
  ['quarta por volta das 17h45', '2026-11-25 17:45'],
  ['7 de janeiro de 2027 às 11:45', '2027-01-07 11:45'],
  ['vinte e cinco de janeiro às nove e meia da manhã', '2027-01-25 09:30'],
  ['última sexta de janeiro às 14h', '2027-01-29 14:00'],
  ['véspera de natal 18h', '2026-12-24 18:00'],
  ['no próximo dia 6 de abril às 9:15', '2027-04-06 09:15'],
  ['próximo 2 de maio 10:15', '2027-05-02 10:15'],
  ['terça depois do almoço', '2026-11-24 13:00'],
  ['quarta na hora do almoço', '2026-11-25 12:00'],
  ['na próxima semana, 16h, quinta', '2026-11-26 16:00'],
  ['daqui a 2h15', '2026-11-20 13:30'],
  ['2ª feira às 9h', '2026-11-23 09:00'],
  ['amanhã cedo', '2026-11-21 07:00'],
  ['ao final do expediente', '2026-11-20 17:00'],
  ['no fim da tarde de amanhã', '2026-11-21 17:00'],
  ['meados de janeiro', '2027-01-15 09:00'],
  ['dia seguinte ao natal', '2026-12-26 09:00'],
  ['segunda depois do natal', '2026-12-28 09:00'],
  ['amanhã as 15:00hs', '2026-11-21 15:00'],
  ['amanhã no mesmo horário', '2026-11-21 11:15'],
  ['vigésimo dia de dezembro', '2026-12-20 09:00'],
]);

testReadings('Portuguese phrases with several meanings are ambiguous: %s', { kind: 'ambiguous', locale }, [
  ['daqui a quinze dias', '2026-12-04 11:15 | 2026-12-05 11:15'],
  ['quinze para as dez', '2026-11-21 09:45 | 2026-11-20 21:45'],
  ['às 9 e 10', '2026-11-21 09:10 | 2026-11-20 21:10'],
  ['neste fim de semana', '2026-11-21 09:00 | 2026-11-22 09:00'],
]);

testReadings(
  'Portuguese phrases that aren’t a single future time are refused: %s',
  { kind: 'not-understood', locale },
  [
    ['melhor não segunda 9h', 'melhor não'],
    ['ontem às 9', 'ontem'],
    ['há duas horas', 'há duas'],
    ['semana passada', 'semana passada'],
    ['às segundas às 9', 'às segundas'],
    ['entre as 9 e as 11', 'entre'],
    ['até amanhã', 'até'],
    ['segunda ou terça', 'ou'],
    ['15 e 16 de março', '15 e'],
    ['antes das 9', 'antes'],
    ['todo fim de semana', 'todo fim de semana'],
    ['mais tarde', 'mais tarde'],
    ['boa tarde', 'boa'],
  ],
);
