import type { KnownBlock } from '@slack/types';
import { computeTextKey, type PlannedTime } from '../../../api/cached-reads.ts';
import { findOwnText, type Post } from '../../../api/posts.ts';
import { DAY_MS, MINUTE_MS } from '../../../durations.ts';
import type { Call } from '../../../handlers/call.ts';
import { listHeldPlan } from '../../../held-posts/listed-posts.ts';
import { isHandedOver } from '../../../posts/merge-plan.ts';
import {
  filterRepeatRefusing,
  MIN_POST_GAP_MS,
  REPEAT_WARNING_MS,
} from '../../../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { leaveOutPlanned } from '../../../preferences/posting-times.ts';
import { within } from '../../../promises.ts';
import { context, plain } from '../../../slack/blocks.ts';
import type { Moment } from '../../../when/when.ts';
import { renderCount, renderDuration } from '../../../words.ts';
import { listMoments, readWhen } from '../when/read-when.ts';
import { renderTimeWithoutZone } from '../when/when-text.ts';
import { getEffectiveStatus, listPlatformsToSend, type PostState } from './fields.ts';
import type { PostFormContext } from './post-form-context.ts';
import { buildOwnTexts, buildPostText } from './post-text.ts';

interface NearbyTime extends PlannedTime {
  /** Texts of platforms that don't get the main one. Absent if the service lists the post. */
  ownTexts?: Post['ownTexts'];
}

/** Maximum days to read for several times. */
const MAX_DAYS = 10;

/**
 * Finds the posts near the chosen times: those that the service lists in time, and those that Upnext keeps. On platforms
 * that may refuse the same text again, posts with the same text are near for longer.
 */
export async function findNearbyPosts(state: PostState, call: Call): Promise<PostFormContext['nearbyPosts']> {
  const { project } = state.values;
  const moments = listMoments(readWhen(state));
  if (!project || getEffectiveStatus(state) === 'DRAFT' || moments.length === 0) return undefined;
  const times = moments.map(({ moment }) => moment.instant.getTime());
  const refusing = filterRepeatRefusing(listPlatformsToSend(state));
  const [mainText, ownTexts] = [buildPostText(state), buildOwnTexts(state)];
  const textKeys = refusing.flatMap((platform) => {
    const key = computeTextKey((ownTexts.get(platform) ?? mainText).text);
    return key === undefined ? [] : [{ platform, key }];
  });
  const rangeMs = textKeys.length > 0 ? REPEAT_WARNING_MS : MIN_POST_GAP_MS;
  const days = new Set(
    times.flatMap((time) => [time, time - rangeMs, time + rangeMs].map((end) => end - (end % DAY_MS))),
  );
  const { reads, api, pace } = call.context;
  const lists = Promise.all(
    [...days].slice(0, MAX_DAYS).map((day) => reads.listPlannedTimes(api, project.id, new Date(day))),
  );
  const outcomes = await within(pace.formReadMs, lists);
  const plannedTimes = (outcomes ?? []).flatMap((outcome) => (outcome.kind === 'done' ? outcome.data : []));
  const editedId = state.formContext.heldPost?.id;
  const held = { project: project.id, times, rangeMs, plannedTimes, editedId };
  // Without the database the form can still say that the post isn't saved.
  const heldTimes = await listHeldTimes(call, held).catch((error: unknown) => {
    call.log.warn(
      { reference: call.reference, err: error },
      'could not list held posts near the chosen time',
    );
    return [];
  });
  const planned: readonly NearbyTime[] = [...plannedTimes, ...heldTimes];
  const posts = planned.flatMap((post) => {
    const { instant, platforms, textKey } = post;
    const getKey = (name: string) => {
      const own = findOwnText(post, name);
      return own === undefined ? textKey : computeTextKey(own);
    };
    const repeatsOn = textKeys
      .filter(({ platform, key }) => platforms.includes(platform) && getKey(platform) === key)
      .map(({ platform }) => platform);
    const nearMs = repeatsOn.length > 0 ? REPEAT_WARNING_MS : MIN_POST_GAP_MS;
    return times.some((time) => isNear(time, instant, nearMs))
      ? [{ instant: instant.toISOString(), platforms: [...platforms], repeatsOn }]
      : [];
  });
  return { project: project.id, posts };
}

/**
 * Lists the times of the held posts around the chosen times, without the post that the form edits. Of a post that was
 * handed over, the platforms are left out for which the service lists a post at its time.
 */
