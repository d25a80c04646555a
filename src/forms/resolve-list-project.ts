import { isInconclusive } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Call } from '../app/call.ts';
import { addMissingProjects, renderChannelNameNote } from '../posts/project.ts';
import { resolveProject } from '../posts/resolve-project.ts';
import { listBoundProjects } from '../preferences/bindings.ts';
import { actions, button, context, escapeText, sanitizeLine, section } from '../slack/blocks.ts';
import { encodeButtonState } from '../slack/interaction-values.ts';
import type { Message } from '../slack/message.ts';
import { buildLoadFailureMessage, type ServiceFailure } from '../slack/service-failure.ts';
import { findLastProjects } from './find-last-projects.ts';

/** Maximum number of projects that are shown as buttons. People can type the name of another project. */
const MAX_BUTTONS = 20;

interface ProjectQuery {
  /** The id of the chosen project. */
  project?: string | undefined;
  /** The text after the command, which may contain the name of a project. */
  words: string;
}

/** Options of the message that asks which project's list to show. */
interface ListQuestion {
  /** The list's command, e.g. `/upnext templates`. */
  command: string;
  /** The plural noun for the records in the list, e.g. "templates". */
  noun: string;
  /** The prefix of the buttons' action ids. See `buildProjectActions`. */
  action: string;
  /** The action id of [Try again], which is shown if the service doesn't respond. */
  retryAction: string;
  /** Builds the state in the buttons of the list, for a chosen project or for the text after the command. */
  buildState(chosen: { project?: string; words: string }): object;
}

/**
 * Resolves the project of a list. Returns the project and the rest of the text after the command, or a message that
 * asks for the project or reports a failure. `note` explains the choice of the project (mrkdwn).
 */
export async function resolveListProject(
  call: Call,
  { project: id, words: commandText }: ProjectQuery,
  question: ListQuestion,
): Promise<{ project: Project; rest: string; note?: string } | { message: Message }> {
  const { context, actor, channel, reference } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const retryButton = {
    action: question.retryAction,
    state: question.buildState({ words: commandText, ...(id !== undefined && { project: id }) }),
  };
  const buildFailure = (failure: ServiceFailure | 'unreadable') => ({
    message: buildLoadFailureMessage(`I couldn’t load the ${question.noun}.`, failure, {
      reference,
      retry: retryButton,
    }),
  });
  // With known projects, the list itself reports that the service isn't answering.
  const knownProjects = isInconclusive(outcome) ? await findLastProjects(call) : undefined;
  if (outcome.kind !== 'done' && !knownProjects) return buildFailure(outcome);
  const records = outcome.kind === 'done' ? outcome.data : knownProjects;
  if (!records?.isReadable) return buildFailure('unreadable');
  const projectList = addMissingProjects(records, [...(id === undefined ? [] : [id]), ...boundIds], call);
  const { items, isTruncated } = projectList;
  const chosenProject = items.find((project) => project.id === id);
  if (chosenProject) return { project: chosenProject, rest: commandText };
  const resolution = resolveProject(projectList, boundIds, commandText, call.channelName);
  switch (resolution.kind) {
    case 'none':
      return { message: { text: 'There’s no project yet. Create one in the scheduling service first.' } };
    case 'one':
      return resolution.isFromChannelName
        ? { ...resolution, note: renderChannelNameNote(escapeText(sanitizeLine(resolution.project.name))) }
        : resolution;
    case 'several':
      return {
        message: renderProjectQuestion(resolution.projects, resolution.rest, { ...question, isTruncated }),
      };
  }
}

/** Adds small print below a message. `note`: mrkdwn. */
export function addNote(message: Message, note: string | undefined): Message {
  if (note === undefined) return message;
  return { ...message, blocks: [...(message.blocks ?? [section(message.text)]), context(note)] };
}

/** Builds the action handlers for the project buttons: the same handler for each button. */
export function buildProjectActions<Handler>(action: string, handler: Handler): Record<string, Handler> {
  return Object.fromEntries(
    Array.from({ length: MAX_BUTTONS }, (_, index) => [`${action}.${index}`, handler]),
  );
}

function renderProjectQuestion(
  projects: readonly Project[],
  commandText: string,
  question: ListQuestion & { isTruncated: boolean },
): Message {
  const buttons = projects.slice(0, MAX_BUTTONS).flatMap(({ id, name }, index) => {
    const value = encodeButtonState(question.buildState({ project: id, words: commandText }));
    return value === undefined ? [] : [button(name, `${question.action}.${index}`, value)];
  });
  const hiddenCount = projects.length - buttons.length;
  const command = `\`${question.command}\` and the project’s name`;
  const hint =
    hiddenCount > 0
      ? `${question.isTruncated ? 'At least ' : ''}${hiddenCount} more aren’t shown. Type ${command}.`
      : `Or type ${command}.`;
  return {
    text: `Which project? Type ${command}.`,
    blocks: [
      section('*Which project?*'),
      ...(buttons.length > 0 ? [actions(...buttons)] : []),
      section(`${hint}\nChoose this channel’s project with \`/upnext use\`.`),
    ],
  };
}
