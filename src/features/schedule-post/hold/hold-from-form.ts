import { z } from 'zod';
import type { ActionCall, Call, SubmissionCall } from '../../../app/call.ts';
import type { FormOrigin, FormState } from '../../../forms/form.ts';
import { isSame } from '../../../forms/stored-form.ts';
import { hasEqualHeldPosts, shouldHold } from '../../../held-posts/hold.ts';
import { findHeldPost, listFormHeldPosts } from '../../../held-posts/sql/held-posts.ts';
import { findPolicy } from '../../../preferences/project-policy.ts';
import { readContent } from '../../../submissions/content.ts';
import { wasFormSent } from '../../../submissions/sql/submissions.ts';
import type { fields } from '../form/fields.ts';
import { pickTextParts } from '../form/parts.ts';
import type { PostFormContext } from '../form/post-form-context.ts';
import type { PostContent } from '../sent/post-content.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { holdSubmittedPosts } from './hold-posts.ts';
import { type PostFormAnswer, saveHeldPost } from './save-held-post.ts';

type PostState = FormState<typeof fields, PostFormContext>;

/** Stores the posts of a form whose project holds posts, or saves the edit of a held post. */
export async function holdFromForm(
  call: SubmissionCall,
  contents: readonly PostContent[],
  state: PostState,
  form: FormOrigin,
): Promise<PostFormAnswer | 'send'> {
  const { formContext } = state;
  const { heldPost } = formContext;
  if (heldPost) return saveHeldPost(call, contents, { heldPost, formContext });
  const received = await findHeldContents(call, contents, form.formId);
  if (!received) return 'send';
  const answer = await holdSubmittedPosts(call, received, form);
  return typeof answer === 'string' ? { banner: answer, formContext } : answer;
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
  const wasSent = await wasFormSent(context.db, { workspace, origin: formId });
  return wasSent ? undefined : { contents, policy, project };
}

/** The typed values of a form that edits a held post. */
const typedEdit = z.object({
  heldPost: z.object({ id: z.string() }),
  when: z.string().optional(),
  platforms: z.array(z.string()).optional(),
  status: z.string().optional(),
  shownMoments: z
    .object({ text: z.string(), moments: z.array(z.object({ instant: z.string() })) })
    .default({ text: '', moments: [] }),
});

/**
 * Finds out whether Upnext keeps the typed values of a form: a post that the form has stored with this text, or the post
 * that it edits, without any change.
 */
export async function isHeld(
  { context, actor: { workspace }, log }: Call,
  { formId, prefill }: { formId: string; prefill: Readonly<Record<string, unknown>> },
): Promise<boolean> {
  const edit = typedEdit.safeParse(prefill).data;
  const editedRow = edit && (await findHeldPost(context.db, { id: edit.heldPost.id, workspace }));
  const rows = editedRow ? [editedRow] : await listFormHeldPosts(context.db, { workspace, origin: formId });
  return rows.some((row) => {
    const content = readContent({ encryption: context.encryption, log }, postSubmission, row)?.content;
    return (
      content !== undefined && hasText(content, prefill) && (!edit || isUnchanged(content, edit, prefill))
    );
  });
}

function hasText({ values }: PostContent, prefill: Readonly<Record<string, unknown>>): boolean {
  const { text, furtherTexts = [] } = values;
  return prefill.text === [text, ...furtherTexts].join('');
}

function isUnchanged(
  { values, moment }: PostContent,
  edit: z.infer<typeof typedEdit>,
  prefill: Readonly<Record<string, unknown>>,
): boolean {
  const { text, moments } = edit.shownMoments;
  const kept = [values.platforms, values.status, text, moment ? [moment.instant] : []];
  const typed = [edit.platforms, edit.status, edit.when, moments.map(({ instant }) => instant)];
  const isEmpty = (value: unknown) => value === undefined || value === '';
  return (
    isSame(kept, typed) &&
    Object.entries(pickTextParts(values)).every(
      ([name, value]) => (isEmpty(value) && isEmpty(prefill[name])) || isSame(value, prefill[name]),
    )
  );
}
