import { MINUTE_MS } from '../durations.ts';

/**
 * Slack's rate limits for messages: one a second in a channel, and about 300 a minute in a workspace
 * (https://docs.slack.dev/apis/web-api/rate-limits/#posting-messages, "several hundred messages per minute"). A message
 * counts from the end of its call, so that a slow call never brings two messages too close together. Each instance
 * counts only the messages that it sends, and learns its share from Slack's refusals.
 */
export const MIN_CHANNEL_INTERVAL_MS = 1_000;
const MAX_PER_MINUTE = 300;
/**
 * After a refusal, an instance takes what it was granted in the last minute as its share: other instances had the rest.
 * The share grows by this factor a minute, in case another instance has stopped.
 */
const SHARE_GROWTH = 1.1;
/** Maximum duration of a call to Slack. */
const MAX_CALL_MS = 10_000;
/** A refusal after fewer messages may be about something else, such as a channel that other apps write to. */
const MIN_SHARE = 30;
/**
 * Slack's rate limit for each step of an upload, tier 4:
 * https://docs.slack.dev/reference/methods/files.getUploadURLExternal and files.completeUploadExternal.
 */
export const MAX_UPLOADS_PER_MINUTE = 100;
/** Part of the messages per minute that is reserved for digests until `RUSH_MS` after the last digest. */
const RESERVED_SHARE_FOR_DIGESTS = 0.75;
const RUSH_MS = 30_000;

/** A reservation for one message that may be sent now. The caller releases it when the call has ended. */
interface Reservation {
  /** `isCounted`: the message was sent, or may have been sent. */
  release(isCounted: boolean): void;
}

export type SendingLimits = ReturnType<typeof createSendingLimits>;

interface OutgoingMessage {
  workspace: string;
  channel: string;
  /** Whether digests have priority over the message. True for follow-ups. */
  isLowPriority?: boolean;
}

/** The messages of one workspace. Times are in ms since 1970. */
interface WorkspaceUsage {
  /** When the calls of the last minute ended, oldest first. */
  endTimes: number[];
  inFlightCount: number;
  pausedUntil: number;
  /** Number of messages that have to wait since the scan began. Each makes the next message wait longer. */
  refusedCount: number;
  /** What Slack granted in a minute, and when it last refused more; undefined without a refusal. */
  share: { count: number; refusedAt: number } | undefined;
  /** The end of the current rush of digests, unless another digest follows. */
  rushUntil: number;
  channels: Map<string, { lastEndTime: number; isInFlight: boolean; refusedCount: number }>;
}

