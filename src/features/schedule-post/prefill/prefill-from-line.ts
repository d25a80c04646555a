import { setTimeout as delay } from 'node:timers/promises';
import type { Call } from '../../../app/call.ts';
import { fetchReader } from '../../../forms/form-context.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { understandMoment, withStepBudget } from '../../../when/when.ts';
import { splitText, toTextValues } from '../form/text-parts.ts';
import type { InitialValues } from './initial-values.ts';
import { parseLine } from './parse-line.ts';

/** How long to wait for the projects. After that, the author chooses the project in the form. */
const PROJECTS_TIMEOUT_MS = 10_000;

/** Shown above the form if the words after the command became the text of the post. */
const LINE_AS_TEXT_NOTE =
  'I found no time, so this is the text. Example: /schedule-post tomorrow 9:30 on x: Hello!';

/** Parses the text after the command into initial values. */
export async function prefillFromLine(call: Call, line: string): Promise<InitialValues> {
  const now = call.now();
  const [projects, { locale }] = await Promise.all([fetchProjects(call), fetchReader(call)]);
  const options = { now, zone: 'UTC', ...(locale !== undefined && { locale }) };
  const isMoment = (text: string) => understandMoment({ ...options, text }).kind !== 'not-understood';
  // Parsing the line has its own step budget, so that enough steps remain for the form to parse the moment.
  const { text, isDraft, platforms, project, when } = withStepBudget(() =>
    parseLine(line, projects, isMoment),
  );
  const { parts, excessText } = splitText(text);
  return {
    prefill: {
      ...(project && { project: { id: project.id, name: project.name } }),
      ...toTextValues(parts),
      platforms: [...platforms],
      ...(isDraft && { status: 'DRAFT' }),
      when,
    },
    ...(excessText !== '' && { notes: ['The text is too long for a post, so I cut off the end.'] }),
  };
}

/** Fetches the projects. If that fails or takes too long, returns the last known list, or else an empty one. */
async function fetchProjects({ context }: Call): Promise<ProjectList> {
  const timeout = delay(PROJECTS_TIMEOUT_MS, undefined, { ref: false });
  const outcome = await Promise.race([context.reads.listProjects(context.api), timeout]);
  const projects = outcome?.kind === 'done' ? outcome.data : context.reads.getLastProjects(context.api);
  return projects ?? { items: [], isTruncated: false };
}

/**
 * Moves the words for the moment to the text field if they name no moment and the line has no text, as in
 * `/schedule-post We are live`. A single word stays, because it is more often a typo ("tomorow"). Pure.
 */
export function fillTextFromLine(
  initialValues: InitialValues,
  reader: { locale: string | undefined; now: Date },
): InitialValues {
  const { when, text } = initialValues.prefill;
  if (typeof when !== 'string' || !/\S\s+\S/.test(when)) return initialValues;
  if (typeof text === 'string' && text !== '') return initialValues;
  const { locale, now } = reader;
  const reading = understandMoment({ text: when, now, zone: 'UTC', ...(locale !== undefined && { locale }) });
  // `unparsedText` is the part that the date parser didn't understand. If it isn't the whole text, the rest is a time.
  if (reading.kind !== 'not-understood' || reading.unparsedText !== when.trim()) return initialValues;
  const prefill = { ...initialValues.prefill, text: when, when: '' };
  return { ...initialValues, prefill, notes: [...(initialValues.notes ?? []), LINE_AS_TEXT_NOTE] };
}
