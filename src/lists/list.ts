import { DateTime } from 'luxon';
import { z } from 'zod';
import {
  type AuditAction,
  buildDoneEntry,
  type Deed,
  type RequiredRole,
  type Role,
  renderMissingRole,
} from '../access/access.ts';
import type { Project } from '../api/projects.ts';
import { answerWhenReady } from '../handlers/answer-when-ready.ts';
import type { ActionCall, Call, CommandCall, Handler } from '../handlers/call.ts';
import { readProjects } from '../held-posts/known-projects.ts';
import {
  addMissingProjects,
  explainNoProject,
  findProjectsByName,
  nameProjects,
  type ProjectList,
  renderChannelNameNote,
  resolveProject,
  toChannelName,
} from '../posts/project.ts';
import { listBoundProjects } from '../preferences/bindings.ts';
import { adviseOnOrder } from '../preferences/date-order.ts';
import { findZones } from '../preferences/zones.ts';
import { isDirectMessage } from '../slack/audience.ts';
import {
  buildButtonRow,
  clipLine,
  context,
  escapeText,
  plainSection,
  sanitizeLine,
  section,
} from '../slack/blocks.ts';
import type { ExportGuard } from '../slack/csv.ts';
import { decodeButtonState } from '../slack/interaction-values.ts';
import { buildStateButton } from '../slack/list-pages.ts';
import { addBlocks, type Message } from '../slack/message.ts';
import { buildLoadFailureMessage, type ReadFailure } from '../slack/service-failure.ts';
import { findRange, type Range, renderRange } from '../when/range.ts';
import type { Question } from '../when/when.ts';
import { isZone } from '../when/zones.ts';

/** A list in Slack: a command shows its first page, and buttons, which store its state, show any page. */
interface List<State extends object> {
  /** The beginning of the buttons' action ids: `logs` in `logs.next`. */
  prefix: string;
  deed: Deed;
  /** Defaults to the role of the feature. */
  role?: RequiredRole;
  /** The names of the buttons that show the list. Slack requires a separate action id for each button of a block. */
  buttons?: readonly string[];
  /** The names of the buttons that a number follows, one for each choice: `logs.project.0`. */
  choices?: readonly string[];
  state: z.ZodType<State>;
  /** The state of the first page. `words`: the text after the command. */
  start(words: string): State;
  createMessage(call: Call, state: State): Promise<Message>;
  /** [Export as CSV] sends the whole list as a file, and replies with the message. */
  file?: { deed: Deed; send(call: Call, state: State): Promise<Message> };
}

/** Creates the handlers of a list: of its command, and of its buttons by action id. */
export function createList<State extends object>(list: List<State>) {
  const { prefix, deed, role, file, buttons = ['list', 'previous', 'next'], choices = [] } = list;
  const show = (call: Call, state: State, options?: { replace: boolean }) =>
    answerWhenReady(call, list.createMessage(call, state), options);
  const readState = (call: ActionCall) => decodeButtonState(list.state, call.action.value) ?? list.start('');
  const access = { deed, ...(role && { role }) };
  const buttonHandler: Handler<ActionCall> = {
    ...access,
    run: (call) => show(call, readState(call), { replace: true }),
  };
  const exportFile = async (call: ActionCall, { send }: NonNullable<typeof file>) => {
    call.countCostlyAction();
    await answerWhenReady(call, send(call, readState(call)));
  };
  const ids = [
    ...buttons.map((name) => `${prefix}.${name}`),
    ...choices.flatMap((name) =>
      Array.from({ length: MAX_CHOICES }, (_, index) => `${prefix}.${name}.${index}`),
    ),
  ];
  return {
    show,
    command: { ...access, run: (call: CommandCall) => show(call, list.start(call.text)) },
    actions: {
      ...Object.fromEntries(ids.map((id) => [id, buttonHandler])),
      ...(file && {
        [`${prefix}.export`]: { deed: file.deed, run: (call: ActionCall) => exportFile(call, file) },
      }),
    },
  };
}

const pageState = z.object({ page: z.number().int() });

/** Creates the handlers of a list that has only pages. */
export function createPagedList(list: Omit<List<z.infer<typeof pageState>>, 'state' | 'start'>) {
  return createList({ buttons: ['previous', 'next'], ...list, state: pageState, start: () => ({ page: 0 }) });
}

