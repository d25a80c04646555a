import { z } from 'zod';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { ActionCall, Call } from '../app/call.ts';
import { decodeButtonState } from '../slack/interaction-values.ts';
import { buildLoadFailureMessage, replyInTime } from '../slack/list-answers.ts';
import type { Message } from '../slack/message.ts';
import { resolveListProject } from './list-project.ts';

/** The state in the buttons of a project's list. */
export const listState = z.object({
  project: z.string().optional(),
  words: z.string(),
  page: z.number().int(),
});
/** A requested page of a list. Without `project`, the project is found from `words` or the channel. */
export interface ListState {
  project?: string | undefined;
  words: string;
  page: number;
}

interface ProjectList<T> {
  /** e.g. `/upnext sources`. */
  command: string;
  /** Action ids: to choose the project, and to load the list again. */
  actions: { project: string; list: string };
  /** The records in the list, e.g. "sources". */
  noun: string;
  read(api: ApiClient, project: string): Promise<Outcome<Records<T>>>;
  show(
    call: Call,
    found: { project: Project; records: Records<T>; state: ListState },
  ): Message | Promise<Message>;
}

/**
 * Handlers of a list of a project's records, in pages. They resolve the project, say when the service is slow, and
 * report failures.
 */
export function createProjectList<T>(list: ProjectList<T>) {
  const show = (call: Call, state: ListState, replace: boolean): Promise<void> =>
    replyInTime(call, message(list, call, state), { slowMs: call.context.pace.slowMs, replace });
  return {
    show,
    /** Shows another page, or loads the list again, in place of the message with the button. */
    turn: (call: ActionCall): Promise<void> =>
      show(call, decodeButtonState(listState, call.action.value) ?? { words: '', page: 0 }, true),
  };
}

async function message<T>(list: ProjectList<T>, call: Call, { page, ...asked }: ListState): Promise<Message> {
  const found = await resolveListProject(call, asked, {
    command: list.command,
    action: list.actions.project,
    again: list.actions.list,
    state: (chosen) => ({ ...chosen, page }),
  });
  if ('instead' in found) return found.instead;
  const { project, rest: words } = found;
  const state = { project: project.id, words, page };
  const line = `I could not get the ${list.noun} of ${project.name}.`;
  const failed = { reference: call.reference, retry: { action: list.actions.list, state } };
  const outcome = await list.read(call.context.api, project.id);
  if (outcome.kind !== 'done') return buildLoadFailureMessage(line, outcome, failed);
  if (outcome.data.shape === 'unreadable') return buildLoadFailureMessage(line, 'unreadable', failed);
  return list.show(call, { project, records: outcome.data, state });
}
