import type { Project } from '../../../api/projects.ts';
import { momentText } from '../../../posts/moment-words.ts';
import { platformNames } from '../../../posts/platforms.ts';
import { excerpt } from '../../../posts/post-card.ts';
import { clip } from '../../../slack/clip.ts';
import { sanitizeLine } from '../../../slack/escape.ts';
import { dateIn, dayWords, timeWords } from '../days.ts';
import { type Planned, statusOf } from '../plan.ts';

/** For whom lines are written. All of them are plain text. */
export interface Seen {
  zone: string;
  now: Date;
  /** Several projects: each line names its own. */
  isMixed: boolean;
}

const NAME = 60;
const WORDS = 80;
/** A text may be long, and there are hundreds of them. */
const LOOKED_AT = 400;
const NAMED = 3;

export function nameOf({ name }: Project): string {
  return clip(sanitizeLine(name), NAME);
}

/** "Harbour Coffee", "A, B and C", "A, B and 4 more". */
export function namesOf(projects: readonly Project[]): string {
  const shown = projects.length > NAMED ? NAMED - 1 : NAMED;
  const names = projects.slice(0, shown).map(nameOf);
  const rest = projects.length - names.length;
  const last = rest > 0 ? `${rest} more` : names.pop();
  return names.length === 0 ? (last ?? '') : `${names.join(', ')} and ${last}`;
}

export function wordsOf({ post }: Planned): string {
  const words = clip(excerpt(sanitizeLine(clip(post.content ?? '', LOOKED_AT))), WORDS);
  return words === '' ? 'No text' : words;
}

/** "Fri 14:00": the day and the time in the digest's zone. */
export function shortMoment(at: Date, { zone }: Pick<Seen, 'zone'>): string {
  return `${dayWords(dateIn(at, zone))}, ${timeWords(at, zone)}`;
}

/** "Fri 20 Nov, 14:00 · X and LinkedIn · Harbour Coffee · Our winter blend…" */
export function postLine(planned: Planned, seen: Seen, as: { withDay: boolean } = { withDay: true }): string {
  const when = as.withDay ? shortMoment(planned.at, seen) : timeWords(planned.at, seen.zone);
  const parts = [
    statusOf(planned) === 'PUBLISHED' ? `✓ ${when}` : when,
    platformNames(planned.post.platforms.map((platform) => clip(sanitizeLine(platform), NAME))) ||
      'no platform yet',
    ...(seen.isMixed ? [nameOf(planned.project)] : []),
    wordsOf(planned),
  ];
  return parts.join(' · ');
}

/** "Fri 20 Nov, 14:00 (Berlin)". */
export function fullMoment(at: Date, { zone, now }: Pick<Seen, 'zone' | 'now'>): string {
  return momentText(at, zone, now);
}

/** "One post", "3 posts". */
export function counted(count: number, one: string, many: string): string {
  return count === 1 ? one : `${count.toLocaleString('en-GB')} ${many}`;
}
