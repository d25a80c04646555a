import { performance } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { sql } from 'kysely';
import { jsonArrayFrom } from 'kysely/helpers/postgres';
import { z } from 'zod';
import { claimOnce } from '../../../engine/once-claim.ts';
import { requestNotification } from '../../../engine/sql/notifications.ts';
import { computeInitialValues } from '../../../forms/field.ts';
import type { FormOrigin, Selected } from '../../../forms/form.ts';
import { isBlank } from '../../../forms/inputs/text.ts';
import { waitForHandlers } from '../../../forms/live-form.ts';
import { SEALED_VALUE_LIFETIME_MS } from '../../../forms/sealed-store.ts';
import { MIN_RECEIPT_MS, sendReceipt } from '../../../forms/show-result.ts';
import { isSame } from '../../../forms/stored-form.ts';
import { updateOpenView } from '../../../handlers/answer-when-ready.ts';
import type { ActionCall, Call, SubmissionCall } from '../../../handlers/call.ts';
import { mayHaveChanged } from '../../../handlers/request-changes.ts';
import { waitForOutcome } from '../../../held-posts/decisions.ts';
import {
  type HeldPost,
  hasEqualHeldPosts,
  holdPosts,
  NotHeld,
  type ReceivedPosts,
  shouldHold,
} from '../../../held-posts/hold.ts';
import { findSeries } from '../../../held-posts/series/change-series.ts';
import { NoFreeSlot } from '../../../held-posts/slots/service-slots.ts';
import { SLOTS_GONE } from '../../../held-posts/slots/slot-text.ts';
import {
  findHeldPost,
  listFormHeldPosts,
  listHeldSince,
  selectFormHeldPosts,
} from '../../../held-posts/sql/held-posts.ts';
import { saveHeldPostMessages } from '../../../held-posts/sql/messages.ts';
import {
  findPolicy,
  holdsPosts,
  mayBeReviewed,
  type PolicyRow,
  requiresReview,
  selectPolicies,
  toPolicy,
} from '../../../preferences/project-policy.ts';
import { disableParsing, type Message } from '../../../slack/message.ts';
import { messageAddress } from '../../../slack/notify-once.ts';
import { readContent } from '../../../submissions/content.ts';
import { listSubmittedSince, wasFormSent } from '../../../submissions/sql/lists.ts';
import { fields, type PostState, pickTextParts } from '../form/fields.ts';
import { buildOwnTexts } from '../form/post-text.ts';
import { prefillSchema } from '../prefill/load-post-form.ts';
import { listOwnTexts, type PostContent } from '../sent/post-content.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { asksAboutHolding } from '../when/when-text.ts';
import { type PostFormAnswer, recordDone, saveHeldPost } from './edit-held-post.ts';
import {
  buildSavedView,
  NOT_HELD_BANNERS,
  NOT_STORED_BANNER,
  renderHeldMessage,
  renderHeldView,
  UNCERTAIN_BANNER,
} from './held-text.ts';
import { hasTypedValues, isSeriesUnchanged, saveSeries } from './hold-series.ts';

/** Plain text. */
const SLOTS_GONE_WITH_POLICY =
  'This project no longer keeps posts editable, so it has no slots. Enter a time.';

/** Stores the posts of a form whose project holds posts, or saves the edit of a held post. */
export async function holdFromForm(
  call: SubmissionCall,
  contents: readonly PostContent[],
  { formContext, values }: PostState,
  form: FormOrigin & { selected: Selected },
): Promise<PostFormAnswer | 'send'> {
  const { heldPost } = formContext;
  const series = await saveSeries(call, contents, { ...form, edited: formContext.series });
  if (series && 'banner' in series) return { banner: series.banner, formContext };
  if (series) return answerWithReceipt(call, form.channel, series.message);
  if (heldPost) return saveHeldPost(call, contents, { heldPost, formContext });
  const { selected } = form;
  // The answer to the form's question may have been pressed just before, and decides about these posts too.
  const isAnswering = selected.isOvertaken && asksAboutHolding({ values, formContext });
  if (isAnswering) await waitForHandlers(call);
  const isRecent = !isAnswering && performance.now() - selected.at < MAX_FACTS_AGE_MS;
  const facts = isRecent ? selectedFacts.parse(selected.value) : await readHoldFacts(call, form.formId);
  const found = await findHeldPosts(call, contents, form, facts);
  const received = found && askForReview(call, found);
  if (!received)
    return contents.some(({ slot }) => slot) ? { errors: { when: SLOTS_GONE_WITH_POLICY } } : 'send';
  const answer = await holdSubmittedPosts(call, received);
  return typeof answer === 'string' ? { banner: answer, formContext } : answer;
}

