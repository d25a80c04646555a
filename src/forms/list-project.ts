import type { Project } from '../api/projects.ts';
import type { Call } from '../app/call.ts';
import { addUnreadProjects } from '../posts/project.ts';
import { resolveProject } from '../posts/resolve-project.ts';
import { listBoundProjects } from '../preferences/bindings.ts';
import { actions, button, section } from '../slack/blocks.ts';
import { encodeButtonState } from '../slack/interaction-values.ts';
import { buildLoadFailureMessage } from '../slack/list-answers.ts';
import type { Message } from '../slack/message.ts';

/** How many projects are shown as buttons. For others, the person types the name. */
const MAX_BUTTONS = 20;

/** The id of a project that was chosen before, or words that may name one. */
interface ProjectQuery {
  project?: string | undefined;
  words: string;
}

/** How a list asks for its project. */
interface ListQuestion {
  /** The list's command, e.g. `/upnext templates`. */
  command: string;
  /** The prefix of the buttons' action ids, see `projectActions`. */
  action: string;
  /** The action id of [Try again], shown if the service doesn't answer. */
  again: string;
  /** The state in the buttons of the list: for a chosen project, or for words if no project is known yet. */
  state(chosen: { project?: string; words: string }): object;
}

/**
 * The project of a list and the words that don't name it; or a message that asks for the project or reports a failure.
 */
export async function resolveListProject(
  call: Call,
  { project: id, words }: ProjectQuery,
  asking: ListQuestion,
): Promise<{ project: Project; rest: string } | { instead: Message }> {
  const { context, actor, channel, reference } = call;
  const [outcome, bound] = await Promise.all([
    context.reads.fetchProjects(context.api),
    listBoundProjects(context.db, { workspace: actor.workspace, channel }),
  ]);
  const again = {
    action: asking.again,
    state: asking.state({ words, ...(id !== undefined && { project: id }) }),
  };
  if (outcome.kind !== 'done')
    return {
      instead: buildLoadFailureMessage('I could not get the projects.', outcome, { reference, retry: again }),
    };
  const listed = addUnreadProjects(outcome.data, [...(id === undefined ? [] : [id]), ...bound], call);
  const { items, shape, isTruncated } = listed;
  if (shape === 'unreadable')
    return {
      instead: buildLoadFailureMessage('I could not get the projects.', 'unreadable', {
        reference,
        retry: again,
      }),
    };
  const chosen = items.find((project) => project.id === id);
  if (chosen) return { project: chosen, rest: words };
  const meant = resolveProject(listed, bound, words);
  switch (meant.kind) {
    case 'none':
      return { instead: { text: 'There is no project yet. Make one in the scheduling service first.' } };
    case 'one':
      return meant;
    case 'several':
      return { instead: question(meant.projects, meant.rest, { ...asking, isTruncated }) };
  }
}

/** Registers a handler for each of the buttons. */
export function projectActions<Handler>(action: string, handler: Handler): Record<string, Handler> {
  return Object.fromEntries(
    Array.from({ length: MAX_BUTTONS }, (_, index) => [`${action}.${index}`, handler]),
  );
}

function question(
  projects: readonly Project[],
  words: string,
  asking: ListQuestion & { isTruncated: boolean },
): Message {
  const offered = projects.slice(0, MAX_BUTTONS).flatMap(({ id, name }, index) => {
    const value = encodeButtonState(asking.state({ project: id, words }));
    return value === undefined ? [] : [button(name, `${asking.action}.${index}`, value)];
  });
  const rest = projects.length - offered.length;
  const typed = `Type \`${asking.command}\` and the project’s name`;
  const more =
    rest > 0
      ? `${asking.isTruncated ? 'At least ' : ''}${rest} more are not shown. ${typed}. \`/upnext use\` chooses the channel’s.`
      : `Or: ${typed.toLowerCase()}. \`/upnext use\` chooses the channel’s.`;
  return {
    text: `Which project? ${typed}.`,
    blocks: [
      section('*Which project?*'),
      ...(offered.length > 0 ? [actions(...offered)] : []),
      section(more),
    ],
  };
}
