import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../../app/call.ts';
import { readerOf } from '../../../forms/reader.ts';
import type { Listed } from '../../../posts/project.ts';
import { understandMoment, withStepBudget } from '../../../when/when.ts';
import { splitText, textValues } from '../form/text-parts.ts';
import type { Beginning } from './beginning.ts';
import { readLine } from './read-line.ts';

/** Names are known by then, or the project is asked for. */
const WAIT_MS = 10_000;

/** Stands above a form whose words were taken as the text. */
const SAID =
  'None of these words says when, so they are the text. In one line it is: /schedule-post tomorrow 9:30 on x: Hello!';

/** What was written after the command. */
export async function lineBeginning(call: Call, line: string): Promise<Beginning> {
  const now = call.now();
  const [projects, { locale }] = await Promise.all([projectsOf(call), readerOf(call)]);
  const how = { now, zone: 'UTC', ...(locale !== undefined && { locale }) };
  const isMoment = (text: string) => understandMoment({ ...how, text }).kind !== 'not-understood';
  // What the form reads then has a budget of its own.
  const { text, isDraft, platforms, project, when } = withStepBudget(() =>
    readLine(line, projects, isMoment),
  );
  const { parts, rest } = splitText(text);
  return {
    prefill: {
      ...(project && { project: { id: project.id, name: project.name } }),
      ...textValues(parts),
      platforms: [...platforms],
      ...(isDraft && { status: 'DRAFT' }),
      when,
    },
    ...(rest !== '' && { said: ['The text is longer than a post can be: its end is missing here.'] }),
  };
}

async function projectsOf({ context }: Call): Promise<Listed> {
  const late = delay(WAIT_MS, undefined, { ref: false });
  const outcome = await Promise.race([context.reads.projects(context.api), late]);
  const listed = outcome?.kind === 'done' ? outcome.data : context.reads.lastProjects(context.api);
  return listed ?? { items: [], isTruncated: false };
}

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
