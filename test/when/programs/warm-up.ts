import { understandMoment } from '../../../src/when/understand-moment.ts';
import { warmUpWords } from '../../../src/when/warm-up.ts';
import { worked } from '../any-text.ts';

/** In a process that has read nothing yet: how often others had their turn, and what each first phrase then costs (ms). */

const FIRST_PHRASES = {
  'en-US': 'fri 14:30',
  'en-GB': 'tue at half eight',
  de: 'Fr 14:30',
  fr: 'vendredi 14h30',
  es: 'el viernes a las 14:30',
  it: 'venerdì 14:30',
  pt: 'sexta 14:30',
  nl: 'vr 14:30',
  ja: '金曜日 14:30',
};

let turns = 0;
const others = setInterval(() => {
  turns += 1;
}, 1);
await warmUpWords();
clearInterval(others);

const costs = Object.entries(FIRST_PHRASES).map(([locale, text]) => ({
  locale,
  ms: worked(() => understandMoment({ text, now: new Date(), zone: 'Europe/Berlin', locale })),
}));
console.log(JSON.stringify({ turns, costs }));