/** What decides whether a form's posts are held: whether some were, and the policies of the workspace. */
interface HoldFacts {
  wasHeld: boolean;
  /** Up to one more than MAX_POLICIES. Projects without a row have the default policy. */
  policies: readonly PolicyRow[];
}

const selectedFacts = z.custom<HoldFacts>();

/** In a workspace with more policies, that of the form's project is read alone. */
const MAX_POLICIES = 20;
/** After this time the policies are read again: if the service was slow, a review may be required by now. */
const MAX_FACTS_AGE_MS = 500;

/**
 * Selects the `HoldFacts`. The policies that the form was opened with may be hours old, and a review may be required since.
 * All policies are selected, because the form's project isn't known before the form is read.
 */
export function selectHoldFacts(
  { context: { db }, actor: { workspace } }: Pick<Call, 'context' | 'actor'>,
  formId: string,
) {
  const formPosts = selectFormHeldPosts(db, { workspace, origin: formId });
  const policies = selectPolicies(db, workspace).limit(MAX_POLICIES + 1);
  return sql`json_build_object('wasHeld', exists (${formPosts}), 'policies', ${jsonArrayFrom(policies)})`;
}

export async function readHoldFacts(
  call: Pick<Call, 'context' | 'actor'>,
  formId: string,
): Promise<HoldFacts> {
  const facts = sql<HoldFacts>`${selectHoldFacts(call, formId)}`.as('facts');
  return (await call.context.db.selectNoFrom(facts).executeTakeFirstOrThrow()).facts;
}

/**
 * The posts to hold. Undefined if they are sent right away. A form that arrives again stays where it went the first time,
 * whatever the policy says by now.
 */
export async function findHeldPosts(
  { context, actor, sentAt }: Pick<ActionCall, 'context' | 'actor' | 'sentAt'>,
  contents: readonly PostContent[],
  { formId: origin, channel }: FormOrigin,
  { wasHeld, policies }: HoldFacts,
): Promise<ReceivedPosts<PostContent> | undefined> {
  const [first] = contents;
  if (!first) return undefined;
  const project = first.project.id;
  const { workspace, user: author } = actor;
  const policy =
    policies.length > MAX_POLICIES
      ? await findPolicy(context.db, { workspace, project })
      : toPolicy(policies.find((row) => row.project === project));
  const received = { workspace, author, project, origin, channel, contents, policy, sentAt };
  if (wasHeld) return received;
  // The service would show a post with different texts as several ones, so Upnext keeps it together.
  const hasOwnTexts = contents.some((content) => listOwnTexts(content).length > 0);
  if (!holdsPosts(policy) && !hasOwnTexts) return undefined;
  // Several times of one form stay together, although one of them may be within the lead.
  const isHeld = hasOwnTexts || contents.some((content) => shouldHold(context.heldPosts, policy, content));
  // The first of two equal forms may have come just before the lead, and the second just after it began.
  if (!isHeld && !(await hasEqualHeldPosts(context.heldPosts, received))) return undefined;
  return (await wasFormSent(context.db, received)) ? undefined : received;
}

/** The posts of people who may only send them for review need one, whatever the project asks of others. */
function askForReview(call: Call, received: ReceivedPosts<PostContent>): ReceivedPosts<PostContent> {
  const { policy, project, contents } = received;
  const isScheduled = contents.some(({ values }) => values.status === 'SCHEDULED');
  const asks = isScheduled && mayBeReviewed(policy) && call.lacks('publisher', project);
  return asks ? { ...received, policy: { ...policy, review: 'required' } } : received;
}

/**
 * Stores the posts of a submitted form. The form closes with a receipt, or shows the result. Resolves with the form's
 * banner if the posts may not be stored.
 */
