import type { Project } from '../api/projects.ts';
import type { Call } from '../app/call.ts';
import { resolveProject } from '../posts/meant-project.ts';
import { addUnreadProjects } from '../posts/project.ts';
import { boundProjects } from '../preferences/bindings.ts';
import { actions, button, section } from '../slack/blocks.ts';
import { encodeButtonState } from '../slack/carried.ts';
import { loadFailureMessage } from '../slack/list-answers.ts';
import type { Message } from '../slack/message.ts';

/** So many projects are offered as buttons; of more the name is typed. */
const OFFERED = 20;

/** What is asked for: a project that was chosen before, or words that may name one. */
interface Asked {
  project?: string | undefined;
  words: string;
}

/** How a project is asked for. */
interface Asking {
  /** What to type, e.g. `/upnext templates`. */
  command: string;
  /** Of the buttons; each has a number behind it, see `projectActions`. */
  action: string;
  /** Tries the same again, where the service did not answer. */
  again: string;
  /** What a list's buttons carry for this project, or for these words where it is not known yet. */
  state(chosen: { project?: string; words: string }): object;
}

/** The project that a list is about, with the words that are left; or what to say instead. */
export async function askedProject(
  call: Call,
  { project: id, words }: Asked,
  asking: Asking,
): Promise<{ project: Project; rest: string } | { instead: Message }> {
  const { context, who, channel, reference } = call;
  const [outcome, bound] = await Promise.all([
    context.reads.projectsNow(context.api),
    boundProjects(context.db, { workspace: who.workspace, channel }),
  ]);
  const again = {
    action: asking.again,
    state: asking.state({ words, ...(id !== undefined && { project: id }) }),
  };
  if (outcome.kind !== 'done')
    return { instead: loadFailureMessage('I could not get the projects.', outcome, { reference, again }) };
  const listed = addUnreadProjects(outcome.data, [...(id === undefined ? [] : [id]), ...bound], call);
  const { items, shape, isTruncated } = listed;
  if (shape === 'unreadable')
    return {
      instead: loadFailureMessage('I could not get the projects.', 'unreadable', { reference, again }),
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

/** The same handler for each of the buttons. */
export function projectActions<Handler>(action: string, handler: Handler): Record<string, Handler> {
  return Object.fromEntries(Array.from({ length: OFFERED }, (_, index) => [`${action}.${index}`, handler]));
}

function question(
  projects: readonly Project[],
  words: string,
  asking: Asking & { isTruncated: boolean },
): Message {
  const offered = projects.slice(0, OFFERED).flatMap(({ id, name }, index) => {
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
