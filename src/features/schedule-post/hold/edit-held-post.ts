import { buildDoneEntry } from '../../../access/access.ts';
import { toPlainName } from '../../../api/problems.ts';
import type { FormHandlers } from '../../../forms/create-form.ts';
import type { FormAnswer } from '../../../forms/form.ts';
import type { Call, SubmissionCall } from '../../../handlers/call.ts';
import { createEntryPreparer } from '../../../handlers/prepare-entry.ts';
import { type EditResult, editHeldPost, isForOtherService, isSentAgain } from '../../../held-posts/change.ts';
import { isEdit } from '../../../held-posts/event-kinds.ts';
import { listParts, listPlatforms, loadParts, type Part } from '../../../held-posts/hand-over/parts.ts';
import { EDITABLE_STATES, type HeldPostRow, listSentPlatforms } from '../../../held-posts/held-post.ts';
import { getEditRole, readHeldPost } from '../../../held-posts/held-post-context.ts';
import { isReviewedAgain, waitsForReviewOf } from '../../../held-posts/review/decide.ts';
import { readVersion } from '../../../held-posts/review/review-request.ts';
import { NoFreeSlot } from '../../../held-posts/slots/service-slots.ts';
import { SLOTS_GONE } from '../../../held-posts/slots/slot-text.ts';
import { listEvents } from '../../../held-posts/sql/events.ts';
import { findHeldPost } from '../../../held-posts/sql/held-posts.ts';
import { sortPlatforms } from '../../../posts/platforms.ts';
import { listPostDifferences } from '../../../posts/post-changes.ts';
import { findPolicy, mayBeReviewed, requiresReview } from '../../../preferences/project-policy.ts';
import { getProblems, readContent, type ServiceRefusal } from '../../../submissions/content.ts';
import { isGivenUp } from '../../../submissions/submission.ts';
import { renderUnsavedBanner } from '../../../submissions/text/state-blocks.ts';
import { formatMomentWithoutZone } from '../../../when/format-moment.ts';
import type { fields } from '../form/fields.ts';
import type { EditedHeldPost, PostFormContext } from '../form/post-form-context.ts';
import { getOwnTextName } from '../form/text-fields.ts';
import { type PostContent, toFormValues } from '../sent/post-content.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { renderConflictBanner, renderHeldView, renderTooLateView, renderUnchangedView } from './held-text.ts';

/** Opens the form with the current version of a held post, for people who may change it. */
export async function editHeldPostInForm(
  call: Call,
  form: Pick<FormHandlers, 'openForm'>,
  id: string,
): Promise<void> {
  const { context, actor } = call;
  const row = await findHeldPost(context.db, { id, workspace: actor.workspace });
  if (!row || !call.may('viewer', row.project)) return call.reply({ text: 'I can’t find this post.' });
  await call.permit(getEditRole(context.heldPosts, row, actor.user), row.project, 'held-posts edit');
  const held = readContent({ encryption: context.encryption, log: call.log }, postSubmission, row);
  if (!held || !EDITABLE_STATES.includes(row.state))
    return call.reply({ text: 'This post can no longer be edited. Duplicate it to write a new one.' });
  const heldPost = {
    ...(await describeEditedPost(call, row)),
    ...(isSentAgain(row, row) && { sentAgainFor: row.publish_at?.toISOString() }),
  };
  const prefill = { ...toFormValues(addTimeText(held.content, call.now())), heldPost };
  const isRefused = row.state === 'needs-person' && row.reason === 'refused';
  const parts = isRefused ? (await loadParts(context.heldPosts, row)).refused : [];
  const refusal = joinRefusals(parts, held.content);
  await form.openForm(call, { prefill, channel: row.channel ?? call.channel }, { refusal });
}

/** Joins the reasons for which the service refused the parts of a post. Undefined if it gave none. */
function joinRefusals(
  parts: readonly Part[],
  { values: { ownTexts = {} } }: PostContent,
): ServiceRefusal | undefined {
  const hasOwnText = (name: string) => Object.hasOwn(ownTexts, name);
  const refusals = parts.flatMap(({ refusal, platforms }) =>
    refusal ? [moveToOwnTexts(refusal, platforms.filter(hasOwnText))] : [],
  );
  const [first] = refusals;
  if (refusals.length <= 1) return first;
  const problems = new Map(
    refusals.flatMap(getProblems).map((problem) => [JSON.stringify(problem), problem]),
  );
  return problems.size === 0 ? first : { kind: 'invalid', problems: [...problems.values()] };
}

/** Moves problems with the text of a refused part to the texts of its platforms, if it was sent with those. */
function moveToOwnTexts(refusal: ServiceRefusal, platforms: readonly string[]): ServiceRefusal {
  if (platforms.length === 0 || refusal.kind === 'not-applied' || !refusal.problems) return refusal;
  const contentName = toPlainName('Content');
  const problems = refusal.problems.flatMap((problem) => {
    const names = [...problem.loc, problem.field];
    const isAboutText = names.some((name) => typeof name === 'string' && toPlainName(name) === contentName);
    if (!isAboutText) return [problem];
    return platforms.map((platform) => ({ ...problem, loc: [getOwnTextName(platform)] }));
  });
  return { ...refusal, problems };
}

async function describeEditedPost(
  { context: { db, heldPosts }, actor }: Pick<Call, 'context' | 'actor'>,
  row: HeldPostRow,
): Promise<EditedHeldPost> {
  const sentTo = sortPlatforms(listSentPlatforms(row));
  const unconfirmed = (await listParts(heldPosts, row)).filter(
    (part) => part.state !== 'confirmed' && !isGivenUp(part),
  );
  const unsure = listPlatforms(heldPosts, unconfirmed);
  return {
    ...{ id: row.id, version: row.version, isReviewedAgain: isReviewedAgain(row) },
    ...((await waitsForReviewOf(heldPosts, row, actor.user)) && { isReviewer: true }),
    ...(row.in_review && row.state === 'draft' && { isReturned: true }),
    isForReview: row.in_review || requiresReview(await findPolicy(db, row)),
    ...(isForOtherService(row) && { isForOtherService: true }),
    ...(sentTo.length > 0 && { sentTo }),
    ...(unsure.length > 0 && { unsure }),
  };
}

