import type { ActionCall } from '../../../app/call.ts';
import type { PostContent } from '../sent/post-content.ts';
import { renderHeldMessage } from './held-text.ts';
import { findHeldContents } from './hold-from-form.ts';
import { storePosts } from './hold-posts.ts';

/** Stores the posts of a preview whose project holds posts. Resolves with false if they are sent right away. */
export async function holdFromPreview(
  call: ActionCall,
  contents: readonly PostContent[],
  form: { formId: string; channel: string | undefined },
): Promise<boolean> {
  const held = await findHeldContents(call, contents, form.formId);
  if (!held) return false;
  const posts = await storePosts(call, held, form);
  // After a failure the preview stays as it is, with its buttons.
  if (typeof posts === 'string') await call.reply({ text: posts });
  else await call.reply(await renderHeldMessage(call, posts), { replace: true });
  return true;
}
