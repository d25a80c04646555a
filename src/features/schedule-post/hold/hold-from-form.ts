import type { ActionCall, SubmissionCall } from '../../../app/call.ts';
import type { FormState } from '../../../forms/form.ts';
import { shouldHold } from '../../../held-posts/hold.ts';
import { findPolicy } from '../../../preferences/project-policy.ts';
import type { fields } from '../form/fields.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import type { PostContent } from '../sent/post-content.ts';
import { holdSubmittedPosts } from './hold-posts.ts';
import { type PostFormHandle, saveHeldPost } from './save-held-post.ts';

type PostState = FormState<typeof fields, PostFormContext>;

/** Stores the posts of a form whose project holds posts, or saves the edit of a held post. */
export async function holdFromForm(
  call: SubmissionCall,
  contents: readonly PostContent[],
  state: PostState,
  form: PostFormHandle,
): Promise<'handled' | 'open' | 'send'> {
  const { heldPost } = state.formContext;
  if (heldPost) {
    return saveHeldPost(call, contents, { ...form, heldPost, formContext: state.formContext });
  }
  const received = await findHeldContents(call, contents);
  if (!received) return 'send';
  return holdSubmittedPosts(call, received, {
    formId: form.formId,
    channel: form.channel,
    showBanner: (banner) => form.showBanner(banner, state.formContext),
  });
}

/** The contents to hold, and the policy of their project. Undefined if they are sent right away. */
export async function findHeldContents(
  { context, actor }: Pick<ActionCall, 'context' | 'actor'>,
  contents: readonly PostContent[],
) {
  const [first] = contents;
  if (!first) return undefined;
  const project = first.project.id;
  // The form's own copy may be hours old, and a review may be required since.
  const policy = await findPolicy(context.db, { workspace: actor.workspace, project });
  if (policy.leadMinutes === undefined) return undefined;
  // Several times of one form stay together, although one of them may be within the lead.
  const isHeld = contents.some((content) => shouldHold(context.heldPosts.context, policy, content));
  return isHeld ? { contents, policy, project } : undefined;
}
