import type { Call } from '../../../app/call.ts';
import { fetchReader } from '../../../forms/form-context.ts';
import type { ProjectList } from '../../../posts/project.ts';
import { clip, sanitizeLine } from '../../../slack/blocks.ts';
import { withStepBudget } from '../../../when/when.ts';
import { within } from '../../../within.ts';
import type { InitialValues } from './initial-values.ts';
import { createMomentReader } from './moment-reader.ts';
import { parseLine } from './parse-line.ts';

/** How long to wait for the projects. After that, the author chooses the project in the form. */
const PROJECTS_TIMEOUT_MS = 10_000;

/** Shown above the form if the words after the command became the text of the post. */
const LINE_AS_TEXT_NOTE =
  'I found no time, so this is the text. Example: /schedule-post tomorrow 9am on x: Hello!';

/** Maximum length of a quote of the typed line, in characters. */
const MAX_QUOTE_LENGTH = 60;

/** Parses the text after the command into initial values. */
export async function prefillFromLine(call: Call, line: string): Promise<InitialValues> {
  const now = call.now();
  const [projects, { locale }] = await Promise.all([fetchProjects(call), fetchReader(call)]);
  const momentReader = createMomentReader(now, locale);
  // Parsing the line has its own step budget, so that enough steps remain for the form to parse the moment.
  const parsedLine = withStepBudget(() => parseLine(line, projects, momentReader));
  const { text, isDraft, platforms, project, when } = parsedLine;
  const notes = [...renderUnreadNotes(parsedLine), ...(text === line.trim() ? [LINE_AS_TEXT_NOTE] : [])];
  return {
    prefill: {
      ...(project && { project: { id: project.id, name: project.name } }),
      text,
      platforms: [...platforms],
      ...(isDraft && { status: 'DRAFT' }),
      when,
    },
    ...(notes.length > 0 && { notes }),
  };
}

/** Renders notes about the words that name nothing. Plain text. */
export function renderUnreadNotes({
  unknownPlatforms,
  unreadWords,
}: Pick<ReturnType<typeof parseLine>, 'unknownPlatforms' | 'unreadWords'>): string[] {
  const quote = (words: string) => `“${clip(sanitizeLine(words), MAX_QUOTE_LENGTH)}”`;
  return [
    ...unknownPlatforms.map((name) => `I don’t know the platform ${quote(name)}.`),
    ...(unreadWords === '' ? [] : [`I didn’t understand ${quote(unreadWords)}.`]),
  ];
}

/** Fetches the projects. If that fails or takes too long, returns the last known list, or else an empty one. */
async function fetchProjects({ context }: Call): Promise<ProjectList> {
  const outcome = await within(PROJECTS_TIMEOUT_MS, context.reads.listProjects(context.api));
  const projects = outcome?.kind === 'done' ? outcome.data : context.reads.getLastProjects(context.api);
  return projects ?? { items: [], isTruncated: false };
}
