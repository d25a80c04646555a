import { z } from 'zod';
import {
  type Decision,
  listRecordedActions,
  type RecordCursor,
  type RecordSearch,
  type SearchedPart,
  type SearchTerm,
} from '../../access/access.ts';
import type { Call } from '../../app/call.ts';
import { listSearch } from '../../forms/list-search.ts';
import { sanitizeLine } from '../../slack/blocks.ts';
import { renderSearchableText } from './audit-sentence.ts';
import type { AuditNames } from './deed-parts.ts';

const MAX_SEARCH_WORDS = 8;

/** Words that join names in a sentence. Entries don't contain them, so searches ignore them. */
const JOINING_WORDS = ['to', 'in', 'for', 'of', 'a', 'an', 'the'];

/** Search words that find denied requests. The sentences about these requests begin with "Denied". */
const DENIED_WORDS = ['denied', 'tried'];
/** The decisions that people read as "Denied". */
const DENIED_DECISIONS = ['refused', 'not-checked'] satisfies Decision[];

/** The state of a list, which its buttons store. `isUnparsed`: `words` is typed text, with people and days. */
export const auditState = listSearch.extend({
  people: z.array(z.object({ id: z.string(), name: z.string() })).default([]),
  isUnparsed: z.boolean().optional(),
  page: z.number().int(),
});
export type AuditState = z.infer<typeof auditState>;

/**
 * Creates the search for a list or for one part of a file. Its words also find entries whose sentences contain them.
 * `before`: the oldest entry of the previous part.
 */
export async function createSearch(
  { context, actor: { workspace } }: Call,
  state: AuditState,
  { projects }: Pick<AuditNames, 'projects'>,
  before?: RecordCursor,
): Promise<RecordSearch> {
  const { words, from, to } = state;
  const part: SearchedPart = {
    workspace,
    before,
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
  };
  const recordedActions = words === '' ? [] : await listRecordedActions(context.db, part);
  return { ...part, terms: listTerms(state, { projects, deeds: context.deeds, actions: recordedActions }) };
}

/** Converts the words of a list to the terms of a search. `actions`: all recorded actions. */
function listTerms(
  { words, people }: AuditState,
  {
    projects,
    deeds,
    actions: recordedActions,
  }: Pick<AuditNames, 'projects' | 'deeds'> & { actions: readonly string[] },
): SearchTerm[] {
  const terms = listSearchWords(words).map((word): SearchTerm => {
    const text = word.toLowerCase();
    return {
      text,
      actions: recordedActions.filter((action) => renderSearchableText(action, deeds).includes(text)),
      projects: [...projects].flatMap(([id, name]) => (name.toLowerCase().includes(text) ? [id] : [])),
      decisions: DENIED_WORDS.includes(text) ? DENIED_DECISIONS : [],
    };
  });
  const personTerms = people.map(({ id }) => ({ text: id, actions: [], projects: [], decisions: [] }));
  return [...personTerms, ...terms];
}

function listSearchWords(words: string): string[] {
  return words
    .split(/\s+/)
    .map((word) => sanitizeLine(word))
    .filter((word) => word !== '' && !JOINING_WORDS.includes(word.toLowerCase()))
    .slice(0, MAX_SEARCH_WORDS);
}
