/**
 * Slack's rate limits for messages: one a second in a channel, and about 300 a minute in a workspace
 * (https://docs.slack.dev/apis/web-api/rate-limits/#posting-messages, "several hundred messages per minute"). A message
 * counts from the moment its call ends, so that a delay on the way never brings two too close together. Each instance
 * counts its own messages; if the total is too high, Slack answers with a rate limit.
 */
export const CHANNEL_MS = 1_000;
const MINUTE_MS = 60_000;
const MAX_PER_MINUTE = 300;
/** The share of a minute that is reserved for digests during a rush, which ends RUSH_MS after the last digest. */
const RESERVED_FOR_DIGESTS = 150;
const RUSH_MS = 30_000;

/** A permit to send one message now. It is given back when the call ends. */
export interface Ticket {
  /** `sent`: the message was sent, or may have been. */
  release(sent: boolean): void;
}

export interface SendingLimits {
  acquire(message: OutgoingMessage): Ticket | { waitMs: number };
  /** Pauses a workspace because Slack answered with a rate limit. */
  pause(workspace: string, ms: number): void;
  /** How many messages may be in flight in a workspace now. */
  capacityIn(workspace: string): number;
  /** Starts a new scan: waits that were handed out before no longer count. */
  startScan(): void;
}

interface OutgoingMessage {
  workspace: string;
  channel: string;
  /** A follow-up, which lets digests go first. */
  yields?: boolean;
}

/** What was sent in one workspace. Moments in ms since 1970. */
interface WorkspaceUsage {
  /** When the messages of the last minute ended, oldest first. */
  ended: number[];
  inFlight: number;
  pausedUntil: number;
  /** Messages refused since the scan began. Each was given a later slot. */
  refused: number;
  /** The end of the current rush of digests, as far as is known. */
  rushUntil: number;
  channels: Map<string, { ended: number; inFlight: boolean; refused: number }>;
}

/** `now` in ms. */
export function createSendingLimits(now: () => number): SendingLimits {
  const usages = new Map<string, WorkspaceUsage>();
  const usageOf = (workspace: string) => {
    const known = usages.get(workspace);
    if (known) return known;
    const usage: WorkspaceUsage = {
      ended: [],
      inFlight: 0,
      pausedUntil: 0,
      refused: 0,
      rushUntil: 0,
      channels: new Map(),
    };
    usages.set(workspace, usage);
    return usage;
  };
  return {
    acquire({ workspace, channel, yields }) {
      const usage = usageOf(workspace);
      const channelUsage = usage.channels.get(channel) ?? {
        ended: Number.NEGATIVE_INFINITY,
        inFlight: false,
        refused: 0,
      };
      usage.channels.set(channel, channelUsage);
      const channelMs = channelUsage.inFlight ? CHANNEL_MS : channelUsage.ended + CHANNEL_MS - now();
      if (channelMs > 0) return { waitMs: channelMs + CHANNEL_MS * channelUsage.refused++ };
      const isRush = usage.rushUntil > now();
      const waitMs = waitIn(
        usage,
        now(),
        yields && isRush ? MAX_PER_MINUTE - RESERVED_FOR_DIGESTS : MAX_PER_MINUTE,
      );
      if (!yields) usage.rushUntil = Math.max(usage.rushUntil, now() + waitMs + RUSH_MS);
      if (waitMs > 0) {
        usage.refused += 1;
        return { waitMs };
      }
      usage.inFlight += 1;
      channelUsage.inFlight = true;
      return {
        release(sent) {
          usage.inFlight -= 1;
          channelUsage.inFlight = false;
          if (!sent) return;
          channelUsage.ended = now();
          usage.ended.push(now());
        },
      };
    },
    pause(workspace, ms) {
      const usage = usageOf(workspace);
      usage.pausedUntil = Math.max(usage.pausedUntil, now() + ms);
    },
    capacityIn(workspace) {
      const usage = usages.get(workspace);
      if (!usage) return MAX_PER_MINUTE;
      return waitIn(usage, now()) > 0 ? 0 : MAX_PER_MINUTE - usage.ended.length;
    },
    startScan() {
      for (const [workspace, usage] of usages) {
        usage.refused = 0;
        for (const [channel, channelUsage] of usage.channels) {
          channelUsage.refused = 0;
          if (!channelUsage.inFlight && channelUsage.ended + CHANNEL_MS <= now())
            usage.channels.delete(channel);
        }
        waitIn(usage, now());
        const isIdle = usage.inFlight === 0 && usage.ended.length === 0 && usage.pausedUntil <= now();
        if (isIdle && usage.channels.size === 0) usages.delete(workspace);
      }
    },
  };
}

/** How long the next message of a workspace has to wait, ms; 0 if it may be sent now. */
function waitIn(usage: WorkspaceUsage, at: number, max = MAX_PER_MINUTE): number {
  // After the clock was set back, moments in the future are dropped, so that nobody waits for them.
  usage.ended = usage.ended.filter((ended) => ended > at - MINUTE_MS && ended <= at);
  if (usage.pausedUntil - at > 0) return usage.pausedUntil - at;
  const over = usage.inFlight + usage.ended.length - max;
  if (over < 0) return 0;
  const first = usage.ended[over + usage.refused];
  return first === undefined ? MINUTE_MS / 2 : first + MINUTE_MS - at;
}
