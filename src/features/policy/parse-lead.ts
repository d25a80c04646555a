import { renderLead } from '../../posts/post-text.ts';
import { MAX_LEAD_MINUTES, MIN_LEAD_MINUTES } from '../../preferences/project-policy.ts';

/** Maximum length of a lead. The longest useful one is like "1 hour and 30 minutes". */
export const MAX_LEAD_LENGTH = 60;

/** A lead in minutes, or the reason why a text isn't one (plain text). */
type ParsedLead = { kind: 'lead'; minutes: number } | { kind: 'fault'; fault: string };

const EXAMPLES = '“1 hour”, “90 min” or “2 days”';
const FAULTS = {
  unreadable: `Write how long before, such as ${EXAMPLES}.`,
  short: `At least ${renderLead(MIN_LEAD_MINUTES)}, so that there’s time to fix a post.`,
  long: `At most ${renderLead(MAX_LEAD_MINUTES)}.`,
} as const;

/** The units by their spellings, in minutes. */
const UNITS: readonly (readonly [spellings: string, minutes: number])[] = [
  ['weeks?|wks?|w', 7 * 24 * 60],
  ['days?|d', 24 * 60],
  ['hours?|hrs?|h', 60],
  ['minutes?|mins?|m', 1],
];
const NUMBER_WORDS: Readonly<Record<string, number>> = {
  ...{ a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9 },
  ...{ ten: 10, twelve: 12, half: 0.5, 'half a': 0.5, 'half an': 0.5 },
};
const NUMBER = String.raw`\d{1,6}(?:[.,]\d{1,3})?|${Object.keys(NUMBER_WORDS).toReversed().join('|')}`;
const PART = new RegExp(
  String.raw`^(${NUMBER})\s*(?:${UNITS.map(([spellings]) => `(${spellings})`).join('|')})(?![a-z])\.?`,
);
/** "1h30": the last number has no unit. */
const MINUTES_AFTER_HOURS = /^(\d{1,2})$/;

/** Parses how long before its time a post is handed over: "1 hour", "90 min", "2 days", "1h30". */
export function parseLead(text: string): ParsedLead {
  const minutes = text.length > MAX_LEAD_LENGTH ? undefined : parseMinutes(text);
  if (minutes === undefined) return { kind: 'fault', fault: FAULTS.unreadable };
  if (minutes < MIN_LEAD_MINUTES) return { kind: 'fault', fault: FAULTS.short };
  if (minutes > MAX_LEAD_MINUTES) return { kind: 'fault', fault: FAULTS.long };
  return { kind: 'lead', minutes };
}

/** Parses a duration. Undefined if a part isn't understood, or isn't a whole number of minutes. */
function parseMinutes(text: string): number | undefined {
  let rest = text
    .trim()
    .toLowerCase()
    .replace(/\s+/g, ' ')
    .replace(/ (?:before|earlier|ahead)$/, '');
  let minutes = 0;
  let isAfterHours = false;
  if (/^0+$/.test(rest)) return 0;
  while (rest !== '') {
    const minutesAfterHours = isAfterHours ? MINUTES_AFTER_HOURS.exec(rest) : undefined;
    if (minutesAfterHours) return minutes + Number(minutesAfterHours[1]);
    const match = PART.exec(rest);
    if (!match) return undefined;
    const [part, number = '', ...units] = match;
    const unitIndex = units.findIndex((unit) => unit !== undefined);
    const [, unitMinutes = Number.NaN] = UNITS[unitIndex] ?? [];
    minutes += (NUMBER_WORDS[number] ?? Number(number.replace(',', '.'))) * unitMinutes;
    isAfterHours = unitMinutes === 60;
    rest = rest.slice(part.length).replace(/^(?:\s*,)?\s*(?:and\s+)?/, '');
  }
  const isWhole = text.trim() !== '' && Number.isInteger(minutes);
  return isWhole ? minutes : undefined;
}