/**
 * Writes the time as it is: words such as "tomorrow" no longer mean it, and what was assumed about them is settled. A
 * moved or imported post has none. The zone has a field of its own, so that another one can be chosen there.
 */
function addTimeText(content: PostContent, now: Date): PostContent {
  const { moment, values } = content;
  if (!moment) return content;
  const { zone } = moment;
  const when = formatMomentWithoutZone({ instant: new Date(moment.instant), zone }, { now });
  return { ...content, values: { ...values, when, zone }, moment: { ...moment, notes: [] } };
}

export type PostFormAnswer = FormAnswer<typeof fields, PostFormContext>;

interface EditedForm {
  heldPost: EditedHeldPost;
  formContext: PostFormContext;
}

/**
 * Saves the edit of a held post. If somebody else edited it meanwhile, the form shows what changed and stays open. An
 * edit that comes too late isn't stored with the post, so its text is kept with the unfinished form.
 */
export async function saveHeldPost(
  call: SubmissionCall,
  contents: readonly PostContent[],
  form: EditedForm,
): Promise<PostFormAnswer> {
  const { context, actor } = call;
  const [content, ...others] = contents;
  const row = await findHeldPost(context.db, { id: form.heldPost.id, workspace: actor.workspace });
  if (!content || !row) return { view: renderTooLateView(undefined, content), isUnsaved: true };
  if (others.length > 0)
    return { errors: { when: 'This post goes out once. Enter one time, or duplicate it.' } };
  if (content.project.id !== row.project) throw new Error('the form of a held post has another project');
  await call.permit(getEditRole(context.heldPosts, row, actor.user), row.project, 'held-posts edit');
  const edited = keepInReview(content, row, form);
  const asksForReview =
    call.lacks('publisher', row.project) && mayBeReviewed(await findPolicy(context.db, row));
  // Whoever schedules a draft needs the role for it. A post in review needs its reviewers instead.
  const role = isReviewedAgain(row) || asksForReview ? 'contributor' : postSubmission.getRole(edited);
  await call.permit(role, row.project, 'send post');
  const press = {
    ...{ id: row.id, workspace: row.workspace, actor: actor.user, version: form.heldPost.version },
    prepareEntry: createEntryPreparer(call),
  };
  const how = asksForReview && edited.values.status === 'SCHEDULED' ? 'sent-for-review' : 'edited';
  try {
    return await respond(call, await editHeldPost(context.heldPosts, press, edited, how), { content, form });
  } catch (error) {
    if (error instanceof NoFreeSlot) return { errors: { when: SLOTS_GONE } };
    throw error;
  }
}

export function recordDone(
  call: Call,
  action: 'held-posts save' | 'series save' | 'series change',
  project: string,
): void {
  call.context.record.enqueue(buildDoneEntry(call, { project, action }));
}

/** The form offers only drafts to people who can't schedule, but their edit of a post in review asks its reviewers. */
function keepInReview(content: PostContent, row: HeldPostRow, { formContext }: EditedForm): PostContent {
  const isDraftForced = formContext.isDraftForced && content.values.status === 'DRAFT';
  const values = { ...content.values, status: 'SCHEDULED' as const };
  return isDraftForced && isReviewedAgain(row) ? { ...content, values } : content;
}

async function respond(
  call: SubmissionCall,
  result: EditResult,
  { content, form }: { content: PostContent; form: EditedForm },
): Promise<PostFormAnswer> {
  switch (result.kind) {
    case 'changed': {
      const { row, slot } = result;
      if (row.version === form.heldPost.version) return { view: await renderUnchangedView(call, row) };
      const shownAt = content.moment && Date.parse(content.moment.instant);
      // It may not be the slot that the form has shown.
      const taken = slot && { slot: { ...slot, isOther: shownAt !== slot.instant.getTime() } };
      const post = { row, wasSavedBefore: false, ...taken };
      return { view: await renderHeldView(call, [post]) };
    }
    case 'outdated':
    case 'kept-changing': {
      const formContext = { ...form.formContext, heldPost: await describeEditedPost(call, result.row) };
      const isSeen = result.row.version === form.heldPost.version;
      const banner = isSeen
        ? renderUnsavedBanner('not-saved')
        : await describeConflict(call, result.row, form);
      return { banner, formContext };
    }
    case 'not-found':
      return { view: renderTooLateView(undefined, content), isUnsaved: true };
    case 'too-late':
      return { view: renderTooLateView(result.row, content), isUnsaved: true };
  }
}

/** Names who edited the post since the form was opened, and what changed. */
async function describeConflict(
  call: SubmissionCall,
  row: HeldPostRow,
  { heldPost: { version: seenVersion }, formContext: { actorLocale: locale } }: EditedForm,
): Promise<string> {
  const { db, heldPosts } = call.context;
  const events = await listEvents(db, row);
  const editors = events.filter((event) => event.version > seenVersion && isEdit(event));
  const [before, after] = [readVersion(heldPosts, events, seenVersion), readHeldPost(heldPosts, row)];
  const differences =
    before && after ? listPostDifferences(before, after, { viewers: { locale }, now: call.now() }) : [];
  return renderConflictBanner([...new Set(editors.map(({ actor }) => actor))], call.actor.user, differences);
}
