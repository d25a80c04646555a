import type { ModalView } from '@slack/types';
import { fetchReader } from '../../forms/form-context.ts';
import type { ActionCall, SubmissionCall } from '../../handlers/call.ts';
import { moveHeldPost } from '../../held-posts/decisions.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readShownPost } from '../../held-posts/show.ts';
import { parseTimeShift, renderPostTime, shiftTime } from '../../posts/post-time.ts';
import { computeHandOverAt, findPolicy } from '../../preferences/project-policy.ts';
import { context, plain } from '../../slack/blocks.ts';
import { getTextInput } from '../../slack/interaction-values.ts';
import { LIMITS } from '../../slack/limits.ts';
import { buildMessageView } from '../../slack/message-view.ts';
import { isRepeating } from '../../when/recurrence.ts';
import { earliestMoment, formatMoment, type Moment, understandMoment } from '../../when/when.ts';
import { isZone } from '../../when/zones.ts';
import {
  describeResult,
  encodeFormTarget,
  findFormTarget,
  getEditRole,
  NOT_VISIBLE,
  type PressedPost,
  renderForActor,
  renderPostExcerpt,
} from './press.ts';

export const MOVE_VIEW = 'held-posts.move';
export const WHEN_BLOCK = 'when';
const MAX_WHEN_LENGTH = 200;

/** [Move to…] asks for a time, or for a duration by which the post is moved. */
export async function openMove(
  call: ActionCall,
  { row }: PressedPost,
  { isScheduled = false }: { isScheduled?: boolean } = {},
): Promise<void> {
  const { post } = await readShownPost(call.context.heldPosts.context, row);
  const viewers = await fetchReader(call);
  const { publish_at: instant } = row;
  const time = instant && renderPostTime({ instant, zone: post?.timezone }, viewers, call.now()).plain;
  await call.openView(
    renderMoveView({
      metadata: encodeFormTarget(call, row, { isScheduled }),
      excerpt: renderPostExcerpt(call, row),
      time: time ?? undefined,
      isScheduled,
    }),
    { isForm: true },
  );
}

function renderMoveView({
  metadata,
  excerpt,
  time,
  isScheduled,
}: {
  metadata: string;
  excerpt: string;
  time: string | undefined;
  isScheduled: boolean;
}): ModalView {
  return renderWhenView({
    callbackId: MOVE_VIEW,
    metadata,
    title: isScheduled ? 'Schedule' : 'Move to…',
    submit: isScheduled ? 'Schedule' : 'Move',
    hint:
      time === undefined
        ? 'A time, such as “tomorrow 9am”.'
        : 'A time, such as “tomorrow 9am”, or a shift, such as “+1 day” or “-2h”.',
    note: time === undefined ? excerpt : `${excerpt} · Now ${time}`,
  });
}

/** Renders a form with a field for a time. All texts are plain text. */
export function renderWhenView({
  callbackId,
  metadata,
  title,
  submit,
  hint,
  note,
}: {
  callbackId: string;
  metadata: string;
  title: string;
  submit: string;
  hint: string;
  note?: string | undefined;
}): ModalView {
  return {
    type: 'modal',
    callback_id: callbackId,
    private_metadata: metadata,
    title: plain(title, LIMITS.viewTitle),
    submit: plain(submit, LIMITS.viewTitle),
    close: plain('Back', LIMITS.viewTitle),
    blocks: [
      ...(note === undefined ? [] : [context(plain(note))]),
      {
        type: 'input',
        block_id: WHEN_BLOCK,
        label: plain('When'),
        hint: plain(hint),
        element: {
          type: 'plain_text_input',
          action_id: 'value',
          max_length: MAX_WHEN_LENGTH,
          focus_on_load: true,
        },
      },
    ],
  };
}

/** Moves the post. Whatever is wrong is said under the field, and the typed text stays. */
export async function moveFromView(call: SubmissionCall): Promise<void> {
  const target = await findFormTarget(call);
  if (!target) return void (await call.answer({ view: buildMessageView(NOT_VISIBLE, 'Close') }));
  const { row, press, isScheduled } = target;
  const role = isScheduled ? 'publisher' : getEditRole(call, row);
  await call.permit(role, row.project, 'held-posts view held-posts.move');
  const time = await readTime(call, row);
  if (typeof time === 'string') return void (await call.answer({ errors: { [WHEN_BLOCK]: time } }));
  const { workspace, user: actor } = call.actor;
  const result = await moveHeldPost(
    call.context.heldPosts.context,
    { id: row.id, workspace, actor, version: press.version },
    { ...time, isScheduled },
  );
  const described = describeResult(result);
  if (!described) return void (await call.answer({ view: buildMessageView(NOT_VISIBLE, 'Close') }));
  const note = described.note ?? (await describeMove(call, described.row));
  const card = await renderForActor(call, described.row, note);
  await call.answer({ view: buildMessageView(call.sealButtons(card), 'Close') });
}

/** A time within the lead goes over at once, which the person may not expect. */
async function describeMove(call: SubmissionCall, row: HeldPostRow): Promise<string | undefined> {
  if (row.state !== 'held' || row.publish_at === null) return 'Moved.';
  const policy = await findPolicy(call.context.db, row);
  return computeHandOverAt(policy, row.publish_at, call.now()) <= call.now()
    ? 'Moved. Its time is close, so I’m handing it over now.'
    : 'Moved.';
}

/** Reads the typed time, or resolves with what is wrong with it (plain text). */
export async function readTime(call: SubmissionCall, row: HeldPostRow): Promise<Moment | string> {
  const text = getTextInput(call.view.values, WHEN_BLOCK).trim();
  const [{ post }, viewer] = await Promise.all([
    readShownPost(call.context.heldPosts.context, row),
    fetchReader(call),
  ]);
  const postZone = post?.timezone ?? viewer.zone ?? '';
  const zone = isZone(postZone) ? postZone : 'UTC';
  const { locale } = viewer;
  const now = call.now();
  const render = (moment: Moment) => formatMoment(moment, { now, locale });
  const shift = parseTimeShift(text);
  if (shift) {
    if (!row.publish_at) return 'It has no time yet. Enter one, such as “tomorrow 9am”.';
    const moment = { instant: shiftTime(row.publish_at, zone, shift), zone };
    return moment.instant > now ? moment : `${render(moment)} has passed. Pick a later time.`;
  }
  const question = { text, now, zone, ...(locale !== undefined && { locale }) };
  const reading = understandMoment(question);
  switch (reading.kind) {
    case 'understood':
      return reading.moment;
    case 'now':
      return earliestMoment(reading.moment.zone, now);
    case 'shifted':
      return `The clock skips that time. Did you mean ${render(reading.moment)}?`;
    case 'ambiguous':
      return `Which did you mean: ${reading.candidates.map(render).join(', or ')}?`;
    case 'past':
      return `${render(reading.moment)} has passed. Pick a later time.`;
    case 'not-understood':
      if (isRepeating(question)) return 'This post goes out once. Pick one date.';
      return `I didn’t understand “${text}”. Try “${reading.examples[0] ?? 'tomorrow 9am'}”, or “+1 day”.`;
  }
}
