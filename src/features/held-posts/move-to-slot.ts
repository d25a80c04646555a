import { fetchReader } from '../../forms/form-context.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import type { HeldPostRow } from '../../held-posts/held-post.ts';
import { readHeldContent, readHeldPost } from '../../held-posts/held-post-context.ts';
import { findOpenSlot, giveSlot, NoFreeSlot } from '../../held-posts/service-slots.ts';
import {
  describeMissingSlot,
  describeSlot,
  findSlotProblem,
  warnOfBlackout,
} from '../../held-posts/text/slot-text.ts';
import { renderMoment } from '../../posts/post-time.ts';
import { readSlotPhrase } from '../../posts/slot-phrase.ts';
import { findBlackout } from '../../preferences/posting-times.ts';
import { findPolicy } from '../../preferences/project-policy.ts';
import { dependsOnZone, isZone } from '../../when/zones.ts';

/** Asks people whose zone isn't known for the zone of a time that depends on it (plain text). */
export const ZONE_NEEDED = 'I don’t know your time zone. Write it too, such as “tomorrow 9am in Berlin”.';

/** Returns the zone of a post, or else that of the person. Undefined if neither is known. */
export function findKnownZone(
  post: { timezone?: string | undefined } | undefined,
  { knownZone }: { knownZone?: string | undefined },
): string | undefined {
  return [post?.timezone, knownZone].find((name) => name !== undefined && isZone(name));
}

/** A wish for a slot. `preview`: the one that the post would take now (plain text). */
interface SlotWish {
  slotFrom: Date;
  preview: string;
}

/**
 * Reads "next slot" for a post that Upnext keeps. Resolves with what is wrong with it, or with undefined for any other text.
 */
export async function readSlotWish(
  call: Call,
  row: HeldPostRow,
  text: string,
): Promise<SlotWish | string | undefined> {
  const { context } = call.context.heldPosts;
  const post = readHeldPost(context, row);
  const viewer = await fetchReader(call);
  const { locale } = viewer;
  const zone = findKnownZone(post, viewer);
  const now = call.now();
  const readPhrase = (anyZone: string) => readSlotPhrase(text, { now, zone: anyZone, locale });
  const phrase = readPhrase(zone ?? 'UTC');
  if (!phrase) return undefined;
  const listStarts = (anyZone: string) => {
    const read = readPhrase(anyZone);
    return read && 'from' in read ? [read.from.toISOString()] : [];
  };
  if (zone === undefined && dependsOnZone(listStarts)) return ZONE_NEEDED;
  if ('problem' in phrase) return phrase.problem;
  const platforms = post?.platforms ?? [];
  const policy = await findPolicy(context.db, row);
  const problem = findSlotProblem(policy, platforms, now);
  if (problem) return `${problem.headline} ${problem.advice}`;
  const place = { workspace: row.workspace, project: row.project, platforms };
  const slot = await findOpenSlot(call.context, place, policy, phrase.from);
  if (!slot) return describeNoFreeSlot(call, row, phrase.from);
  const time = renderMoment(slot.instant, slot.zone, now, locale);
  return { slotFrom: slot.instant, preview: `${time}. ${describeSlot(policy, platforms)}` };
}

/** Takes a slot for a post whose new time is stored next. Resolves with why there is none (plain text). */
export async function takeSlotForPost(
  call: Call,
  row: HeldPostRow,
  { slotFrom }: SlotWish,
): Promise<{ instant: Date; zone: string; slotPlatforms: readonly string[] } | string> {
  const { context } = call.context.heldPosts;
  const held = readHeldContent(context, row);
  if (!held) throw new Error('the content of a held post is unreadable');
  const content = context.kind.holding.takeSlotFrom(held.content, slotFrom);
  try {
    const { slot } = await giveSlot(context, { ...row, present: row.publish_at }, content);
    if (!slot) throw new NoFreeSlot();
    return { instant: slot.instant, zone: slot.zone, slotPlatforms: slot.platforms };
  } catch (error) {
    if (error instanceof NoFreeSlot) return describeNoFreeSlot(call, row, slotFrom);
    throw error;
  }
}

/** Says why a post gets no slot from `from` on (plain text). */
export async function describeNoFreeSlot(call: Call, row: HeldPostRow, from: Date): Promise<string> {
  const { context } = call.context.heldPosts;
  const post = readHeldPost(context, row);
  const policy = await findPolicy(context.db, row);
  const { headline, advice } = describeMissingSlot(policy, post?.platforms ?? [], { now: call.now(), from });
  return `${headline} ${advice}`;
}

/** Warns if a time is on a blackout day of the post's project (plain text). */
export async function findBlackoutWarning(
  call: Call | SubmissionCall,
  row: HeldPostRow,
  time: { instant: Date; zone: string },
): Promise<string | undefined> {
  if (!isZone(time.zone)) return undefined;
  const blackout = findBlackout(await findPolicy(call.context.db, row), time);
  const [day = ''] = renderMoment(time.instant, time.zone, call.now()).split(', ');
  return blackout && warnOfBlackout(blackout, day);
}
