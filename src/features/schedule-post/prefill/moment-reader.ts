import { DAY_MS } from '../../../durations.ts';
import { findLeadingSlot, readSlotPhrase } from '../../../posts/slot-phrase.ts';
import { understandRange } from '../../../when/range.ts';
import { isRepeating, understandRecurrence } from '../../../when/recurrence.ts';
import { findLeadingMoments, understandMoment, understandMoments } from '../../../when/when.ts';
import type { MomentReader } from './line-names.ts';
import { isPlatformName } from './platform-words.ts';

/** "5 days until christmas" is a text, unlike "friday until 8pm". */
const COUNTDOWN = /^\d+\s+(?:more\s+)?\p{L}/u;

/** A text from the first of Slack's codes of emoji, such as ":clock9:", whose words are no time. */
const EMOJI_CODES = /(?:^|(?<=\S)\s+)(?::[\p{L}\d_'+-]+:)+(?!\S).*$/su;
/** The same, or from the French "on", which is a pronoun: "le 12 on fête". */
const FRENCH_END = new RegExp(`${EMOJI_CODES.source}|(?<=\\S)\\s+[Oo]n\\s.*$`, 'su');

/** Between a clock time and Japanese words: "12/12 12:00に新作", unlike "9:00から受付", whose hour is of the text. */
const BEFORE_JAPANESE = /(?<=\d:\d\d)(?=[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}])/u;
const FROM_OR_UNTIL = /^(?:から|まで|より)/;

/** Creates a reader for a line that somebody types now. `locale`: the author's, if known. */
export function createMomentReader(now: Date, locale: string | undefined): MomentReader {
  const request = { now, zone: 'UTC', locale };
  // A line's parts begin with the same words several times, and the readings of a request share their steps.
  const leadingMoments = new Map<string, ReturnType<typeof findLeadingMoments>>();
  const readLeading = (text: string, isStart: boolean) => {
    const key = `${isStart} ${text}`;
    if (!leadingMoments.has(key))
      leadingMoments.set(
        key,
        findLeadingMoments({ ...request, text }, { isStart, isPlatform: isPlatformName }),
      );
    return leadingMoments.get(key);
  };
  const readStart: MomentReader['findLeadingMoments'] = (text, isStart = true) => {
    const [time = '', ...others] = text.split(BEFORE_JAPANESE);
    const next = others.join('');
    if (next !== '') {
      const whole = readLeading(time, isStart);
      if (whole?.words === time)
        return FROM_OR_UNTIL.test(next) ? undefined : { ...whole, rest: next.replace(/^に/, '') };
    }
    const slot = findLeadingSlot(text);
    if (!slot) return readLeading(text, isStart);
    const [prefix] = /^\s+(?:from|after|on|in|at)\s+/i.exec(slot.rest) ?? [];
    const leading =
      prefix === undefined
        ? undefined
        : findLeadingMoments({ ...request, text: slot.rest.slice(prefix.length) }, { isStart: false });
    return leading ? { words: `${slot.words}${prefix}${leading.words}`, rest: leading.rest } : slot;
  };
  const isSlot = (text: string) => {
    const phrase = readSlotPhrase(text, request);
    return phrase !== undefined && !('problem' in phrase);
  };
  const isWholeMoment = (text: string) =>
    isSlot(text) || understandMoment({ ...request, text, mustBeWhole: true }).kind !== 'not-understood';
  const instantsIn = (text: string): number[] => {
    const reading = understandMoment({ ...request, text });
    const moments =
      reading.kind === 'ambiguous' ? reading.candidates : 'moment' in reading ? [reading.moment] : [];
    return moments.map(({ instant }) => +instant);
  };
  const isRefused = (text: string) => {
    const question = { ...request, text, mustBeWhole: true };
    if (understandRecurrence({ ...question, mustRepeat: true }).kind !== 'not-understood') return true;
    const faulty = understandMoment(question);
    const suggests = faulty.kind === 'not-understood' && faulty.suggestion !== undefined;
    return suggests || (!COUNTDOWN.test(text) && understandRange(question).kind !== 'not-understood');
  };
  return {
    locale,
    isMoment: (text) => isSlot(text) || understandMoments({ ...request, text }).kind !== 'not-understood',
    isWholeMoment,
    isFaulty: (text) =>
      isRepeating({ ...request, text }) ||
      suggestsMoment({ ...request, text }) ||
      understandRange({ ...request, text }).kind !== 'not-understood',
    isRefused,
    isSame(text, shorter) {
      const [instants, [other]] = [instantsIn(text), instantsIn(shorter)];
      return instants.length > 0 && (other === undefined || instants.includes(other));
    },
    movesHour(text, shorter) {
      const [[to], [from]] = [instantsIn(text), instantsIn(shorter)];
      if (to === undefined || from === undefined || to === from) return false;
      return Math.floor(to / DAY_MS) === Math.floor(from / DAY_MS);
    },
    movesDay(text, shorter) {
      const [days, daysBefore] = [text, shorter].map(
        (words) => new Set(instantsIn(words).map((instant) => Math.floor(instant / DAY_MS))).size,
      );
      return (days ?? 0) > Math.max(1, daysBefore ?? 0);
    },
    findLeadingMoments(text, isStart = true) {
      const [codes = ''] = (locale?.startsWith('fr') ? FRENCH_END : EMOJI_CODES).exec(text) ?? [];
      const leading = readStart(text.slice(0, text.length - codes.length), isStart);
      return leading && codes !== '' ? { ...leading, rest: `${leading.rest}${codes}`.trim() } : leading;
    },
  };
}

/** Whether the text is a date that doesn't exist, such as "31 feb", for which there is a suggestion. */
function suggestsMoment(question: Parameters<typeof understandMoments>[0]): boolean {
  const reading = understandMoments(question);
  return reading.kind === 'not-understood' && reading.suggestion !== undefined;
}
