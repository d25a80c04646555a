import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import type { ActionCall, Call, CommandCall, Handler } from '../app/call.ts';
import { renderCount } from '../posts/post-count.ts';
import { answerWhenReady } from '../slack/answer-when-ready.ts';
import {
  actions,
  button,
  clip,
  context,
  escapeText,
  plainSection,
  sanitizeLine,
  section,
} from '../slack/blocks.ts';
import { decodeButtonState, encodeButtonState } from '../slack/interaction-values.ts';
import { buildPageButtons, paginate, renderPartialNote } from '../slack/list-pages.ts';
import type { Message } from '../slack/message.ts';
import { buildLoadFailureMessage } from '../slack/service-failure.ts';
import { addNote, buildProjectActions, resolveListProject } from './resolve-list-project.ts';

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

/** A list of the records that a project has in the service. */
interface RecordList<Item extends { id: string; name: string }> {
  /** The list's command, e.g. `/upnext sources`. */
  command: string;
  /** The name of one record, e.g. "source". With an "s" it begins the action ids: `sources.next`. */
  noun: string;
  readRecords(api: ApiClient, project: string): Promise<Outcome<Records<Item>>>;
  /** The text in which words are searched. */
  getSearchText(item: Item): string;
  renderEntry(item: Item, state: ListState): KnownBlock[];
  /** Explains the records where a project has none. */
  explanation?: string;
}

/** Maximum records on a page. Their excerpts fit in the 10,000 characters that a message's blocks hold. */
const PAGE_SIZE = 8;
const MAX_NAME_LENGTH = 100;

/**
 * Creates the handlers of a list that shows the records of a project in pages. The handlers resolve the project, notify
 * the actor if the service is slow, and report failures.
 */
export function createRecordList<Item extends { id: string; name: string }>(list: RecordList<Item>) {
  const prefix = `${list.noun}s`;
  const showPage = (call: Call, state: ListState, { replace }: { replace: boolean }): Promise<void> =>
    answerWhenReady(call, createListMessage(list, call, state), { replace });
  const deed = `open the list of ${prefix}` as const;
  const pageHandler: Handler<ActionCall> = {
    deed,
    run: (call) =>
      showPage(call, decodeButtonState(listState, call.action.value) ?? { words: '', page: 0 }, {
        replace: true,
      }),
  };
  return {
    /** The handler of the list's command. */
    command: {
      deed,
      run: (call: CommandCall) => showPage(call, { words: call.text, page: 0 }, { replace: false }),
    },
    actions: {
      ...buildProjectActions(`${prefix}.project`, pageHandler),
      ...Object.fromEntries(
        ['list', 'previous', 'next'].map((name) => [`${prefix}.${name}`, pageHandler] as const),
      ),
    },
  };
}

async function createListMessage<Item extends { id: string; name: string }>(
  list: RecordList<Item>,
  call: Call,
  { page, ...query }: ListState,
): Promise<Message> {
  const nouns = `${list.noun}s`;
  const action = `${nouns}.list`;
  const resolution = await resolveListProject(call, query, {
    command: list.command,
    noun: nouns,
    action: `${nouns}.project`,
    retryAction: action,
    buildState: (chosen) => ({ ...chosen, page }),
  });
  if ('message' in resolution) return resolution.message;
  const { project, rest: words, note } = resolution;
  const state = { project: project.id, words, page };
  const failureText = `I couldn’t load the ${nouns} of ${project.name}.`;
  const failureOptions = { reference: call.reference, retry: { action, state } };
  const outcome = await list.readRecords(call.context.api, project.id);
  if (outcome.kind !== 'done') return buildLoadFailureMessage(failureText, outcome, failureOptions);
  if (!outcome.data.isReadable) return buildLoadFailureMessage(failureText, 'unreadable', failureOptions);
  return addNote(renderRecordList(list, { project, records: outcome.data, state }), note);
}

/** Renders one page of the list, or says that there are no records. */
export function renderRecordList<Item extends { id: string; name: string }>(
  list: RecordList<Item>,
  { project, records, state }: { project: Project; records: Records<Item>; state: ListState },
): Message {
  const nouns = `${list.noun}s`;
  const projectName = clip(sanitizeLine(project.name), MAX_NAME_LENGTH);
  const matches = searchRecords(records.items, state.words, list.getSearchText);
  const partialNote = renderPartialNote({ ...records, readCount: records.items.length }, nouns);
  const notes = partialNote === undefined ? [] : [context(partialNote)];
  const filterText = state.words === '' ? '' : ` with “${clip(sanitizeLine(state.words), MAX_NAME_LENGTH)}”`;
  if (records.items.length === 0) {
    const line = `${projectName} has no ${nouns}${partialNote === undefined ? ' yet' : ' that I can read'}.`;
    const hint = 'Create them in the scheduling service, and they’ll show up here.';
    const explanations = list.explanation === undefined ? [] : [context(list.explanation)];
    return {
      text: `${escapeText(line)} ${hint}`,
      blocks: [plainSection(line), ...notes, section(hint), ...explanations],
    };
  }
  if (matches.length === 0) {
    const line = `I found no ${projectName} ${list.noun}${filterText}.`;
    const value = encodeButtonState({ ...state, words: '', page: 0 });
    const showAll = value === undefined ? [] : [actions(button('Show all', `${nouns}.list`, value))];
    return { text: escapeText(line), blocks: [plainSection(line), ...notes, ...showAll] };
  }
  const page = paginate(matches, state.page, PAGE_SIZE);
  const title = `${projectName}: ${renderCount(matches.length, list.noun)}${filterText}${page.titleSuffix}`;
  const pageActions = { previous: `${nouns}.previous`, next: `${nouns}.next` };
  const pageButtons = buildPageButtons(page, pageActions, (number) => ({ ...state, page: number }));
  return {
    text: escapeText(`${title}\n${page.items.map(({ name }) => name).join(', ')}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...page.items.flatMap((item) => list.renderEntry(item, state)),
      ...notes,
      ...(pageButtons.length > 0 ? [actions(...pageButtons)] : []),
    ],
  };
}

/** Finds the record with this id, or else the records whose text contains all words of the query. */
export function searchRecords<Item extends { id: string }>(
  items: readonly Item[],
  query: string,
  getSearchText: (item: Item) => string,
): readonly Item[] {
  const idMatches = items.filter(({ id }) => id === query.trim());
  if (idMatches.length > 0) return idMatches;
  const queryWords = query.toLowerCase().split(/\s+/).filter(Boolean);
  return items.filter((item) => {
    const searchText = getSearchText(item).toLowerCase();
    return queryWords.every((word) => searchText.includes(word));
  });
}