/** Maximum number of choices that are shown as buttons. People can type the name of another project. */
const MAX_CHOICES = 20;

interface ProjectState {
  project?: string | undefined;
  /** The text after the command, which may contain the name of a project. */
  words?: string | undefined;
}

/** What a list is called where it can't be shown. */
interface ListNames {
  /** The list's command, e.g. `/upnext templates`. */
  command: string;
  /** What couldn't be loaded, e.g. "templates". */
  noun: string;
  prefix: string;
  /** The name of [Try again]. Defaults to "list". */
  button?: string;
  /** The name of the buttons that choose a project. Defaults to "project". */
  choice?: string;
  /** Whether words have a meaning of their own, which a project of that name must not take away: "drafts". */
  isOwnWord?(words: string): boolean;
  /** Whether nothing but a project is typed, so that the beginning of a name is enough beside the channel's project. */
  takesOnlyProject?: boolean;
}

/** Why the list of a project couldn't be read, and the state with which [Try again] reads it. `line` is plain text. */
export interface ListFailure {
  failure: ReadFailure;
  state: object;
  line?: string;
}

/**
 * Creates the message of a list about one project. Resolves the project; if the person has to choose it, the message
 * asks. `words`: the rest of the text after the command.
 */
export async function createProjectMessage(
  call: Call,
  state: ProjectState,
  names: ListNames,
  create: (project: Project, words: string) => Promise<Message | ListFailure>,
): Promise<Message> {
  const resolution = await resolveListProject(call, state, names);
  if ('message' in resolution) return resolution.message;
  const { project, rest, note } = resolution;
  const result = await create(project, rest);
  if ('failure' in result) {
    const { line = `I couldn’t load the ${names.noun} of ${project.name}.` } = result;
    return buildListFailure(call, names, { ...result, line });
  }
  if (note === undefined) return result;
  return addBlocks(result, context(note));
}

function buildListFailure(
  { reference }: Call,
  { prefix, button = 'list' }: ListNames,
  { line, failure, state }: Required<ListFailure>,
): Message {
  return buildLoadFailureMessage(line, failure, {
    reference,
    retry: { action: `${prefix}.${button}`, state },
  });
}

/** Resolves the project, or returns a message that asks for it or reports a failure. `note`: the choice (mrkdwn). */
async function resolveListProject(
  call: Call,
  state: ProjectState,
  names: ListNames,
): Promise<{ project: Project; rest: string; note?: string } | { message: Message }> {
  const { project: id, words = '' } = state;
  const { context: appContext, actor, channel } = call;
  const [outcome, boundIds] = await Promise.all([
    appContext.reads.fetchProjects(appContext.api),
    listBoundProjects(appContext.db, { workspace: actor.workspace, channel }),
  ]);
  const buildFailure = (failure: ReadFailure) => ({
    message: buildListFailure(call, names, { line: `I couldn’t load the ${names.noun}.`, failure, state }),
  });
  // With known projects, the list itself reports that the service isn't answering.
  const { projects, failure } = await readProjects(call, outcome);
  if (!projects) return buildFailure(failure);
  const projectList = addMissingProjects(projects, [...(id === undefined ? [] : [id]), ...boundIds], call);
  const { items, isTruncated } = projectList;
  const chosenProject = items.find((project) => project.id === id);
  if (chosenProject) return { project: chosenProject, rest: words };
  const namesakes = names.isOwnWord?.(words) ? findProjectsByName(projectList, words) : undefined;
  if (namesakes?.isWholeName)
    return {
      message: renderOwnWordQuestion(call, { words, list: projectList, boundIds, state, names }, namesakes),
    };
  const namedProjects = names.takesOnlyProject ? findProjectsByName(projectList, words).projects : [];
  const resolution =
    namedProjects.length > 0
      ? resolveProject({ items: namedProjects, isTruncated: false }, [], '')
      : resolveProject(projectList, boundIds, words, call.channelName);
  switch (resolution.kind) {
    case 'none':
      return { message: { text: explainNoProject(projectList) } };
    case 'one':
      return resolution.isFromChannelName
        ? {
            ...resolution,
            note: renderChannelNameNote(escapeText(sanitizeLine(resolution.project.name)), call),
          }
        : resolution;
    case 'several': {
      const restState = { ...state, ...(state.words !== undefined && { words: resolution.rest }) };
      return { message: renderProjectQuestion(call, resolution.projects, isTruncated, restState, names) };
    }
  }
}