async function holdSubmittedPosts(
  call: SubmissionCall,
  received: ReceivedPosts<PostContent>,
): Promise<{ close: true } | { view: ModalView; finish?(): Promise<void> } | string> {
  const { project, channel, policy } = received;
  const posts = await storePosts(call, received);
  if (typeof posts === 'string') return posts;
  recordDone(call, 'held-posts save', project);
  // In a project that doesn't hold posts, they are being sent.
  if (holdsPosts(policy)) return answerWithReceipt(call, channel, await renderHeldMessage(call, posts));
  const sentPosts = await waitForOutcomes(call, posts, call.getRemainingMs() - MIN_RECEIPT_MS);
  const message = await renderHeldMessage(call, sentPosts);
  if (!sentPosts.some(isBeingSent)) return answerWithReceipt(call, channel, message);
  return {
    view: buildSavedView(message),
    async finish() {
      const [laterPosts] = await Promise.all([
        waitForOutcomes(call, sentPosts),
        delay(call.context.pace.afterAcknowledgementMs),
      ]);
      const isShown = await updateOpenView(call.client, call.view.id, await renderHeldView(call, laterPosts));
      await sendOutcomes(call, isShown ? laterPosts.filter(isBeingSent) : laterPosts);
    },
  };
}

const isBeingSent = ({ row: { state } }: HeldPost) => state === 'held' || state === 'handed-over';

/**
 * Sends the outcomes that the form can't show to the person: the form is closed, or there is no outcome yet. The message of
 * a post changes with it. A post that needs somebody has a message already.
 */
async function sendOutcomes(call: SubmissionCall, posts: readonly HeldPost[]): Promise<void> {
  const { db, clock } = call.context.heldPosts;
  const { workspace, user } = call.actor;
  for (const post of posts) {
    if (post.row.state === 'needs-person') continue;
    // The form may be submitted again as long as it's stored, and the first message changes with the post.
    const claim = {
      workspace,
      name: `held-post outcome ${post.row.id}`,
      retentionMs: SEALED_VALUE_LIFETIME_MS,
    };
    if (!(await claimOnce(db, claim))) continue;
    const message = disableParsing(await renderHeldMessage(call, [post]));
    const response = await call.client.chat.postMessage({ channel: user, ...message });
    await saveHeldPostMessages(db, {
      ...{ workspace, held_post: post.row.id, ...messageAddress.parse(response) },
      ...{ purpose: 'card', recipient: user, sent_at: clock.readShared() },
    });
    // The outcome may have come before the message was saved, which shows it then.
    if (isBeingSent(post))
      await requestNotification(db, 'held_post', { ...post.row, notifyAt: clock.readShared() });
  }
}

function waitForOutcomes(call: Call, posts: readonly HeldPost[], maxMs?: number): Promise<HeldPost[]> {
  const context = call.context.heldPosts;
  const wait = async ({ row, ...post }: HeldPost) => ({
    ...post,
    row: await waitForOutcome(context, row, maxMs),
  });
  return Promise.all(posts.map(wait));
}

/** The form closes with a receipt in its channel, or shows the result. */
async function answerWithReceipt(
  call: SubmissionCall,
  channel: string | undefined,
  message: Message,
): Promise<{ close: true } | { view: ModalView }> {
  // The form shows the result too if Slack is slow, because two results are better than none.
  const isReceiptSent = channel !== undefined && (await sendReceipt(call, channel, message));
  return isReceiptSent ? { close: true } : { view: buildSavedView(message) };
}

/** Stores the posts. Resolves with the form's banner if they may not be stored. */
async function storePosts(
  call: SubmissionCall,
  received: ReceivedPosts<PostContent>,
): Promise<HeldPost[] | string> {
  const { contents, project, policy } = received;
  for (const content of contents) {
    // The reviewers decide about it, and one of them schedules it.
    const role = requiresReview(policy) ? 'contributor' : postSubmission.getRole(content);
    await call.permit(role, project, 'send post');
  }
  try {
    return await holdPosts(call.context.heldPosts, received);
  } catch (error) {
    if (error instanceof NotHeld) return NOT_HELD_BANNERS[error.reason];
    if (error instanceof NoFreeSlot) return `:warning: *Not saved.* ${SLOTS_GONE}`;
    // The form's id is the key of its posts, so another press stores them once.
    call.log.error({ reference: call.reference, err: error }, 'could not store a held post');
    return mayHaveChanged(error) ? UNCERTAIN_BANNER : NOT_STORED_BANNER;
  }
}

