import { understandMoment } from '../../../when/when.ts';
import type { Beginning } from './beginning.ts';

const SAID =
  'None of these words says when, so they are the text. In one line it is: /schedule-post tomorrow 9:30 on x: Hello!';

/**
 * `/schedule-post We are live`: who writes words that name no time, and no colon, means them as the text. One word
 * alone stays where the time is asked for: more often it is a slip ("tomorow"). Pure.
 */
export function wordsAsText(beginning: Beginning, how: { locale: string | undefined; now: Date }): Beginning {
  const { when, text } = beginning.prefill;
  if (typeof when !== 'string' || !/\S\s+\S/.test(when)) return beginning;
  if (typeof text === 'string' && text !== '') return beginning;
  const { locale, now } = how;
  const reading = understandMoment({ text: when, now, zone: 'UTC', ...(locale !== undefined && { locale }) });
  // Where only some of the words stand in the way, the others do say when.
  if (reading.kind !== 'not-understood' || reading.words !== when.trim()) return beginning;
  const prefill = { ...beginning.prefill, text: when, when: '' };
  return { ...beginning, prefill, said: [...(beginning.said ?? []), SAID] };
}