async function listHeldTimes(
  { context, actor }: Call,
  search: {
    project: string;
    times: readonly number[];
    rangeMs: number;
    plannedTimes: readonly PlannedTime[];
    editedId: string | undefined;
  },
): Promise<NearbyTime[]> {
  const { project, times, rangeMs, plannedTimes, editedId } = search;
  const { posts } = await listHeldPlan(context.heldPosts, {
    workspace: actor.workspace,
    projects: [project],
    states: ['held', 'awaiting-review', 'handed-over'],
    from: new Date(Math.min(...times) - rangeMs),
    to: new Date(Math.max(...times) + rangeMs),
  });
  return posts.flatMap((listed): NearbyTime[] => {
    const { scheduleDate: instant, platforms, content, ownTexts } = listed.post;
    if (!instant || listed.held.id === editedId || listed.isSettled) return [];
    const time = { instant, platforms, textKey: computeTextKey(content), ownTexts };
    return isHandedOver(listed) ? leaveOutPlanned([time], plannedTimes) : [time];
  });
}

function isNear(time: number, instant: Date, rangeMs = MIN_POST_GAP_MS): boolean {
  return Math.abs(time - instant.getTime()) < rangeMs;
}

/** Maximum posts that the warnings name. */
const MAX_NAMED_POSTS = 3;

/** Renders a warning for each post that is near a chosen time on one of the chosen platforms. Plain text. */
function renderNearbyPosts(state: PostState): string[] {
  const { values, formContext } = state;
  const moments = listMoments(readWhen(state));
  if (getEffectiveStatus(state) === 'DRAFT' || formContext.nearbyPosts?.project !== values.project?.id)
    return [];
  const posts = formContext.nearbyPosts?.posts ?? [];
  const repeats = findRepeats(state);
  const found = posts.flatMap((post) => {
    const { instant, platforms } = post;
    // The warning of the same text says that it is near.
    const warned = repeats.find((repeat) => repeat.post === post)?.platforms ?? [];
    const sharedPlatforms = listPlatformsToSend(state).filter(
      (platform) => platforms.includes(platform) && !warned.includes(platform),
    );
    const chosenMoment = moments.find(({ moment }) =>
      isNear(moment.instant.getTime(), new Date(instant)),
    )?.moment;
    if (sharedPlatforms.length === 0 || !chosenMoment) return [];
    const otherMoment = { instant: new Date(instant), zone: chosenMoment.zone };
    const distance = renderDistance(otherMoment, chosenMoment, state);
    return [`Another ${renderPlatformNames(sharedPlatforms)} post goes out ${distance}.`];
  });
  const warnings = [...new Set(found)];
  const repeatWarnings = repeats.map(({ warning }) => warning);
  if (warnings.length === 0) return repeatWarnings;
  const hiddenCount = warnings.length - MAX_NAMED_POSTS;
  const lines = [
    ...repeatWarnings,
    ...warnings.slice(0, MAX_NAMED_POSTS),
    ...(hiddenCount > 0 ? [`${renderCount(hiddenCount, 'more post is', 'more posts are')} as close.`] : []),
  ];
  const lastLine = `${lines.pop()} Enter another time to keep them apart.`;
  return [...lines, lastLine];
}

/** Finds the nearest post with the same text on each platform that may refuse it. `warning`: plain text. */
function findRepeats(state: PostState) {
  const { formContext } = state;
  const times = listMoments(readWhen(state)).map(({ moment }) => moment);
  const repeats = (formContext.nearbyPosts?.posts ?? []).flatMap((post) => {
    const other = new Date(post.instant);
    const moment = times.find((time) => isNear(time.instant.getTime(), other, REPEAT_WARNING_MS));
    const platforms = listPlatformsToSend(state).filter((name) => post.repeatsOn.includes(name));
    if (!moment || platforms.length === 0) return [];
    const names = renderPlatformNames(platforms);
    const distance = renderDistance({ instant: other, zone: moment.zone }, moment, state);
    const distanceMs = Math.abs(other.getTime() - moment.instant.getTime());
    const warning = `The same text goes out ${distance}. ${names} may refuse it, so vary it.`;
    return [{ post, platforms, names, distanceMs, warning }];
  });
  const nearest = repeats.toSorted((one, other) => one.distanceMs - other.distanceMs);
  return [...Map.groupBy(nearest, ({ names }) => names).values()].flatMap(([first]) => first ?? []);
}

/** Renders how far the other post is from the chosen time: "20 minutes later (Tue 1 Dec, 09:20)". */
function renderDistance(otherMoment: Moment, chosenMoment: Moment, state: PostState): string {
  const minutes = Math.round((otherMoment.instant.getTime() - chosenMoment.instant.getTime()) / MINUTE_MS);
  if (minutes === 0) return 'at the same time';
  const distance = renderDuration(Math.abs(minutes) * MINUTE_MS);
  return `${distance} ${minutes < 0 ? 'earlier' : 'later'} (${renderTimeWithoutZone(otherMoment, state)})`;
}

export function renderNearbyBlocks(state: PostState): KnownBlock[] {
  const lines = renderNearbyPosts(state).map((warning) => `⚠️ ${warning}`);
  return lines.length === 0 ? [] : [context(plain(lines.join('\n')))];
}