/** Asks whether words that have a meaning of their own name a project, or are about one of the others. */
function renderOwnWordQuestion(
  { channelName }: Call,
  asked: {
    words: string;
    list: ProjectList;
    boundIds: readonly string[];
    state: ProjectState;
    names: ListNames;
  },
  { projects: namesakes }: { projects: readonly Project[] },
): Message {
  const { words, list, boundIds, state, names } = asked;
  const { prefix, choice = 'project' } = names;
  const quoted = `“${clipLine(words, MAX_QUOTE_LENGTH)}”`;
  const resolution = resolveProject(list, boundIds, '', channelName);
  const others =
    resolution.kind === 'one'
      ? [resolution.project]
      : resolution.kind === 'several'
        ? resolution.projects
        : [];
  const choices = [
    ...nameProjects(namesakes).map((name, index) => ({
      label: `Project ${name}`,
      id: namesakes[index]?.id,
      words: '',
    })),
    ...nameProjects(others).map((name, index) => ({
      label: `${quoted} in ${name}`,
      id: others[index]?.id,
      words,
    })),
  ];
  const buttons = choices
    .slice(0, MAX_CHOICES)
    .flatMap(({ label, id, ...chosen }, index) =>
      buildStateButton(label, `${prefix}.${choice}.${index}`, { ...state, ...chosen, project: id }),
    );
  const text = escapeText(
    `${quoted} is the name of a project, and also means something else. Which do you mean?`,
  );
  return { text, blocks: [section(text), ...buildButtonRow(buttons)] };
}

function renderProjectQuestion(
  { channel = '', may }: Call,
  projects: readonly Project[],
  isTruncated: boolean,
  state: ProjectState,
  names: ListNames,
): Message {
  const { prefix, choice = 'project' } = names;
  const labels = nameProjects(projects);
  const buttons = projects
    .slice(0, MAX_CHOICES)
    .flatMap(({ id, name }, index) =>
      buildStateButton(labels[index] ?? name, `${prefix}.${choice}.${index}`, { ...state, project: id }),
    );
  const hiddenCount = projects.length - buttons.length;
  const command = `\`${names.command}\` and the project’s name`;
  const hint =
    hiddenCount > 0
      ? `${isTruncated ? 'At least ' : ''}${hiddenCount} more aren’t shown. Type ${command}.`
      : `Or type ${command}.`;
  const place = isDirectMessage(channel) ? 'the project of this conversation' : 'this channel’s project';
  return {
    text: `Which project? Type ${command}.`,
    blocks: [
      section('*Which project?*'),
      ...buildButtonRow(buttons),
      section(may('manager') ? `${hint}\nChoose ${place} with \`/upnext use\`.` : hint),
    ],
  };
}

/**
 * A search in a list: words, and the first and the last instant of its days, both inclusive. Days are stored as times,
 * so that "last 24 hours" means the same range on every page.
 */
export const listSearch = z.object({
  words: z.string(),
  from: z.coerce.date().optional(),
  to: z.coerce.date().optional(),
});
export type ListSearch = z.infer<typeof listSearch>;

/** A parsed search. 'ambiguous': the days in `phrase` can mean several ranges. */
type ParsedSearch =
  | { kind: 'parsed'; search: ListSearch }
  | { kind: 'too-long'; reason: string }
  | { kind: 'ambiguous'; phrase: string; candidates: readonly { label: string; search: ListSearch }[] };

/** Parses "errors last week" into search words and a range of days. Pure. */
export function parseListSearch(
  text: string,
  { now, zone, locale, dateOrder }: Pick<Question, 'now' | 'zone' | 'locale' | 'dateOrder'>,
): ParsedSearch {
  const foundRange = findRange({ text, now, zone, locale, dateOrder });
  if (!foundRange) return { kind: 'parsed', search: { words: text.trim() } };
  // `findRange` ignores words that aren't days. 'not-understood' means that the text is too long to parse.
  if (foundRange.kind === 'not-understood') return { kind: 'too-long', reason: foundRange.reason };
  const { reading, rest, phrase } = foundRange;
  const toSearch = ({ from, to }: Range) => ({ words: rest.trim(), from, to });
  if (reading.kind === 'understood') return { kind: 'parsed', search: toSearch(reading.range) };
  const candidates = reading.candidates.map(({ range, text: label }) => ({ label, search: toSearch(range) }));
  return { kind: 'ambiguous', phrase, candidates };
}

