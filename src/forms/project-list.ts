import { z } from 'zod';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { ActionCall, Call } from '../app/call.ts';
import { decodeButtonState } from '../slack/carried.ts';
import { loadFailureMessage, replyInTime } from '../slack/list-answers.ts';
import type { Message } from '../slack/message.ts';
import { askedProject } from './asked-project.ts';

/** What the buttons of a project's list carry. */
export const listState = z.object({
  project: z.string().optional(),
  words: z.string(),
  page: z.number().int(),
});
/** A list that is asked for: the first page, or the one that a button carries. */
export interface ListState {
  project?: string | undefined;
  words: string;
  page: number;
}

interface ProjectList<T> {
  /** e.g. `/upnext sources`. */
  command: string;
  /** Action ids: choosing the project, and trying the list again. */
  actions: { project: string; list: string };
  /** e.g. "sources". */
  noun: string;
  read(api: ApiClient, project: string): Promise<Outcome<Records<T>>>;
  show(
    call: Call,
    found: { project: Project; records: Records<T>; state: ListState },
  ): Message | Promise<Message>;
}

/** What a project has of something, by words and pages: asked for its project, waited for, and told where it failed. */
export function createProjectList<T>(list: ProjectList<T>) {
  const show = (call: Call, state: ListState, replace: boolean): Promise<void> =>
    replyInTime(call, message(list, call, state), { slowMs: call.context.pace.slowMs, replace });
  return {
    show,
    /** Another page, or the list anew, in the place of what was pressed. */
    turn: (call: ActionCall): Promise<void> =>
      show(call, decodeButtonState(listState, call.action.value) ?? { words: '', page: 0 }, true),
  };
}

async function message<T>(list: ProjectList<T>, call: Call, { page, ...asked }: ListState): Promise<Message> {
  const found = await askedProject(call, asked, {
    command: list.command,
    action: list.actions.project,
    again: list.actions.list,
    state: (chosen) => ({ ...chosen, page }),
  });
  if ('instead' in found) return found.instead;
  const { project, rest: words } = found;
  const state = { project: project.id, words, page };
  const line = `I could not get the ${list.noun} of ${project.name}.`;
  const failed = { reference: call.reference, again: { action: list.actions.list, state } };
  const outcome = await list.read(call.context.api, project.id);
  if (outcome.kind !== 'done') return loadFailureMessage(line, outcome, failed);
  if (outcome.data.shape === 'unreadable') return loadFailureMessage(line, 'unreadable', failed);
  return list.show(call, { project, records: outcome.data, state });
}
