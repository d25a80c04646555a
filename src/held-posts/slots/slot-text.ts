import { DAY_MS, MINUTE_MS } from '../../durations.ts';
import { renderPlatformNames } from '../../posts/platforms.ts';
import {
  type Blackout,
  type ClosedDays,
  filterTimedPlatforms,
  findBlackout,
  listSlots,
  type ProjectCalendar,
  SLOT_HORIZON_DAYS,
  type Slot,
} from '../../preferences/posting-times.ts';
import { holdsPosts, type ProjectPolicy } from '../../preferences/project-policy.ts';
import { formatMomentDay } from '../../when/format-moment.ts';
import { isZone } from '../../when/zones.ts';

/** Why a post gets no slot, and what to do. Plain text. */
export interface SlotProblem {
  headline: string;
  advice: string;
  /** Whether a change of the project's policy mends it. */
  isOfPolicy?: boolean | undefined;
}

const WEEKS = SLOT_HORIZON_DAYS / 7;

/** Finds out why there can't be a slot for a post with these platforms. Undefined if there can. */
export function findSlotProblem(
  policy: ProjectPolicy,
  platforms: readonly string[],
  now: Date,
): SlotProblem | undefined {
  if (!holdsPosts(policy))
    return {
      headline: 'Slots need a project that keeps posts editable.',
      advice: 'Turn that on with /upnext policy, or ask a Manager. Until then, enter a time.',
      isOfPolicy: true,
    };
  if (policy.postingTimes.length === 0)
    return {
      headline: 'This project has no posting times yet.',
      advice: 'Add them with /upnext policy, or ask a Manager. Until then, enter a time.',
      isOfPolicy: true,
    };
  if (platforms.length === 0)
    return { headline: 'Each platform has its own slots.', advice: 'Choose the platforms.' };
  const timed = filterTimedPlatforms(policy, platforms);
  const names = renderPlatformNames(timed.length === 0 ? platforms : timed);
  if (timed.length === 0)
    return {
      headline: `This project has no posting times for ${names}.`,
      advice: 'Add them with /upnext policy, or ask a Manager. Until then, enter a time.',
      isOfPolicy: true,
    };
  const until = new Date(now.getTime() + SLOT_HORIZON_DAYS * DAY_MS);
  if (listSlots(policy, platforms, { after: now, until }).length > 0) return undefined;
  return timed.length > 1
    ? {
        headline: `${names} have no posting time in common in the next ${WEEKS} weeks.`,
        advice: 'Post to one of them, or enter a time.',
      }
    : {
        headline: `There’s no ${names} slot in the next ${WEEKS} weeks.`,
        advice: 'Enter a time, or change the posting times with /upnext policy.',
        isOfPolicy: true,
      };
}

export function describeMissingSlot(
  policy: ProjectPolicy,
  platforms: readonly string[],
  { now, from }: { now: Date; from: Date },
): SlotProblem {
  const problem = findSlotProblem(policy, platforms, now);
  if (problem) return problem;
  if (from.getTime() >= now.getTime() + SLOT_HORIZON_DAYS * DAY_MS)
    return { headline: `I take slots up to ${WEEKS} weeks ahead.`, advice: 'Enter a time instead.' };
  const names = renderPlatformNames(filterTimedPlatforms(policy, platforms));
  const zone = policy.postingTimes[0]?.recurrence.zone ?? 'UTC';
  // "After 1 December" begins with the last moment of that day.
  const instant = new Date(from.getTime() + MINUTE_MS);
  const day = formatMomentDay({ instant, zone }, { now });
  return {
    headline:
      from <= now
        ? `All ${names} slots of the next ${WEEKS} weeks are taken.`
        : `No ${names} slot of the next ${WEEKS} weeks is free from ${day} on.`,
    advice: 'Enter a time, or add posting times with /upnext policy.',
    isOfPolicy: true,
  };
}

/** Somebody has taken the last free slot since the form has shown it. Plain text. */
export const SLOTS_GONE =
  'Every slot is taken by now. Enter a time, or add posting times with /upnext policy.';

/** Follows the name of a slot if the service's posts couldn't be read. Plain text. */
export const SLOT_UNSURE = 'I couldn’t check whether the scheduling service has another post then.';

/** Names the slot of a post: "The next free LinkedIn slot." Plain text. */
export function describeSlot(calendar: ProjectCalendar, platforms: readonly string[]): string {
  const timed = filterTimedPlatforms(calendar, platforms);
  const others = platforms.filter((platform) => !timed.includes(platform));
  const names = renderPlatformNames(timed);
  const slot =
    timed.length === 1 ? `The next free ${names} slot.` : `The next slot that is free on ${names}.`;
  if (others.length === 0) return slot;
  const verb = others.length === 1 ? 'has' : 'have';
  return `${slot} ${renderPlatformNames(others)} ${verb} no posting times and ${others.length === 1 ? 'goes' : 'go'} along.`;
}

/** Names the blackout day of its project that a time is on (plain text). Undefined if there is none. */
export function findBlackoutFact(calendar: ClosedDays, time: Slot, now: Date): string | undefined {
  const blackout = isZone(time.zone) ? findBlackout(calendar, time) : undefined;
  return blackout && renderBlackoutFact(blackout, formatMomentDay(time, { now }));
}

/** Warns the author if a time is on a blackout day of its project (plain text). */
export function warnIfBlackout(calendar: ClosedDays, time: Slot, now: Date): string | undefined {
  const fact = findBlackoutFact(calendar, time, now);
  return fact && `${fact} ${BLACKOUT_ADVICE}`;
}

/** Warns the author of a post on a blackout day. `day`: its day, such as "Fri 25 Dec". Plain text. */
export function warnOfBlackout(blackout: Blackout, day: string): string {
  return `${renderBlackoutFact(blackout, day)} ${BLACKOUT_ADVICE}`;
}

const BLACKOUT_ADVICE = 'Pick another day, unless that’s intended.';

function renderBlackoutFact({ name }: Blackout, day: string): string {
  return `${day} is a blackout day of this project${name === '' ? '' : ` (${name})`}.`;
}
