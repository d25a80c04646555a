import type { KnownBlock } from '@slack/types';
import type { FormHandlers } from '../../../forms/create-form.ts';
import type { Confirmation, FormOrigin } from '../../../forms/form.ts';
import { fetchReader } from '../../../forms/form-context.ts';
import { isSame } from '../../../forms/stored-form.ts';
import type { ActionCall, Call, SubmissionCall } from '../../../handlers/call.ts';
import {
  createSeries,
  editSeries,
  findFirstKey,
  findSeries,
  hasMaxSeries,
  MAX_RUNNING_SERIES,
  type SeriesResult,
} from '../../../held-posts/series/change-series.ts';
import { readSeriesContent } from '../../../held-posts/series/occurrences.ts';
import {
  chooseTexts,
  type DateLimits,
  listHorizonDates,
  type SeriesContent,
  seriesContentSchema,
} from '../../../held-posts/series/rule.ts';
import type { SeriesRow } from '../../../held-posts/series/series.ts';
import { renderSeriesCard, renderTexts } from '../../../held-posts/series/series-card.ts';
import { renderDestination } from '../../../posts/platforms.ts';
import { renderPostBody } from '../../../posts/post-text.ts';
import { type ClosedDays, leaveOutBlackouts } from '../../../preferences/posting-times.ts';
import {
  findPolicy,
  holdsPosts,
  requiresReview,
  reviewsSeriesOnce,
} from '../../../preferences/project-policy.ts';
import { context, plain, section } from '../../../slack/blocks.ts';
import type { Message } from '../../../slack/message.ts';
import { renderRecurrence } from '../../../when/recurrence.ts';
import { renderCount } from '../../../words.ts';
import { type PostState, pickTextParts } from '../form/fields.ts';
import { type EditedSeries, findFormPolicy } from '../form/post-form-context.ts';
import { joinSeriesTexts } from '../form/text-fields.ts';
import {
  getSentText,
  type PostContent,
  postContent,
  toCardPost,
  toFormValues,
} from '../sent/post-content.ts';
import { postSubmission } from '../sent/post-submission.ts';
import { readWhen } from '../when/read-when.ts';
import { renderSeries } from '../when/when-text.ts';
import { recordDone } from './edit-held-post.ts';
import { renderFormOutlook } from './held-text.ts';

/** Creates the confirmation of a series: its rule in words, its next dates, and what becomes of special ones. */
export function createSeriesConfirmation(
  contents: readonly PostContent[],
  state: PostState,
): Confirmation | undefined {
  const [first] = contents;
  const reading = readWhen(state);
  if (!first?.repeats || reading?.kind !== 'series') return undefined;
  const { series } = state.formContext;
  const policy = findFormPolicy(state);
  const asked = reviewsSeriesOnce(policy) ? 'once about each of its texts' : 'about each post a week before';
  const edits = 'Posts that somebody has edited, moved or cancelled stay as they are.';
  return {
    title: series ? 'Edit series' : 'New series',
    submitLabel: series ? 'Save' : 'Start series',
    blocks: [
      section(renderSeries(reading, state)),
      ...(series ? [context(edits)] : []),
      ...warnOfMissingTexts(contents, first.repeats, {
        now: state.now,
        policy,
        limits: series,
      }),
      context(
        plain(renderDestination(first.project.name, first.values.platforms)),
        ...(contents.length > 1 ? [plain(renderTexts(contents.length, first.repeats.gapDays))] : []),
      ),
      ...renderPostBody(toCardPost(first)),
      context(
        renderFormOutlook(state),
        ...(requiresReview(policy) ? [`Its reviewers are asked ${asked}.`] : []),
      ),
    ],
  };
}

/** Says how many dates would stay empty, because no text is left for them. */
function warnOfMissingTexts(
  contents: readonly PostContent[],
  { recurrence, gapDays }: NonNullable<PostContent['repeats']>,
  { now, policy, limits }: { now: Date; policy: ClosedDays; limits: DateLimits | undefined },
): KnownBlock[] {
  const dates = listHorizonDates(leaveOutBlackouts(recurrence, policy), now, limits);
  const texts = contents.map(getSentText);
  const missing = chooseTexts(dates, { texts, gapDays, uses: [] }).filter(({ index }) => index === undefined);
  if (missing.length === 0) return [];
  const have = missing.length === 1 ? 'has' : 'have';
  return [
    section(
      `:warning: *${missing.length} of the next ${dates.length} dates ${have} no text*, because none is used again within ${renderCount(gapDays, 'day')}. Add texts, or such dates stay empty.`,
    ),
  ];
}

/** The stored content of a series, from the contents of a form: one for each text. */
function toSeriesContent(contents: readonly PostContent[]): SeriesContent | undefined {
  const repeats = contents[0]?.repeats;
  return repeats && { ...repeats, contents: contents.map(({ repeats: _, ...content }) => content) };
}

const NOT_HELD =
  ':warning: *Not saved.* Posts can repeat only in a project that keeps them editable. Turn that on with `/upnext policy`, then submit again.';
const OUTDATED =
  ':warning: *Not saved.* Somebody has changed, paused or cancelled the series since you opened this form. Your text is still here. Open the series again with `/upnext series`.';

const TOO_MANY = `:warning: *Not saved.* This project has ${MAX_RUNNING_SERIES} running series, the most that I take. Pause or cancel one with \`/upnext series\`, then submit again.`;

/**
 * Stores the series of a form, or the edit of one. Resolves with the message about it, or with the banner that keeps the
 * form open. Undefined if the contents don't repeat.
 */
