/**
 * How many messages Slack takes: one a second in a channel, and 300 a minute in a workspace
 * (https://docs.slack.dev/apis/web-api/rate-limits/#posting-messages, "several hundred messages per minute"). Counted
 * at a message's end, so that none comes too early wherever it was held up. Another instance counts for itself; where
 * they are too many together, Slack says so.
 */
export const CHANNEL_MS = 1_000;
const MINUTE_MS = 60_000;
const A_MINUTE = 300;
/** Of these so many are kept for digests while some are under way, and a while after: a busy machine brings them late. */
const FOR_DIGESTS = 150;
const RUSH_MS = 30_000;

/** Leave to send one message now; left at its end. */
export interface Ticket {
  /** `sent`: it was sent, or may have been. */
  leave(sent: boolean): void;
}

export interface SendingLimits {
  enter(message: OutgoingMessage): Ticket | { waitMs: number };
  /** Slack asks for a pause in this workspace. */
  hold(workspace: string, ms: number): void;
  /** How many may be under way in a workspace now. */
  roomIn(workspace: string): number;
  /** From now on those who are turned away queue anew. */
  turn(): void;
}

interface OutgoingMessage {
  workspace: string;
  channel: string;
  /** It is a detail, and lets digests go first. */
  yields?: boolean;
}

interface Line {
  /** When the last ones ended, oldest first. */
  ended: number[];
  open: number;
  heldUntil: number;
  /** Turned away since the turn began: each waits for another one's end. */
  refused: number;
  /** Until when digests come, as far as is known. */
  rushUntil: number;
  channels: Map<string, { ended: number; open: boolean; refused: number }>;
}

/** `now` in ms. */
export function createSendingLimits(now: () => number): SendingLimits {
  const lines = new Map<string, Line>();
  const lineOf = (workspace: string) => {
    const known = lines.get(workspace);
    if (known) return known;
    const line: Line = { ended: [], open: 0, heldUntil: 0, refused: 0, rushUntil: 0, channels: new Map() };
    lines.set(workspace, line);
    return line;
  };
  return {
    enter({ workspace, channel, yields }) {
      const line = lineOf(workspace);
      const spot = line.channels.get(channel) ?? { ended: Number.NEGATIVE_INFINITY, open: false, refused: 0 };
      line.channels.set(channel, spot);
      const channelMs = spot.open ? CHANNEL_MS : spot.ended + CHANNEL_MS - now();
      if (channelMs > 0) return { waitMs: channelMs + CHANNEL_MS * spot.refused++ };
      const isRush = line.rushUntil > now();
      const waitMs = waitIn(line, now(), yields && isRush ? A_MINUTE - FOR_DIGESTS : A_MINUTE);
      if (!yields) line.rushUntil = Math.max(line.rushUntil, now() + waitMs + RUSH_MS);
      if (waitMs > 0) {
        line.refused += 1;
        return { waitMs };
      }
      line.open += 1;
      spot.open = true;
      return {
        leave(sent) {
          line.open -= 1;
          spot.open = false;
          if (!sent) return;
          spot.ended = now();
          line.ended.push(now());
        },
      };
    },
    hold(workspace, ms) {
      const line = lineOf(workspace);
      line.heldUntil = Math.max(line.heldUntil, now() + ms);
    },
    roomIn(workspace) {
      const line = lines.get(workspace);
      if (!line) return A_MINUTE;
      return waitIn(line, now()) > 0 ? 0 : A_MINUTE - line.ended.length;
    },
    turn() {
      for (const [workspace, line] of lines) {
        line.refused = 0;
        for (const [channel, spot] of line.channels) {
          spot.refused = 0;
          if (!spot.open && spot.ended + CHANNEL_MS <= now()) line.channels.delete(channel);
        }
        waitIn(line, now());
        const isIdle = line.open === 0 && line.ended.length === 0 && line.heldUntil <= now();
        if (isIdle && line.channels.size === 0) lines.delete(workspace);
      }
    },
  };
}

/** ms; 0 where one may go now. */
function waitIn(line: Line, at: number, most = A_MINUTE): number {
  // A clock that was set back must not hold anybody up.
  line.ended = line.ended.filter((ended) => ended > at - MINUTE_MS && ended <= at);
  if (line.heldUntil - at > 0) return line.heldUntil - at;
  const over = line.open + line.ended.length - most;
  if (over < 0) return 0;
  const first = line.ended[over + line.refused];
  return first === undefined ? MINUTE_MS / 2 : first + MINUTE_MS - at;
}
