import { DateTime } from 'luxon';
import { HOUR_MS } from '../durations.ts';
import { normalizeUnicode } from '../normalize-text.ts';
import { formatMoment } from '../when/format-moment.ts';
import { understandRange } from '../when/range.ts';
import { type KnownDateOrder, type MomentReading, understandMoment } from '../when/when.ts';
import { isZone } from '../when/zones.ts';

/** "Next slot" and its natural spellings, without accents: "the next free slot", "nachster freier Slot". */
const SLOT =
  /^(?:(?:in|into|at|the|our|my|im|den|der|le|el|il|o)\s+)*(?:(?:next|first)\s+(?:(?:free|open|available|empty|posting)\s+)*slot|(?:free|open|available)\s+slot|(?:nae?chste|erste)[rnms]?\s+(?:freie[rnms]?\s+)?slot|(?:prochain|premier)\s+(?:creneau|slot)(?:\s+libre)?|(?:proximo|siguiente|primer)\s+(?:hueco|slot)(?:\s+libre)?|prossimo\s+slot(?:\s+libero)?|proximo\s+horario\s+livre|(?:eerst)?volgende\s+(?:vrije\s+)?slot|次の(?:空き)?枠)(?![\p{L}\p{N}])/iu;
/** The word before a time, from which on a slot is meant. */
const FROM = /^\s*(from|after|on|at|in|starting|since|ab|am|nach|um)\s+/i;

/** Maximum length of the text in which "next slot" is looked for. The longest spelling has 50 UTF-16 units. */
const MAX_PHRASE_LENGTH = 200;

/** Finds "next slot" at the start of a text, with the text after it. */
export function findLeadingSlot(text: string): { words: string; rest: string } | undefined {
  const trimmed = normalizeUnicode(text, 'NFC').trim();
  // Without accents. Each letter stays one character, so that indexes stay the same.
  const plain = [...trimmed.slice(0, MAX_PHRASE_LENGTH)]
    .map((letter) => normalizeUnicode(letter, 'NFD').charAt(0))
    .join('');
  const [words] = SLOT.exec(plain) ?? [];
  return words === undefined
    ? undefined
    : { words: trimmed.slice(0, words.length), rest: trimmed.slice(words.length) };
}

interface Reader {
  now: Date;
  /** IANA name. */
  zone: string;
  locale?: string | undefined;
  dateOrder?: KnownDateOrder | undefined;
}

/** A wish for the first free slot from a time on, or what isn't understood of it (plain text). */
type SlotPhrase = { from: Date } | { problem: string };

/** Reads "next slot", "next slot after friday" or "next slot from 1 Dec, 9:00". Undefined for any other text. */
export function readSlotPhrase(text: string, { now, ...reader }: Reader): SlotPhrase | undefined {
  const found = findLeadingSlot(text.replace(/(?<![.!])[.!]+$/, ''));
  if (!found) return undefined;
  if (found.rest.trim() === '') return { from: now };
  if (/^\s*(?:[,;&+]|(?:and|or|und|oder)\b)/i.test(found.rest))
    return { problem: 'A post takes one slot. Write only “next slot”.' };
  const [prefix = '', word = ''] = FROM.exec(found.rest) ?? [];
  const words = found.rest.slice(prefix.length).trim();
  const { zone } = reader;
  const question = { text: words, now, ...reader };
  const moment = understandMoment(question);
  const instant = moment.kind === 'understood' || moment.kind === 'now' ? moment.moment.instant : undefined;
  const range = understandRange(question);
  // Ranges look back: “1 june” is the last one. Seen from the next one, it is that day.
  const isPast = range.kind === 'understood' && range.range.to !== undefined && range.range.to <= now;
  const upcoming = isPast ? instant && understandRange({ ...question, now: instant }) : range;
  if (upcoming?.kind === 'understood' && upcoming.range.from && upcoming.range.to) {
    const { from, to } = upcoming.range;
    // A range of an hour or less is a time.
    if (to.getTime() - from.getTime() > HOUR_MS) return { from: /^(?:after|nach)$/i.test(word) ? to : from };
  }
  if (instant)
    return {
      from: isWholeDay(moment) ? DateTime.fromJSDate(instant, { zone }).startOf('day').toJSDate() : instant,
    };
  if (isPast || moment.kind === 'past')
    return { problem: `“${words}” has passed. Write a later day, or only “${found.words}”.` };
  return { problem: `I don’t understand “${words}” after “${found.words}”. Try “next slot after friday”.` };
}

/** Whether a moment has the time of a day without one. A range in another language isn't read, but its moment is. */
function isWholeDay(reading: MomentReading): boolean {
  return reading.kind === 'understood' && reading.notes.some((note) => /^No time given: \d/.test(note));
}

interface SlotTarget {
  /** The project's id in the service. */
  project: string;
  instant: Date;
  zone: string;
  platforms: readonly string[];
}

const MARK = 'slot';
/** With more platforms, the person chooses. */
const MAX_CHOSEN_PLATFORMS = 4;

export function encodeSlotTarget({ project, instant, zone, platforms }: SlotTarget): string {
  const chosen = platforms.length > MAX_CHOSEN_PLATFORMS ? [] : platforms;
  return [MARK, instant.getTime(), zone, chosen.join(), project].join('\n');
}

/** The values of the form that a button for a free slot opens. Undefined for the value of another button. */
export function toSlotPrefill(
  value: string,
  now: Date,
): { project: string; when: string; platforms?: string } | undefined {
  const [mark, time, zone = '', platforms = '', project] = value.split('\n');
  const instant = new Date(Number(time));
  if (mark !== MARK || project === undefined || Number.isNaN(instant.getTime()) || !isZone(zone))
    return undefined;
  const when = instant > now ? `next slot from ${formatMoment({ instant, zone }, { now })}` : 'next slot';
  return { project, when, ...(platforms !== '' && { platforms }) };
}
