import type { KnownBlock } from '@slack/types';
import type { Call } from '../../app/call.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { listHeldPosts } from '../../held-posts/sql/held-posts.ts';
import { renderHeldPostEntry } from '../../held-posts/text/held-post-card.ts';

/** Posts that wait for the actor: their own drafts and questions, and posts that nobody may schedule any more. */
export interface HeldEntries {
  rows: readonly HeldPostRow[];
  /** The blocks of the first rows, one list for each. */
  entries: readonly (readonly KnownBlock[])[];
}

/** Reads the posts that wait for the actor. The question about a post comes before a draft. */
export async function readHeldEntries(call: Call, maxEntries: number): Promise<HeldEntries> {
  const { db, heldPosts } = call.context;
  const { workspace, user: author } = call.actor;
  const [ownRows, questions] = await Promise.all([
    listHeldPosts(db, { workspace, author, states: ['needs-person', 'draft'] }),
    call.may('manager') ? listHeldPosts(db, { workspace, states: ['needs-person'] }) : [],
  ]);
  const isUnowned = ({ author: writer, reason, project }: HeldPostRow) =>
    writer !== author && reason === 'not-allowed' && call.may('manager', project);
  const visibleRows = ownRows.filter(({ project }) => !call.lacks('viewer', project));
  const rows = [
    ...visibleRows.filter(({ state }) => state === 'needs-person'),
    ...questions.filter(isUnowned),
    ...visibleRows.filter(({ state }) => state === 'draft'),
  ];
  if (rows.length === 0) return { rows, entries: [] };
  const readers = { viewers: await fetchReader(call), now: call.now() };
  const shownRows = rows.slice(0, Math.max(0, maxEntries));
  const shownPosts = await Promise.all(shownRows.map((row) => readShownPost(heldPosts.context, row)));
  return { rows, entries: shownPosts.map((shown) => renderHeldPostEntry(shown, readers)) };
}
