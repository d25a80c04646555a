import type { Project } from '../api/projects.ts';
import type { Call } from '../app/call.ts';
import { addMissingProjects } from '../posts/project.ts';
import { resolveProject } from '../posts/resolve-project.ts';
import { listBoundProjects } from '../preferences/bindings.ts';
import { actions, button, section } from '../slack/blocks.ts';
import { encodeButtonState } from '../slack/interaction-values.ts';
import { buildLoadFailureMessage } from '../slack/list-answers.ts';
import type { Message } from '../slack/message.ts';

/** Projects shown as buttons. Our own limit. To choose another project, the person types its name. */
const MAX_BUTTONS = 20;

/** The id of a chosen project, or text after the command that may contain the name of a project. */
interface ProjectQuery {
  project?: string | undefined;
  words: string;
}

/** The parts of the question for a list's project. */
interface ListQuestion {
  /** The list's command, e.g. `/upnext templates`. */
  command: string;
  /** The prefix of the buttons' action ids. See `buildProjectActions`. */
  action: string;
  /** The action id of [Try again], which is shown if the service doesn't respond. */
  retryAction: string;
  /** Builds the state in the buttons of the list, for a chosen project or for the text after the command. */
  buildState(chosen: { project?: string; words: string }): object;
}

/**
 * Resolves the project of a list and returns it with the remaining words, or returns a message that asks for the
 * project or reports a failure.
 */
export async function resolveListProject(
  call: Call,
  { project: id, words }: ProjectQuery,
  question: ListQuestion,
): Promise<{ project: Project; rest: string } | { message: Message }> {
  const { context, actor, channel, reference } = call;
  const [outcome, boundIds] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const retryButton = {
    action: question.retryAction,
    state: question.buildState({ words, ...(id !== undefined && { project: id }) }),
  };
  if (outcome.kind !== 'done')
    return {
      message: buildLoadFailureMessage('I could not get the projects.', outcome, {
        reference,
        retry: retryButton,
      }),
    };
  const listed = addMissingProjects(outcome.data, [...(id === undefined ? [] : [id]), ...boundIds], call);
  const { items, shape, isTruncated } = listed;
  if (shape === 'unreadable')
    return {
      message: buildLoadFailureMessage('I could not get the projects.', 'unreadable', {
        reference,
        retry: retryButton,
      }),
    };
  const chosen = items.find((project) => project.id === id);
  if (chosen) return { project: chosen, rest: words };
  const resolved = resolveProject(listed, boundIds, words);
  switch (resolved.kind) {
    case 'none':
      return { message: { text: 'There is no project yet. Make one in the scheduling service first.' } };
    case 'one':
      return resolved;
    case 'several':
      return {
        message: renderProjectQuestion(resolved.projects, resolved.rest, { ...question, isTruncated }),
      };
  }
}

/** Builds the action handlers for the project buttons: the same handler for each button. */
export function buildProjectActions<Handler>(action: string, handler: Handler): Record<string, Handler> {
  return Object.fromEntries(
    Array.from({ length: MAX_BUTTONS }, (_, index) => [`${action}.${index}`, handler]),
  );
}

function renderProjectQuestion(
  projects: readonly Project[],
  words: string,
  question: ListQuestion & { isTruncated: boolean },
): Message {
  const buttons = projects.slice(0, MAX_BUTTONS).flatMap(({ id, name }, index) => {
    const value = encodeButtonState(question.buildState({ project: id, words }));
    return value === undefined ? [] : [button(name, `${question.action}.${index}`, value)];
  });
  const hiddenCount = projects.length - buttons.length;
  const typeAdvice = `Type \`${question.command}\` and the project’s name`;
  const otherWays =
    hiddenCount > 0
      ? `${question.isTruncated ? 'At least ' : ''}${hiddenCount} more are not shown. ${typeAdvice}. \`/upnext use\` chooses the channel’s.`
      : `Or: ${typeAdvice.toLowerCase()}. \`/upnext use\` chooses the channel’s.`;
  return {
    text: `Which project? ${typeAdvice}.`,
    blocks: [
      section('*Which project?*'),
      ...(buttons.length > 0 ? [actions(...buttons)] : []),
      section(otherWays),
    ],
  };
}
