import type { ActionCall, Call, SubmissionCall } from '../../../app/call.ts';
import type { FormState } from '../../../forms/form.ts';
import { hasEqualHeldPosts, shouldHold } from '../../../held-posts/hold.ts';
import { listFormHeldPosts } from '../../../held-posts/sql/held-posts.ts';
import { findPolicy } from '../../../preferences/project-policy.ts';
import { readContent } from '../../../submissions/content.ts';
import { listFormSubmissions } from '../../../submissions/sql/submissions.ts';
import { ENDED_UNSENT_STATES } from '../../../submissions/submission.ts';
import type { fields } from '../form/fields.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import { splitText, toTextValues } from '../form/text-parts.ts';
import type { PostContent } from '../sent/post-content.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { holdSubmittedPosts } from './hold-posts.ts';
import { type PostFormHandle, saveHeldPost } from './save-held-post.ts';

type PostState = FormState<typeof fields, PostFormContext>;

/** Stores the posts of a form whose project holds posts, or saves the edit of a held post. */
export async function holdFromForm(
  call: SubmissionCall,
  contents: readonly PostContent[],
  state: PostState,
  form: PostFormHandle,
): Promise<'handled' | 'unsaved' | 'send'> {
  const { heldPost } = state.formContext;
  if (heldPost) {
    return saveHeldPost(call, contents, { ...form, heldPost, formContext: state.formContext });
  }
  const received = await findHeldContents(call, contents, form.formId);
  if (!received) return 'send';
  return holdSubmittedPosts(call, received, {
    formId: form.formId,
    channel: form.channel,
    showBanner: (banner) => form.showBanner(banner, state.formContext),
  });
}

/**
 * The contents to hold, and the policy of their project. Undefined if they are sent right away. A form that arrives again
 * stays where it went the first time, whatever the policy says by now.
 */
export async function findHeldContents(
  { context, actor }: Pick<ActionCall, 'context' | 'actor'>,
  contents: readonly PostContent[],
  formId: string,
) {
  const [first] = contents;
  if (!first) return undefined;
  const project = first.project.id;
  // The form's own copy may be hours old, and a review may be required since.
  const { workspace } = actor;
  const [policy, heldRows] = await Promise.all([
    findPolicy(context.db, { workspace, project }),
    listFormHeldPosts(context.db, { workspace, origin: formId }),
  ]);
  if (heldRows.length > 0) return { contents, policy, project };
  if (policy.leadMinutes === undefined) return undefined;
  // Several times of one form stay together, although one of them may be within the lead.
  const isHeld = contents.some((content) => shouldHold(context.heldPosts.context, policy, content));
  const { user: author } = actor;
  const received = { workspace, author, project, origin: formId, contents, policy };
  // The first of two equal forms may have come just before the lead, and the second just after it began.
  if (!isHeld && !(await hasEqualHeldPosts(context.heldPosts.context, received))) return undefined;
  const sentRows = await listFormSubmissions(context.db, { workspace, origin: formId });
  const wasSent = sentRows.some(({ state }) => !ENDED_UNSENT_STATES.includes(state));
  return wasSent ? undefined : { contents, policy, project };
}

/** Finds out whether Upnext keeps a post that the form wrote with exactly this text. */
export async function isHeld(
  { context, actor, log }: Call,
  { formId, prefill }: { formId: string; prefill: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const rows = await listFormHeldPosts(context.db, { workspace: actor.workspace, origin: formId });
  return rows.some((row) => {
    const read = readContent({ encryption: context.encryption, log }, postSubmission, row);
    if (!read) return false;
    const { text, furtherTexts = [] } = read.content.values;
    const keptValues = toTextValues(splitText([text, ...furtherTexts].join('')).parts);
    return Object.entries(keptValues).every(([name, part]) => prefill[name] === part);
  });
}