/**
 * Finds out whether the typed values of a form are stored: in a post that Upnext keeps of this form, in the post that it
 * edits, without any change, or in a post with this text that the author has written in another form since, for the same
 * project if one is chosen.
 */
export async function isPostStored(
  call: Call,
  {
    formId,
    prefill,
    savedAt,
    searchesOthers,
  }: { formId: string; prefill: Prefill; savedAt: string; searchesOthers: boolean },
): Promise<boolean> {
  const { context, actor, log } = call;
  const { workspace, user: author } = actor;
  const { db, encryption } = context;
  const { project, series, heldPost, text = '' } = prefillSchema.parse(prefill);
  if (series) return isSeriesUnchanged(call, series.id, prefill);
  if (await findSeries(db, { workspace, origin: formId })) return true;
  const ownTexts = buildTypedOwnTexts(prefill);
  const hasTypedText = (row: Parameters<typeof readContent>[2]) => {
    const content = readContent({ encryption, log }, postSubmission, row)?.content;
    if (!content || !hasText(content, prefill, ownTexts)) return false;
    return !heldPost || isUnchanged(content, prefill);
  };
  const editedRow = heldPost && (await findHeldPost(db, { id: heldPost.id, workspace }));
  const rows = editedRow ? [editedRow] : await listFormHeldPosts(db, { workspace, origin: formId });
  if (rows.some(hasTypedText)) return true;
  if (heldPost || !searchesOthers || isBlank(text)) return false;
  const written = { workspace, author, project: project?.id, since: new Date(savedAt) };
  const [held, submitted] = await Promise.all([
    listHeldSince(db, written),
    listSubmittedSince(db, { ...written, kind: postSubmission.name }),
  ]);
  return held.some(hasTypedText) || submitted.some(hasTypedText);
}

type Prefill = Readonly<Record<string, unknown>>;

function hasText(
  { values }: PostContent,
  prefill: Prefill,
  typed: ReturnType<typeof buildTypedOwnTexts>,
): boolean {
  const { text, furtherTexts = [], ownTexts = {} } = values;
  const hasOwnTexts =
    typed.size === Object.keys(ownTexts).length &&
    [...typed].every(([platform, own]) => ownTexts[platform] === own.text);
  return hasOwnTexts && prefill.text === [text, ...furtherTexts].join('');
}

/** The typed texts of platforms, as they would be sent. */
function buildTypedOwnTexts(prefill: Prefill) {
  const formContext = { projects: [], hasMore: false, zones: { byProject: {} } };
  return buildOwnTexts({ values: computeInitialValues(fields, prefill, formContext), formContext });
}

function isUnchanged({ values, moment }: PostContent, prefill: Prefill): boolean {
  const { platforms, status, when, shownMoments } = prefillSchema.parse(prefill);
  const { text = '', moments = [] } = shownMoments ?? {};
  const kept = [values.platforms, values.status, text, moment ? [moment.instant, moment.zone] : []];
  const typed = [platforms, status, when, moments.flatMap(({ instant, zone }) => [instant, zone])];
  return isSame(kept, typed) && hasTypedValues(pickTextParts(values), prefill);
}

/** Shows the held posts of a form in the message whose button was pressed. Resolves with false if there are none. */
export async function showFormHeldPosts(call: ActionCall, formId: string): Promise<boolean> {
  const { workspace, user } = call.actor;
  const rows = await listFormHeldPosts(call.context.db, { workspace, origin: formId });
  const posts = rows
    // The content of a dropped post is deleted, but its form still has the text.
    .filter(({ author, state }) => author === user && state !== 'dropped')
    .map((row) => ({ row, wasSavedBefore: true }));
  if (posts.length === 0) return false;
  await call.reply(await renderHeldMessage(call, posts), { replace: true });
  return true;
}