const MAX_QUOTE_LENGTH = 100;

/** Renders a search as plain text: "", or " with “roast”, Mon 16 Nov to Sun 22 Nov (Berlin)". */
export function renderListSearch(
  { words, ...days }: ListSearch,
  reader: { now: Date; zone: string },
): string {
  const wordsText = words === '' ? '' : ` with “${clipLine(words, MAX_QUOTE_LENGTH)}”`;
  const hasDays = days.from !== undefined || days.to !== undefined;
  return `${wordsText}${hasDays ? `, ${renderRange({ ...days, zone: reader.zone }, reader)}` : ''}`;
}

/** Asks which candidate of ambiguous days is meant, with a button for each. `prefix` begins their action ids. */
export function renderDaysQuestion(
  prefix: string,
  phrase: string,
  candidates: readonly { label: string; state: object }[],
): Message {
  const line = `Which days do you mean by “${clipLine(phrase, MAX_QUOTE_LENGTH)}”?`;
  const buttons = candidates.flatMap(({ label, state }, index) =>
    buildStateButton(label, `${prefix}.range.${index}`, state),
  );
  const advice = adviseOnOrder(phrase);
  return {
    text: escapeText(`${line} ${candidates.map(({ label }) => label).join(', or ')}`),
    blocks: [plainSection(line), ...buildButtonRow(buttons), ...advice.map((sentence) => context(sentence))],
  };
}

/**
 * Finds the zone of the times in a file with a project's records: the project's, because colleagues read the file too,
 * or else the zone of the person who exports it.
 */
export async function findExportZone(
  { context, actor }: Pick<Call, 'context' | 'actor'>,
  { id }: Project,
  readerZone: string,
): Promise<string> {
  const { workspace, user } = actor;
  const { byProject } = await findZones(context.db, { workspace, user, channel: undefined });
  const zone = Object.hasOwn(byProject, id) ? byProject[id] : undefined;
  return zone !== undefined && isZone(zone) ? zone : readerZone;
}

/**
 * Creates the guard of a file for the actor of a request. `projects`: those that the file is about. Without any, the role in
 * any project is enough. `action`: the export in the audit log. Absent for a file without anybody's data.
 */
export function createExportGuard(
  call: Call,
  file: { role: Role; projects: readonly Pick<Project, 'id' | 'name'>[]; action?: AuditAction },
): ExportGuard {
  const { context, actor } = call;
  const { role, action } = file;
  const projects = file.projects.length === 0 ? [undefined] : file.projects;
  return {
    async explainRefusal() {
      for (const project of projects) {
        const answer = await context.access.recheckPermission(actor, role, project?.id);
        const name = project && clipLine(project.name, MAX_NAME_LENGTH);
        if (answer !== 'yes') return `Not exported, because ${renderMissingRole(answer, role, name)}.`;
      }
      return undefined;
    },
    record(outcome) {
      if (outcome === 'unchanged') return call.recordOutcome?.('unchanged');
      if (action === undefined) return undefined;
      for (const project of projects)
        context.record.enqueue(buildDoneEntry(call, { action, project: project?.id }));
      return undefined;
    },
  };
}

/** Maximum length of a project's name in the name of a file. */
const MAX_NAME_LENGTH = 60;

/** Builds the name of a file: "posts-harbour-coffee-2026-11-20.csv". */
export function buildExportName(noun: string, project: Project, date: { now: Date; zone: string }): string {
  const name = [...toChannelName(project.name)].slice(0, MAX_NAME_LENGTH).join('');
  const day = DateTime.fromJSDate(date.now, { zone: date.zone }).toISODate() ?? '';
  return [noun, name, day]
    .filter((part) => part !== '')
    .join('-')
    .concat('.csv');
}
