import { readFileSync } from 'node:fs';

/** What Slack's answers and events look like; programs/import-answers.ts writes the file. */
interface Recorded {
  answers: Record<string, Record<string, unknown>>;
  events: Record<string, Record<string, unknown>>;
  names: string;
}

const { answers, events, names } = JSON.parse(
  readFileSync(new URL('recorded.json', import.meta.url), 'utf8'),
) as Recorded;

export const DOCUMENTED_ANSWERS = answers;
export const RECORDED_EVENTS = events;
export const RECORDED_NAMES: ReadonlySet<string> = new Set(names.split(' '));
