import type { ActionCall } from '../../../app/call.ts';
import { listFormHeldPosts } from '../../../held-posts/sql/held-posts.ts';
import type { PostContent } from '../sent/post-content.ts';
import { renderHeldMessage } from './held-text.ts';
import { findHeldContents } from './hold-from-form.ts';
import { storePosts } from './hold-posts.ts';

/** Stores the posts of a preview whose project holds posts. Resolves with `send` if they are sent right away. */
export async function holdFromPreview(
  call: ActionCall,
  contents: readonly PostContent[],
  form: { formId: string; channel: string | undefined },
): Promise<'held' | 'not-saved' | 'send'> {
  const held = await findHeldContents(call, contents, form.formId);
  if (!held) return 'send';
  const posts = await storePosts(call, held, form);
  // After a failure the preview stays as it is, with its buttons.
  if (typeof posts === 'string') {
    await call.reply({ text: posts });
    return 'not-saved';
  }
  await call.reply(await renderHeldMessage(call, posts), { replace: true });
  return 'held';
}

/** Shows the held posts of a preview that was sent before. Resolves with false if there are none. */
export async function showHeldPreview(call: ActionCall, formId: string): Promise<boolean> {
  const { workspace, user } = call.actor;
  const rows = await listFormHeldPosts(call.context.db, { workspace, origin: formId });
  const posts = rows
    // The content of a dropped post is deleted, but its preview still has the text.
    .filter(({ author, state }) => author === user && state !== 'dropped')
    .map((row) => ({ row, isEqual: true }));
  if (posts.length === 0) return false;
  await call.reply(await renderHeldMessage(call, posts), { replace: true });
  return true;
}