export async function saveSeries(
  call: SubmissionCall,
  contents: readonly PostContent[],
  { formId, channel, edited }: FormOrigin & { edited?: EditedSeries | undefined },
): Promise<{ message: Message } | { banner: string } | undefined> {
  const [first] = contents;
  const content = toSeriesContent(contents);
  if (!first || !content) return undefined;
  const { heldPosts, db } = call.context;
  const { workspace, user: author } = call.actor;
  const project = first.project.id;
  await call.permit(postSubmission.getRole(first), project, 'send post');
  if (!holdsPosts(await findPolicy(db, { workspace, project }))) return { banner: NOT_HELD };
  if (edited) {
    const row = await findSeries(db, { id: edited.id, workspace });
    if (row && row.project !== project) throw new Error('the form of a series has another project');
    return describe(call, await editSeries(heldPosts, { ...edited, workspace, actor: author }, content));
  }
  const received = { workspace, author, project, origin: formId, channel, content };
  // A form that is sent again has stored its series.
  const isFull = (await hasMaxSeries(db, received)) && !(await findSeries(db, { workspace, origin: formId }));
  if (isFull) return { banner: TOO_MANY };
  const { row, isNew } = await createSeries(heldPosts, received);
  const stored = isNew ? content : readSeriesContent(heldPosts, row);
  if (isNew) return describe(call, { kind: 'changed', row }, 'series save');
  // Its form can be opened again long after.
  if (row.state !== 'running' || row.ends_before !== null) return { banner: OUTDATED };
  // What was stored has the order of the schema, and an edit has added from when it applies.
  if (isSame({ ...stored, from: undefined }, seriesContentSchema.parse(content)))
    return describe(call, { kind: 'changed', row }, 'series save');
  if (row.version !== 1) return { banner: OUTDATED };
  // The form was sent again with another text, because its answer was lost.
  const press = { id: row.id, version: row.version, workspace, actor: author };
  return describe(call, await editSeries(heldPosts, press, content));
}

async function describe(
  call: Call,
  result: SeriesResult,
  done: 'series save' | 'series change' = 'series change',
): Promise<{ message: Message } | { banner: string }> {
  if (result.kind !== 'changed') return { banner: OUTDATED };
  recordDone(call, done, result.row.project);
  return { message: await renderSeriesMessage(call, result.row, ':white_check_mark: *Saved.*') };
}

async function renderSeriesMessage(call: Call, row: SeriesRow, note?: string): Promise<Message> {
  const { now, locale } = await fetchReader(call);
  return renderSeriesCard(call.context.heldPosts, row, { now, locale }, { note });
}

/** Shows the series of a form in the message whose button was pressed. Resolves with false if there is none. */
export async function showFormSeries(call: ActionCall, formId: string): Promise<boolean> {
  const { workspace, user } = call.actor;
  const row = await findSeries(call.context.db, { workspace, origin: formId });
  // The content of a dropped series is deleted, but its form still has the text.
  if (!row || row.author !== user || row.state === 'dropped') return false;
  await call.reply(await renderSeriesMessage(call, row), { replace: true });
  return true;
}

/** Opens the form with a series. The edit applies to the date `from` and all later ones, or to all dates to come. */
export async function editSeriesInForm(
  call: Call,
  form: Pick<FormHandlers, 'openForm'>,
  { id, from }: { id: string; from: number | undefined },
): Promise<void> {
  const { context: appContext, actor } = call;
  const row = await findSeries(appContext.db, { id, workspace: actor.workspace });
  if (!row || !call.may('viewer', row.project)) return call.reply({ text: 'I can’t find this series.' });
  await call.permit('publisher', row.project, 'send post');
  const content = readSeriesContent(appContext.heldPosts, row);
  if (!content || row.state !== 'running')
    return call.reply({ text: 'This series doesn’t run any more, so it can’t be edited.' });
  const first =
    from === undefined ? undefined : await findFirstKey(appContext.heldPosts, appContext.db, row, from);
  const series: EditedSeries = {
    id,
    version: row.version,
    from: first,
    before: row.ends_before ?? undefined,
  };
  const prefill = { ...toSeriesValues(content), series };
  await form.openForm(call, { prefill, channel: row.channel ?? call.channel });
}

/** The values of the form for a series: all its texts in one field, and its rule. Its zone has a field of its own. */
function toSeriesValues({ contents, recurrence: { zone, ...rule }, gapDays }: SeriesContent) {
  const [post, ...others] = contents.map((each) => postContent.parse(each));
  if (!post) throw new Error('a series has no text');
  const typedTexts = [post, ...others].map(({ values: { text, furtherTexts = [] } }) =>
    [text, ...furtherTexts].join(''),
  );
  const text = joinSeriesTexts(typedTexts);
  const values = { ...post.values, furtherTexts: [], text, when: renderRecurrence(rule), zone };
  return { ...toFormValues({ ...post, values }), gap: gapDays === 0 ? '' : String(gapDays) };
}

/** Whether the typed values of a form that edits a series are those of the series. */
export async function isSeriesUnchanged(
  { context, actor }: Call,
  id: string,
  typed: Readonly<Record<string, unknown>>,
): Promise<boolean> {
  const row = await findSeries(context.db, { id, workspace: actor.workspace });
  const content = row && readSeriesContent(context.heldPosts, row);
  if (!content) return false;
  // A series stays in its project.
  const { project: _, ...values } = toSeriesValues(content);
  return hasTypedValues({ ...pickTextParts(values), ...values }, typed);
}

/** Whether a form's typed values are the stored ones. A value that a post was stored without is the same as an empty one. */
export function hasTypedValues(
  stored: Readonly<Record<string, unknown>>,
  typed: Readonly<Record<string, unknown>>,
): boolean {
  const isEmpty = (value: unknown) => value === undefined || value === '';
  return Object.entries(stored).every(
    ([name, value]) => (isEmpty(value) && isEmpty(typed[name])) || isSame(value, typed[name]),
  );
}
