import { testReadings } from '../read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

const locale = 'it-IT';

testReadings('Italian phrases with a single meaning are understood: %s', { kind: 'understood', locale }, [
  ['gio 26/11 h 18', '2026-11-26 18:00'],
  ['26/11 h18', '2026-11-26 18:00'],
  ['mart 24/11 ore 8.30', '2026-11-24 08:30'],
  ['lunedì prox alle 9', '2026-11-23 09:00'],
  ['puoi spostarlo a martedì alle 10?', '2026-11-24 10:00'],
  ['lunedì della prox settimana ore 9', '2026-11-23 09:00'],
  ["tra un'oretta", '2026-11-20 12:15'],
  ['facciamo martedì alle 10', '2026-11-24 10:00'],
  ['sposta a domani ore 9', '2026-11-21 09:00'],
  ['settimana prossima martedì 9', '2026-11-24 09:00'],
  ['lunedì settimana 49 alle 9:15', '2026-11-30 09:15'],
  ['dopodom alle 9', '2026-11-22 09:00'],
  ['il 3 dicembre alle otto di sera', '2026-12-03 20:00'],
  ["fra un'ora e mezza", '2026-11-20 12:45'],
  ['domattina alle 7', '2026-11-21 07:00'],
  ['lun 9 am', '2026-11-23 09:00'],
  ['mercoledì verso le 17:45', '2026-11-25 17:45'],
  ['7 gennaio 2027 alle 11:45', '2027-01-07 11:45'],
  ['venticinque gennaio alle nove e mezza di mattina', '2027-01-25 09:30'],
  ['fra tre giorni alle 10:00', '2026-11-23 10:00'],
  ['fine mese alle 18:00', '2026-11-30 18:00'],
  ['ferragosto alle 12:00', '2027-08-15 12:00'],
  ['tre ago alle 15:00', '2027-08-03 15:00'],
  ['venti minuti alle 15', '2026-11-20 14:40'],
  ['domani, dieci minuti alle 17', '2026-11-21 16:50'],
  ['il prossimo 6 aprile alle 9:15', '2027-04-06 09:15'],
  ['prossimo 2 maggio 10:15', '2027-05-02 10:15'],
  ["domani all'ora di pranzo", '2026-11-21 12:00'],
  ['mercoledì per pranzo', '2026-11-25 12:00'],
  ['giovedì alle 16 la prossima settimana', '2026-11-26 16:00'],
  ['la prossima settimana alle 16 di giovedì', '2026-11-26 16:00'],
  ['tra 2h15', '2026-11-20 13:30'],
  ['domani mattina presto', '2026-11-21 07:00'],
  ['stasera sul tardi', '2026-11-20 21:00'],
  ['nel tardo pomeriggio', '2026-11-20 17:00'],
  ['a fine giornata', '2026-11-20 17:00'],
  ["l'ultimo giorno del mese", '2026-11-30 09:00'],
  ['il giorno dopo natale', '2026-12-26 09:00'],
  ['domani alla stessa ora', '2026-11-21 11:15'],
  ['11 circa', '2026-11-21 11:00'],
  ['domani alle nove e mezza', '2026-11-21 09:30'],
]);

testReadings('Italian phrases with several meanings are ambiguous: %s', { kind: 'ambiguous', locale }, [
  ['tra quindici giorni', '2026-12-04 11:15 | 2026-12-05 11:15'],
  ['dieci minuti alle otto', '2026-11-21 07:50 | 2026-11-20 19:50'],
  ['alle nove meno dieci', '2026-11-21 08:50 | 2026-11-20 20:50'],
  ['mar 24', '2026-11-24 09:00 | 2027-03-24 09:00'],
  ['questo weekend', '2026-11-21 09:00 | 2026-11-22 09:00'],
  ['domani notte', '2026-11-21 23:00 | 2026-11-22 00:00'],
]);

testReadings(
  'Italian phrases that aren’t a single future time are refused: %s',
  { kind: 'not-understood', locale },
  [
    ['ieri alle 9', 'ieri'],
    ['due ore fa', 'due ore fa'],
    ['lunedì scorso', 'lunedì scorso'],
    ['il lunedì alle 9', 'il lunedì'],
    ['dalle 9 alle 11', 'dalle 9 alle'],
    ['tra le 9 e le 11', 'tra le'],
    ['lunedì o martedì', 'o'],
    ['prima delle 9', 'prima delle 9'],
    ['nei fine settimana', 'nei'],
  ],
);
