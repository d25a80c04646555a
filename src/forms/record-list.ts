import { z } from 'zod';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { ActionCall, Call, Handler } from '../app/call.ts';
import { decodeButtonState } from '../slack/interaction-values.ts';
import { buildLoadFailureMessage, replyInTime } from '../slack/list-answers.ts';
import type { Message } from '../slack/message.ts';
import { addNote, resolveListProject } from './resolve-list-project.ts';

/** Schema of the state in the buttons of a list of records. `words` is the text after the command. */
export const listState = z.object({
  project: z.string().optional(),
  words: z.string(),
  page: z.number().int(),
});

/** A requested page of a list. If `project` is undefined, the project is resolved from `words` or from the channel. */
export interface ListState {
  project?: string | undefined;
  /** The text after the command. */
  words: string;
  page: number;
}

interface RecordList<T> {
  /** The list's command, e.g. `/upnext sources`. */
  command: string;
  /** Action ids of the buttons that choose the project, and of the button that loads the list again. */
  actions: { project: string; list: string };
  /** The plural name of the records, e.g. "sources". */
  noun: string;
  readRecords(api: ApiClient, project: string): Promise<Outcome<Records<T>>>;
  renderMessage(
    call: Call,
    list: { project: Project; records: Records<T>; state: ListState },
  ): Message | Promise<Message>;
}

/**
 * Creates the handlers of a list that shows the records of a project in pages. The handlers resolve the project, notify
 * the actor if the service is slow, and report failures.
 */
export function createRecordList<T>(list: RecordList<T>) {
  const showPage = (call: Call, state: ListState, { replace }: { replace: boolean }): Promise<void> =>
    replyInTime(call, renderListMessage(list, call, state), {
      slowMs: call.context.pace.slowNoticeDelayMs,
      replace,
    });
  return {
    showPage,
    /** Handles a button of the list. Replaces the list's message with another page, or with the list loaded again. */
    pageHandler: {
      deed: `open the list of ${list.noun}`,
      run: (call) =>
        showPage(call, decodeButtonState(listState, call.action.value) ?? { words: '', page: 0 }, {
          replace: true,
        }),
    } satisfies Handler<ActionCall>,
  };
}

async function renderListMessage<T>(
  list: RecordList<T>,
  call: Call,
  { page, ...query }: ListState,
): Promise<Message> {
  const resolution = await resolveListProject(call, query, {
    command: list.command,
    noun: list.noun,
    action: list.actions.project,
    retryAction: list.actions.list,
    buildState: (chosen) => ({ ...chosen, page }),
  });
  if ('message' in resolution) return resolution.message;
  const { project, rest: words, note } = resolution;
  const state = { project: project.id, words, page };
  const failureText = `I couldn’t load the ${list.noun} of ${project.name}.`;
  const failureOptions = { reference: call.reference, retry: { action: list.actions.list, state } };
  const outcome = await list.readRecords(call.context.api, project.id);
  if (outcome.kind !== 'done') return buildLoadFailureMessage(failureText, outcome, failureOptions);
  if (!outcome.data.isReadable) return buildLoadFailureMessage(failureText, 'unreadable', failureOptions);
  return addNote(await list.renderMessage(call, { project, records: outcome.data, state }), note);
}
