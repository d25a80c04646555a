import type { KnownBlock } from '@slack/types';
import { z } from 'zod';
import type { ApiClient } from '../api/client.ts';
import type { Outcome } from '../api/outcome.ts';
import type { Project } from '../api/projects.ts';
import type { Records } from '../api/records.ts';
import { filterInTurns } from '../promises.ts';
import { buildButtonRow, clipLine, context, escapeText, plainSection, section } from '../slack/blocks.ts';
import { buildPageButtons, buildStateButton, paginate, renderPartialNotes } from '../slack/list-pages.ts';
import type { Message } from '../slack/message.ts';
import { createWordSearch } from '../slack/name.ts';
import { renderCount } from '../words.ts';
import { createList, createProjectMessage } from './list.ts';

/**
 * Schema of the state in the buttons of a list of records. `words` is the text after the command. If `project` is
 * undefined, the project is resolved from `words` or from the channel.
 */
export const listState = z.object({
  project: z.string().optional(),
  words: z.string(),
  page: z.number().int(),
});
export type ListState = z.infer<typeof listState>;

interface RecordList<Item extends { id: string; name: string }> {
  /** The list's command, e.g. `/upnext sources`. */
  command: string;
  /** The name of one record, e.g. "source". With an "s" it begins the action ids: `sources.next`. */
  noun: string;
  readRecords(api: ApiClient, project: string): Promise<Outcome<Records<Item>>>;
  getSearchText(item: Item): string;
  renderEntry(item: Item, state: ListState): KnownBlock[];
  /** Explains the records where a project has none. */
  explanation?: string;
}

/** Maximum records on a page. Their excerpts fit in the 10,000 characters that a message's blocks hold. */
const PAGE_SIZE = 8;
const MAX_NAME_LENGTH = 100;

export function createRecordList<Item extends { id: string; name: string }>(list: RecordList<Item>) {
  const noun = `${list.noun}s`;
  return createList<ListState>({
    prefix: noun,
    deed: `open the list of ${noun}`,
    choices: ['project'],
    state: listState,
    start: (words) => ({ words, page: 0 }),
    createMessage: (call, query) =>
      createProjectMessage(
        call,
        query,
        { command: list.command, noun, prefix: noun },
        async (project, words) => {
          const state = { project: project.id, words, page: query.page };
          const outcome = await list.readRecords(call.context.api, project.id);
          if (outcome.kind !== 'done') return { failure: outcome, state };
          if (!outcome.data.isReadable) return { failure: 'unreadable', state };
          return renderRecordList(list, { project, records: outcome.data, state });
        },
      ),
  });
}

async function renderRecordList<Item extends { id: string; name: string }>(
  list: RecordList<Item>,
  { project, records, state }: { project: Project; records: Records<Item>; state: ListState },
): Promise<Message> {
  const nouns = `${list.noun}s`;
  const projectName = clipLine(project.name, MAX_NAME_LENGTH);
  const matches = await searchRecords(records.items, state.words, list.getSearchText);
  const partialNotes = renderPartialNotes({ ...records, readCount: records.items.length }, nouns);
  const notes = partialNotes.length === 0 ? [] : [context(...partialNotes)];
  const filterText = state.words === '' ? '' : ` with “${clipLine(state.words, MAX_NAME_LENGTH)}”`;
  if (records.items.length === 0) {
    const line = `${projectName} has no ${nouns}${notes.length === 0 ? ' yet' : ' that I can read'}.`;
    const hint = 'Create them in the scheduling service, and they’ll show up here.';
    const explanations = list.explanation === undefined ? [] : [context(list.explanation)];
    return {
      text: `${escapeText(line)} ${hint}`,
      blocks: [plainSection(line), ...notes, section(hint), ...explanations],
    };
  }
  if (matches.length === 0) {
    const line = `I found no ${projectName} ${list.noun}${filterText}.`;
    const showAll = buildStateButton('Show all', `${nouns}.list`, { ...state, words: '', page: 0 });
    return { text: escapeText(line), blocks: [plainSection(line), ...notes, ...buildButtonRow(showAll)] };
  }
  const page = paginate(matches, state.page, PAGE_SIZE);
  const title = `${projectName}: ${renderCount(matches.length, list.noun)}${filterText}${page.titleSuffix}`;
  const pageButtons = buildPageButtons(nouns, page, (number) => ({ ...state, page: number }));
  return {
    text: escapeText(`${title}\n${page.items.map(({ name }) => name).join(', ')}`),
    blocks: [
      section(`*${escapeText(title)}*`),
      ...page.items.flatMap((item) => list.renderEntry(item, state)),
      ...notes,
      ...buildButtonRow(pageButtons),
    ],
  };
}

/** Finds the record with this id, or else the records whose text contains all words of the query. */
export async function searchRecords<Item extends { id: string }>(
  items: readonly Item[],
  query: string,
  getSearchText: (item: Item) => string,
): Promise<readonly Item[]> {
  const idMatches = items.filter(({ id }) => id === query.trim());
  if (idMatches.length > 0) return idMatches;
  const hasWords = createWordSearch(query);
  return filterInTurns(items, (item) => hasWords(getSearchText(item)));
}
