import type { Post } from '../../api/posts.ts';
import { fetchReader } from '../../forms/form-context.ts';
import type { Call } from '../../handlers/call.ts';
import type { ChangeResult, NewTime } from '../../held-posts/change.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readHeldPost } from '../../held-posts/held-post-context.ts';
import { explainUnasked } from '../../held-posts/review/decide.ts';
import { findCloseToRows } from '../../held-posts/slots/close-to-rows.ts';
import { findNextSlot, NoFreeSlot } from '../../held-posts/slots/service-slots.ts';
import { describeMissingSlot, warnIfBlackout } from '../../held-posts/slots/slot-text.ts';
import { CLOSE_UNCHECKED, renderRepeat } from '../../posts/close-posts.ts';
import { MIN_POST_GAP_MS } from '../../posts/platform-rules/platform-rules.ts';
import { renderMoment, shiftTime } from '../../posts/post-time.ts';
import { readSlotPhrase } from '../../posts/slot-phrase.ts';
import { adviseOnOrder } from '../../preferences/date-order.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { escapeFormatting } from '../../slack/blocks.ts';
import { formatMoment } from '../../when/format-moment.ts';
import { isRepeating } from '../../when/recurrence.ts';
import {
  earliestMoment,
  type KnownDateOrder,
  type Moment,
  understandMoment,
  understandShift,
} from '../../when/when.ts';
import { dependsOnZone, isZone } from '../../when/zones.ts';
import { renderDuration } from '../../words.ts';

/** Asks people whose zone isn't known for the zone of a time that depends on it (plain text). */
const ZONE_NEEDED = 'I don’t know your time zone. Write it too, such as “tomorrow 9am in Berlin”.';

/** A wish for a slot. `preview`: the one that the post would take now (plain text). */
interface SlotWish {
  slotFrom: Date;
  preview: string;
}

interface Reader {
  post: Post | undefined;
  /** The zone of the post, or else that of the person. Undefined if neither is known. */
  knownZone: string | undefined;
  locale: string | undefined;
  dateOrder: KnownDateOrder | undefined;
  now: Date;
}

/** Reads a typed time, shift or wish for a slot, or resolves with what is wrong with it (plain text). */
export async function readTypedTime(
  call: Call,
  row: HeldPostRow,
  text: string,
): Promise<SlotWish | Moment | string> {
  const post = readHeldPost(call.context.heldPosts, row);
  const { locale, dateOrder, knownZone: viewerZone } = await fetchReader(call);
  const knownZone = [post?.timezone, viewerZone].find((name) => name !== undefined && isZone(name));
  const reader = { post, knownZone, locale, dateOrder, now: call.now() };
  return (await readSlotWish(call, row, text, reader)) ?? readMoment(row, text.trim(), reader);
}

/** Reads "next slot". Resolves with what is wrong with it, or with undefined for any other text. */
async function readSlotWish(
  call: Call,
  row: HeldPostRow,
  text: string,
  { post, knownZone, locale, dateOrder, now }: Reader,
): Promise<SlotWish | string | undefined> {
  const readPhrase = (zone: string) => readSlotPhrase(text, { now, zone, locale, dateOrder });
  const phrase = readPhrase(knownZone ?? 'UTC');
  if (!phrase) return undefined;
  const listStarts = (zone: string) => {
    const read = readPhrase(zone);
    return read && 'from' in read ? [read.from.toISOString()] : [];
  };
  if (knownZone === undefined && dependsOnZone(listStarts)) return ZONE_NEEDED;
  if ('problem' in phrase) return phrase.problem;
  const place = { workspace: row.workspace, project: row.project, platforms: post?.platforms ?? [] };
  const found = await findNextSlot(call.context, place, phrase);
  if ('problem' in found) return `${found.problem.headline} ${found.problem.advice}`;
  const time = renderMoment(found.slot.instant, found.slot.zone, now, locale);
  return { slotFrom: found.slot.instant, preview: `${time}. ${found.note}` };
}

