import { performance } from 'node:perf_hooks';
import type { ModalView } from '@slack/types';
import type { ActionCall, SubmissionCall } from '../../../app/call.ts';
import type { FormOrigin } from '../../../forms/form.ts';
import {
  ChangedElsewhere,
  type HeldPost,
  holdPosts,
  SentLate,
  SentMeanwhile,
} from '../../../held-posts/hold.ts';
import type { ProjectPolicy } from '../../../preferences/project-policy.ts';
import { ConnectionLost } from '../../../store/database-unavailable.ts';
import { sendEphemeral } from '../../../submissions/respond.ts';
import type { PostContent } from '../sent/post-content.ts';
import { postSubmission } from '../sent/post-submission.ts';
import {
  CHANGED_ELSEWHERE_BANNER,
  NOT_STORED_BANNER,
  renderHeldMessage,
  renderHeldView,
  SENT_LATE_BANNER,
  SENT_MEANWHILE_BANNER,
  UNCERTAIN_BANNER,
} from './held-text.ts';

/** The contents of a form, to be held. */
interface HeldContents {
  contents: readonly PostContent[];
  policy: ProjectPolicy;
  /** The project's id in the service. */
  project: string;
}

/**
 * Stores the posts of a submitted form. The form closes with a receipt, or shows the result. Resolves with the form's
 * banner if the posts may not be stored.
 */
export async function holdSubmittedPosts(
  call: SubmissionCall,
  held: HeldContents,
  form: FormOrigin,
): Promise<{ close: true } | { view: ModalView } | string> {
  const posts = await storePosts(call, held, form);
  if (typeof posts === 'string') return posts;
  const isReceiptSent = form.channel !== undefined && (await sendReceipt(call, form.channel, posts));
  return isReceiptSent ? { close: true } : { view: await renderHeldView(call, posts) };
}

/** Stores the posts. Resolves with the form's banner if they may not be stored. */
export async function storePosts(
  call: SubmissionCall | ActionCall,
  { contents, policy, project }: HeldContents,
  { formId, channel }: FormOrigin,
): Promise<HeldPost[] | string> {
  for (const content of contents) await call.permit(postSubmission.getRole(content), project, 'send post');
  const { workspace, user: author } = call.actor;
  const { sentAt } = call;
  const received = { workspace, author, project, origin: formId, channel, contents, policy, sentAt };
  try {
    return await holdPosts(call.context.heldPosts.context, received);
  } catch (error) {
    if (error instanceof SentMeanwhile) return SENT_MEANWHILE_BANNER;
    if (error instanceof ChangedElsewhere) return CHANGED_ELSEWHERE_BANNER;
    if (error instanceof SentLate) return SENT_LATE_BANNER;
    // The form's id is the key of its posts, so another press stores them once.
    call.log.error({ reference: call.reference, err: error }, 'could not store a held post');
    return error instanceof ConnectionLost ? UNCERTAIN_BANNER : NOT_STORED_BANNER;
  }
}

/** Sends the receipt to the person only. Resolves with false if Slack doesn't accept it, e.g. in a private channel. */
async function sendReceipt(
  call: SubmissionCall,
  channel: string,
  posts: readonly HeldPost[],
): Promise<boolean> {
  const message = call.sealButtons(await renderHeldMessage(call, posts));
  const remainingMs = call.context.pace.acknowledgementTimeoutMs - (performance.now() - call.receivedAt);
  // The form shows the result too if Slack is slow, because two results are better than none.
  return sendEphemeral(call, channel, message, Math.max(0, remainingMs));
}
