import { findLeadingSlot, readSlotPhrase } from '../../../posts/slot-phrase.ts';
import { understandRange } from '../../../when/range.ts';
import { isRepeating, understandRecurrence } from '../../../when/recurrence.ts';
import { findLeadingMoments, understandMoment, understandMoments } from '../../../when/when.ts';
import { isPlatformName, type MomentReader } from './line-names.ts';

/** The note about words of a title that are no part of the time. */
const UNREAD_NOTE = /left unread/;

/** "5 days until christmas" is a text, unlike "friday until 8pm". */
const COUNTDOWN = /^\d+\s+(?:more\s+)?\p{L}/u;

/** Creates a reader for a line that somebody types now. `locale`: the author's, if known. */
export function createMomentReader(now: Date, locale: string | undefined): MomentReader {
  const request = { now, zone: 'UTC', locale };
  const isSlot = (text: string) => {
    const phrase = readSlotPhrase(text, request);
    return phrase !== undefined && !('problem' in phrase);
  };
  const isRefused = (text: string) => {
    const question = { ...request, text };
    const reading = understandRecurrence({ ...question, mustRepeat: true });
    // "Every monday 9am coffee" leaves a word unread.
    if (reading.kind !== 'not-understood') return !reading.notes.some((note) => UNREAD_NOTE.test(note));
    const faulty = understandMoment({ ...question, mustBeWhole: true });
    const suggests = faulty.kind === 'not-understood' && faulty.suggestion !== undefined;
    return suggests || (!COUNTDOWN.test(text) && understandRange(question).kind !== 'not-understood');
  };
  return {
    locale,
    isMoment: (text) => isSlot(text) || understandMoments({ ...request, text }).kind !== 'not-understood',
    isWholeMoment: (text) =>
      isSlot(text) || understandMoment({ ...request, text, mustBeWhole: true }).kind !== 'not-understood',
    isFaulty: (text) =>
      isRepeating({ ...request, text }) ||
      suggestsMoment({ ...request, text }) ||
      understandRange({ ...request, text }).kind !== 'not-understood',
    isRefused,
    leavesWords(text, shorter) {
      const reading = understandMoment({ ...request, text });
      const other = understandMoment({ ...request, text: shorter });
      const isOther =
        'moment' in reading && 'moment' in other && +reading.moment.instant !== +other.moment.instant;
      return !isOther && 'notes' in reading && reading.notes.some((note) => UNREAD_NOTE.test(note));
    },
    movesHour(text, shorter) {
      const [to, from] = [text, shorter].map((words) => {
        const reading = understandMoment({ ...request, text: words });
        return reading.kind === 'ambiguous'
          ? reading.candidates[0]
          : 'moment' in reading
            ? reading.moment
            : undefined;
      });
      if (!to || !from) return false;
      const isSameDay = to.instant.toISOString().slice(0, 10) === from.instant.toISOString().slice(0, 10);
      return isSameDay && +to.instant !== +from.instant;
    },
    findLeadingMoments(text, isStart = true) {
      const slot = findLeadingSlot(text);
      if (!slot) return findLeadingMoments({ ...request, text }, { isStart, isPlatform: isPlatformName });
      const [prefix] = /^\s+(?:from|after|on|in|at)\s+/i.exec(slot.rest) ?? [];
      const leading =
        prefix === undefined
          ? undefined
          : findLeadingMoments({ ...request, text: slot.rest.slice(prefix.length) }, { isStart: false });
      return leading ? { words: `${slot.words}${prefix}${leading.words}`, rest: leading.rest } : slot;
    },
  };
}

/** Whether the text is a date that doesn't exist, such as "31 feb", for which there is a suggestion. */
function suggestsMoment(question: Parameters<typeof understandMoments>[0]): boolean {
  const reading = understandMoments(question);
  return reading.kind === 'not-understood' && reading.suggestion !== undefined;
}
