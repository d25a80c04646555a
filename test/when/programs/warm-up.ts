import { understandMoment } from '../../../src/when/understand-moment.ts';
import { warmUpDateParser } from '../../../src/when/warm-up.ts';
import { measureCpuMs } from '../../support/cpu-ms.ts';

/**
 * In a new process: counts a timer's ticks during the warm-up, to show that it doesn't block the event loop, and
 * measures the CPU time of the first phrase in each language.
 */

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

let timerCount = 0;
const timer = setInterval(() => {
  timerCount += 1;
}, 1);
// Nothing else holds an idle process.
timer.unref();
await warmUpDateParser();
clearInterval(timer);

const measurements = Object.entries(FIRST_PHRASES).map(([locale, text]) => ({
  locale,
  ms: measureCpuMs(() => understandMoment({ text, now: new Date(), zone: 'Europe/Berlin', locale })),
}));
console.log(JSON.stringify({ timerCount, measurements }));