/** Creates the limits of what this instance sends to each workspace and channel. `now` returns ms since 1970. */
export function createSendingLimits(now: () => number, maxPerMinute = MAX_PER_MINUTE) {
  const usages = new Map<string, WorkspaceUsage>();
  const getUsage = (workspace: string) => {
    const existingUsage = usages.get(workspace);
    if (existingUsage) return existingUsage;
    const usage: WorkspaceUsage = {
      endTimes: [],
      inFlightCount: 0,
      pausedUntil: 0,
      refusedCount: 0,
      share: undefined,
      rushUntil: 0,
      channels: new Map(),
    };
    usages.set(workspace, usage);
    return usage;
  };
  return {
    acquire({ workspace, channel, isLowPriority }: OutgoingMessage): Reservation | { waitMs: number } {
      const usage = getUsage(workspace);
      const channelUsage = usage.channels.get(channel) ?? {
        lastEndTime: Number.NEGATIVE_INFINITY,
        isInFlight: false,
        refusedCount: 0,
      };
      usage.channels.set(channel, channelUsage);
      const channelMs = channelUsage.isInFlight
        ? MIN_CHANNEL_INTERVAL_MS
        : channelUsage.lastEndTime + MIN_CHANNEL_INTERVAL_MS - now();
      if (channelMs > 0) return { waitMs: channelMs + MIN_CHANNEL_INTERVAL_MS * channelUsage.refusedCount++ };
      const isRush = usage.rushUntil > now();
      const max = computeShare(usage, now(), maxPerMinute);
      const isSecondary = isLowPriority && isRush;
      const waitMs = computeWaitMs(
        usage,
        now(),
        isSecondary ? Math.floor(max * (1 - RESERVED_SHARE_FOR_DIGESTS)) : max,
      );
      if (!isLowPriority) usage.rushUntil = Math.max(usage.rushUntil, now() + waitMs + RUSH_MS);
      if (waitMs > 0) {
        usage.refusedCount += 1;
        return { waitMs };
      }
      usage.inFlightCount += 1;
      channelUsage.isInFlight = true;
      return {
        release(isCounted) {
          usage.inFlightCount -= 1;
          channelUsage.isInFlight = false;
          if (!isCounted) return;
          channelUsage.lastEndTime = now();
          usage.endTimes.push(now());
          // The call was granted while another one was refused.
          if (usage.share && now() - usage.share.refusedAt < MAX_CALL_MS)
            usage.share.count = Math.max(usage.share.count, countRecent(usage, now()));
        },
      };
    },
    /** Pauses a workspace because Slack answered with a rate limit. */
    pause(workspace: string, ms: number) {
      const usage = getUsage(workspace);
      usage.pausedUntil = Math.max(usage.pausedUntil, now() + ms);
      // The refused digests come back after the pause, and follow-ups must not be faster.
      if (usage.rushUntil > now()) usage.rushUntil = Math.max(usage.rushUntil, usage.pausedUntil + RUSH_MS);
      const grantedCount = countRecent(usage, now());
      if (grantedCount >= MIN_SHARE) usage.share = { count: grantedCount, refusedAt: now() };
    },
    /** Returns the number of messages that may be in flight in a workspace now. */
    getCapacity(workspace: string): number {
      const usage = usages.get(workspace);
      if (!usage) return maxPerMinute;
      const max = computeShare(usage, now(), maxPerMinute);
      return computeWaitMs(usage, now(), max) > 0 ? 0 : max - usage.endTimes.length;
    },
    /** Starts a new scan. Messages that had to wait in the previous scan no longer delay other messages. */
    startScan() {
      for (const [workspace, usage] of usages) {
        usage.refusedCount = 0;
        for (const [channel, channelUsage] of usage.channels) {
          channelUsage.refusedCount = 0;
          if (!channelUsage.isInFlight && channelUsage.lastEndTime + MIN_CHANNEL_INTERVAL_MS <= now())
            usage.channels.delete(channel);
        }
        computeWaitMs(usage, now(), maxPerMinute);
        const isIdle = usage.inFlightCount === 0 && usage.endTimes.length === 0 && usage.pausedUntil <= now();
        if (isIdle && usage.channels.size === 0) usages.delete(workspace);
      }
    },
  };
}

/** Counts the messages of the last minute, and drops older ones. */
function countRecent(usage: WorkspaceUsage, now: number): number {
  // After the clock was set back, times in the future are dropped, so that no message waits for them.
  usage.endTimes = usage.endTimes.filter((endTime) => endTime > now - MINUTE_MS && endTime <= now);
  return usage.endTimes.length;
}

/** Computes how many of a workspace's messages this instance may send in a minute. */
function computeShare({ share }: WorkspaceUsage, now: number, max: number): number {
  if (!share) return max;
  const minutes = Math.max(0, now - share.refusedAt) / MINUTE_MS;
  return Math.min(max, Math.floor(share.count * SHARE_GROWTH ** minutes));
}

/** Computes how long the next message of a workspace has to wait; 0 if it may be sent now. `now` in ms since 1970. */
function computeWaitMs(usage: WorkspaceUsage, now: number, max: number): number {
  countRecent(usage, now);
  if (usage.pausedUntil - now > 0) return usage.pausedUntil - now;
  const excess = usage.inFlightCount + usage.endTimes.length - max;
  if (excess < 0) return 0;
  // The next message may be sent one minute after the end of this call.
  const blockingEndTime = usage.endTimes[excess + usage.refusedCount];
  return blockingEndTime === undefined ? MINUTE_MS / 2 : blockingEndTime + MINUTE_MS - now;
}