function readMoment(
  row: HeldPostRow,
  text: string,
  { knownZone, locale, dateOrder, now }: Reader,
): Moment | string {
  const zone = knownZone ?? 'UTC';
  const render = (moment: Moment) => formatMoment(moment, { now, locale });
  const question = { text, now, zone, locale, dateOrder };
  const shift = understandShift(question);
  if (shift) {
    if (!row.publish_at) return 'It has no time yet. Enter one, such as “tomorrow 9am”.';
    const moment = { instant: shiftTime(row.publish_at, zone, shift), zone };
    return moment.instant > now ? moment : `${render(moment)} has passed. Pick a later time.`;
  }
  const listInstants = (anyZone: string) => {
    const read = understandMoment({ ...question, zone: anyZone });
    const moments = 'moment' in read ? [read.moment] : 'candidates' in read ? read.candidates : [];
    return moments.map(({ instant }) => instant.toISOString());
  };
  if (knownZone === undefined && dependsOnZone(listInstants)) return ZONE_NEEDED;
  const reading = understandMoment({ ...question, present: row.publish_at ?? undefined });
  switch (reading.kind) {
    case 'understood':
      return reading.moment;
    case 'now':
      return earliestMoment(reading.moment.zone, now);
    case 'shifted':
      return `The clock skips that time. Did you mean ${render(reading.moment)}?`;
    case 'ambiguous':
      return [
        `Which did you mean: ${reading.candidates.map(render).join(', or ')}?`,
        ...adviseOnOrder(text),
      ].join(' ');
    case 'past':
      return `${render(reading.moment)} has passed. Pick a later time.`;
    case 'not-understood':
      if (isRepeating(question)) return 'This post goes out once. Pick one date.';
      return `I didn’t understand “${text}”. Try “${reading.examples[0] ?? 'tomorrow 9am'}”, or “+1 day”.`;
  }
}

/** Changes a post's time to the typed one. Resolves with why there is no slot for it any more (plain text). */
export async function changeToTyped(
  call: Call,
  row: HeldPostRow,
  time: SlotWish | Moment,
  change: (time: NewTime) => Promise<ChangeResult>,
): Promise<ChangeResult | string> {
  try {
    return await change(time);
  } catch (error) {
    if (!(error instanceof NoFreeSlot)) throw error;
    const { db, heldPosts } = call.context;
    const { platforms = [] } = readHeldPost(heldPosts, row) ?? {};
    const from = 'slotFrom' in time ? time.slotFrom : time.instant;
    const policy = await findPolicy(db, row);
    const { headline, advice } = describeMissingSlot(policy, platforms, { now: call.now(), from });
    return `${headline} ${advice}`;
  }
}

/** Warns if a time is on a blackout day of the post's project (plain text). */
export async function findBlackoutWarning(
  call: Call,
  row: HeldPostRow,
  time: { instant: Date; zone: string },
): Promise<string | undefined> {
  return warnIfBlackout(await findPolicy(call.context.db, row), time, call.now());
}

/** Warns if a planned post is too close to another one (plain text). */
export async function findCloseWarnings(call: Call, row: HeldPostRow): Promise<string[]> {
  const { same, near, repeats, isComplete } = await findCloseToRows(call.context.heldPosts, [row]);
  const repeatedOn = repeats.get(row.id);
  return [
    ...(same.has(row.id) ? ['Another post on its platforms has the same time.'] : []),
    ...(near.has(row.id)
      ? [
          `Another post on its platforms goes out less than ${renderDuration(MIN_POST_GAP_MS)} before or after.`,
        ]
      : []),
    ...(repeatedOn ? [renderRepeat(repeatedOn)] : []),
    ...(isComplete ? [] : [CLOSE_UNCHECKED]),
  ];
}

/** Warns of what is special about the time that a post has got, and if nobody is left to review it (mrkdwn). */
export async function renderTimeWarnings(call: Call, row: HeldPostRow, time: Moment): Promise<string[]> {
  const warnings = [await findBlackoutWarning(call, row, time), ...(await findCloseWarnings(call, row))];
  const rendered = warnings.flatMap((warning) => (warning ? [`:warning: ${escapeFormatting(warning)}`] : []));
  return [...rendered, ...(await explainUnasked(call.context.heldPosts, row))];
}
