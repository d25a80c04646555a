import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../../app/call.ts';
import { fetchReader } from '../../../forms/form-context.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { understandMoment, withStepBudget } from '../../../when/when.ts';
import { splitText, textValues } from '../form/text-parts.ts';
import type { Beginning } from './beginning.ts';
import { readLine } from './read-line.ts';

/** How long to wait for the projects. After that the form asks for the project. */
const WAIT_MS = 10_000;

/** Shown above a form if the words of the command became the text. */
const SAID =
  'None of these words says when, so they are the text. In one line it is: /schedule-post tomorrow 9:30 on x: Hello!';

/** Initial values from the text after the command. */
export async function lineBeginning(call: Call, line: string): Promise<Beginning> {
  const now = call.now();
  const [projects, { locale }] = await Promise.all([projectsOf(call), fetchReader(call)]);
  const how = { now, zone: 'UTC', ...(locale !== undefined && { locale }) };
  const isMoment = (text: string) => understandMoment({ ...how, text }).kind !== 'not-understood';
  // A separate step budget, so that the form can still parse the line's moment.
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

async function projectsOf({ context }: Call): Promise<ProjectList> {
  const late = delay(WAIT_MS, undefined, { ref: false });
  const outcome = await Promise.race([context.reads.projects(context.api), late]);
  const listed = outcome?.kind === 'done' ? outcome.data : context.reads.lastProjects(context.api);
  return listed ?? { items: [], isTruncated: false };
}

/**
 * `/schedule-post We are live`: words without a time and without a colon become the text of the post. A single word
 * stays in the time field, because it is more often a typo ("tomorow"). Pure.
 */
export function wordsAsText(beginning: Beginning, how: { locale: string | undefined; now: Date }): Beginning {
  const { when, text } = beginning.prefill;
  if (typeof when !== 'string' || !/\S\s+\S/.test(when)) return beginning;
  if (typeof text === 'string' && text !== '') return beginning;
  const { locale, now } = how;
  const reading = understandMoment({ text: when, now, zone: 'UTC', ...(locale !== undefined && { locale }) });
  // If only some of the words aren't understood, the others name a time.
  if (reading.kind !== 'not-understood' || reading.words !== when.trim()) return beginning;
  const prefill = { ...beginning.prefill, text: when, when: '' };
  return { ...beginning, prefill, said: [...(beginning.said ?? []), SAID] };
}
