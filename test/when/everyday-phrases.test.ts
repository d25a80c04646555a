import { testReadings } from './read.ts';

// The current time in these tests: Friday 20 November 2026, 11:15 in Berlin.

testReadings(
  'dates and times at the beginning or end of a sentence are understood: %s',
  { kind: 'understood' },
  [
    ['remind me to call mom tomorrow at 5pm', '2026-11-21 17:00'],
    ['remind me at 8:15 pm to take out the trash', '2026-11-20 20:15'],
    ['schedule a meeting for tuesday at 2pm', '2026-11-24 14:00'],
    ['let us talk again in two weeks', '2026-12-04 11:15'],
    ['I want to go live on the 1st of december at noon', '2026-12-01 12:00'],
    ['book a table for saturday 7:30pm', '2026-11-21 19:30'],
    ["I'll go back on 8 december", '2026-12-08 09:00'],
    ['set an alarm for 5:55 am', '2026-11-21 05:55'],
    ['how about thursday at quarter past two in the afternoon', '2026-11-26 14:15'],
    ['it should go out at five pm today', '2026-11-20 17:00'],
    ['what do I have on saturday the 5th?', '2026-12-05 09:00'],
    ['are you free next thursday at 4 pm?', '2026-11-26 16:00'],
    ['put it on my calendar for tuesday at 11 am', '2026-11-24 11:00'],
    ['add it to my calendar at 11 am tomorrow', '2026-11-21 11:00'],
    ['create a reminder for dec 8 at 11 am', '2026-12-08 11:00'],
    ['i need to see you on dec 8', '2026-12-08 09:00'],
    ["it's 8:40 pm", '2026-11-20 20:40'],
    ['set the alarm to 8:40 pm', '2026-11-20 20:40'],
    ['move the meeting to monday at 8:40 am', '2026-11-23 08:40'],
    ["I'll return on december 8", '2026-12-08 09:00'],
    ['are there any meetings on december 8', '2026-12-08 09:00'],
    ['the project is due in five weeks', '2026-12-25 11:15'],
  ],
);

testReadings('spoken times are understood: %s', { kind: 'understood' }, [
  ['5 min to noon', '2026-11-20 11:55'],
  ['a quarter to midnight', '2026-11-20 23:45'],
  ['six thirty on tuesday evening', '2026-11-24 18:30'],
  ['5 p.m', '2026-11-20 17:00'],
  ['tonight at midnight', '2026-11-21 00:00'],
  ['later tonight', '2026-11-20 21:00'],
  ['eight twenty-one pm', '2026-11-20 20:21'],
]);

testReadings('days counted from another day are understood: %s', { kind: 'understood' }, [
  ["3 days before new year's eve", '2026-12-28 09:00'],
  ['10 mins later', '2026-11-20 11:25'],
  ['two weeks hence', '2026-12-04 11:15'],
  ['the first of next month at noon', '2026-12-01 12:00'],
  ['fifth of next month', '2026-12-05 09:00'],
]);

testReadings('written dates are understood: %s', { kind: 'understood' }, [
  ['final monday in january', '2027-01-25 09:00'],
  ['november twenty-seventh', '2026-11-27 09:00'],
  ['27 november in the year 2028', '2028-11-27 09:00'],
  ['27/nov/2028', '2028-11-27 09:00'],
  ['11/27 @ 17:30', '2026-11-27 17:30'],
  ['5:30pm on 11/27/26', '2026-11-27 17:30'],
  ['december 8th two thousand and twenty six', '2026-12-08 09:00'],
  ['eighth of december at 5 pm', '2026-12-08 17:00'],
  ['28-nov-26 5pm', '2026-11-28 17:00'],
  ['nov-28', '2026-11-28 09:00'],
  ['2026-11-28_17:30', '2026-11-28 17:30'],
]);

testReadings('short and hasty phrases are understood: %s', { kind: 'understood' }, [
  ['tmr 5p', '2026-11-21 17:00'],
  ['tom at 5pm', '2026-11-21 17:00'],
  ['tomorow 5pm', '2026-11-21 17:00'],
  ["tomorrow's 5pm", '2026-11-21 17:00'],
  ['2day 5pm', '2026-11-20 17:00'],
  ['tomorrow morning-ish', '2026-11-21 09:00'],
  ['dinnertime', '2026-11-20 18:00'],
  ['tomorrow if possible at 8:05', '2026-11-21 08:05'],
  ['pls post tmrw 8am thx', '2026-11-21 08:00'],
  ['monday, 8:05 at the very latest please', '2026-11-23 08:05'],
  ['due monday', '2026-11-23 09:00'],
  ['on monday, nov. 23rd, at 7:45 p.m.', '2026-11-23 19:45'],
  ['monday: 7:45pm', '2026-11-23 19:45'],
  ['monday... 7:45pm', '2026-11-23 19:45'],
  ['_monday 7:45pm_', '2026-11-23 19:45'],
  ['monday@7:45pm', '2026-11-23 19:45'],
]);
