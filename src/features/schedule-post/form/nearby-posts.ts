import type { KnownBlock } from '@slack/types';
import { computeTextKey } from '../../../api/cached-reads.ts';
import { MINUTE_MS } from '../../../durations.ts';
import type { Call } from '../../../handlers/call.ts';
import { getTextKey, listNearbyPosts } from '../../../held-posts/slots/planned-near.ts';
import { CLOSE_UNCHECKED, isNear, isRepeat } from '../../../posts/close-posts.ts';
import {
  findRepeatWindow,
  MIN_POST_GAP_MS,
  REPEAT_SEARCH_MS,
} from '../../../posts/platform-rules/platform-rules.ts';
import { renderPlatformNames } from '../../../posts/platforms.ts';
import { context, plain } from '../../../slack/blocks.ts';
import type { Moment } from '../../../when/when.ts';
import { renderCount, renderDuration } from '../../../words.ts';
import { listMoments, readWhen } from '../when/read-when.ts';
import { renderTimeWithoutZone } from '../when/when-text.ts';
import { getEffectiveStatus, listPlatformsToSend, type PostState } from './fields.ts';
import { findShortestGap } from './platform-findings.ts';
import type { PostFormContext } from './post-form-context.ts';
import { buildOwnTexts, buildPostText } from './post-text.ts';

/**
 * Finds the posts near the chosen times: those that the service lists in time, and Upnext's own. On platforms that may
 * refuse the same text again, posts with the same text are near for longer.
 */
export async function findNearbyPosts(state: PostState, call: Call): Promise<PostFormContext['nearbyPosts']> {
  const { project } = state.values;
  const moments = listMoments(readWhen(state));
  if (!project || getEffectiveStatus(state) === 'DRAFT' || moments.length === 0) return undefined;
  const times = moments.map(({ moment }) => moment.instant);
  const platforms = listPlatformsToSend(state);
  const [mainText, ownTexts] = [buildPostText(state), buildOwnTexts(state)];
  const getKey = (platform: string) => computeTextKey((ownTexts.get(platform) ?? mainText).text);
  const mayRepeat = platforms.some(
    (platform) => findRepeatWindow(platform) !== undefined && getKey(platform),
  );
  const { reads, api, heldPosts, pace } = call.context;
  const search = {
    ...{ workspace: call.actor.workspace, project: project.id, times, maxWaitMs: pace.formReadMs },
    rangeMs: mayRepeat ? REPEAT_SEARCH_MS : MIN_POST_GAP_MS,
  };
  // Without the database the form can still say that the post isn't saved.
  const planned = await listNearbyPosts({ reads, api, heldPosts }, search).catch((error: unknown) => {
    const log = { reference: call.reference, err: error };
    call.log.warn(log, 'could not list the posts near the chosen time');
    return { posts: [], isComplete: false };
  });
  const editedId = state.formContext.heldPost?.id;
  const own = platforms.flatMap((platform) =>
    times.map((instant) => ({ instant, platform, textKey: getKey(platform) })),
  );
  const posts = planned.posts.flatMap((post) => {
    const { instant, origin } = post;
    if (origin !== undefined && origin === editedId) return [];
    const toOther = (platform: string) => ({ instant, platform, textKey: getTextKey(post, platform) });
    const repeatsOn = post.platforms.filter((platform) =>
      own.some((each) => isRepeat(each, toOther(platform))),
    );
    return repeatsOn.length > 0 || times.some((time) => isNear({ instant: time }, post))
      ? [{ instant: instant.toISOString(), platforms: [...post.platforms], repeatsOn }]
      : [];
  });
  return { project: project.id, posts, ...(!planned.isComplete && { isUnchecked: true }) };
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
    const chosenMoment = moments.find(({ moment }) => isNear(moment, { instant: new Date(instant) }))?.moment;
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
    const getDistance = ({ instant }: Moment) => Math.abs(other.getTime() - instant.getTime());
    const [moment] = times.toSorted((one, two) => getDistance(one) - getDistance(two));
    const platforms = listPlatformsToSend(state).filter(
      (name) =>
        post.repeatsOn.includes(name) && moment && getDistance(moment) <= (findRepeatWindow(name) ?? 0),
    );
    if (!moment || platforms.length === 0) return [];
    const names = renderPlatformNames(platforms);
    const distance = renderDistance({ instant: other, zone: moment.zone }, moment, state);
    const distanceMs = getDistance(moment);
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

/** Warns if posts of the form itself are too close, on whatever platforms. Plain text. */
function renderCloseTimes(state: PostState): string[] {
  const gapMs = findShortestGap(state);
  if (gapMs === undefined || gapMs >= MIN_POST_GAP_MS || listPlatformsToSend(state).length === 0) return [];
  return [
    `Two of these times are only ${renderDuration(gapMs)} apart. Enter another one to keep them apart.`,
  ];
}

export function renderNearbyBlocks(state: PostState): KnownBlock[] {
  const { nearbyPosts } = state.formContext;
  const isUnchecked = nearbyPosts?.isUnchecked && nearbyPosts.project === state.values.project?.id;
  const isDraft = getEffectiveStatus(state) === 'DRAFT';
  const lines = [
    ...renderNearbyPosts(state),
    ...(isDraft ? [] : renderCloseTimes(state)),
    ...(isUnchecked && !isDraft ? [CLOSE_UNCHECKED] : []),
  ].map((warning) => `⚠️ ${warning}`);
  return lines.length === 0 ? [] : [context(plain(lines.join('\n')))];
}
