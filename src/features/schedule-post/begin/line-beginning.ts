import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../../app/call.ts';
import { readerOf } from '../../../forms/reader.ts';
import type { Listed } from '../../../posts/project.ts';
import { understandMoment, withStepBudget } from '../../../when/when.ts';
import { splitText } from '../form/split-text.ts';
import { textValues } from '../form/text-parts.ts';
import { readLine } from '../line/read-line.ts';
import type { Beginning } from './beginning.ts';

/** Names are known by then, or the project is asked for. */
const WAIT_MS = 10_000;

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
