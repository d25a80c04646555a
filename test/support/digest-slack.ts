import {
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';

/** A message in a channel. */
export interface SentMessage {
  ts: string;
  channel: string;
  /** When it was sent, on the clock that people see (ms). */
  at: number;
  text: string;
  blocks?: { type: string }[];
  thread?: string;
  metadata?: { event_type: string; event_payload: object };
}

/** A fault of a call. `first`: Slack does the work, but the response is lost. `lateMs`: Slack does the work later. */
export type SlackFault =
  | { kind: 'cut'; commit: 'first' | 'never' | { lateMs: number } }
  | { kind: 'ratelimited'; seconds: number }
  | { kind: 'error'; error: string };

/** Makes the first `times` calls of a method fail. */
export function failFirstCalls(times: number, method: string, fault: SlackFault) {
  let remaining = times;
  return (calledMethod: string) => (calledMethod === method && remaining-- > 0 ? fault : undefined);
}

interface Options {
  now: () => number;
  /** Returns the fault of the next call of a method. Undefined if the call works. */
  fault?: (method: string) => SlackFault | undefined;
}

/**
 * Creates an in-memory Slack with the methods that digests use and the errors of Slack's own client. A message to a user
 * id U… goes to the channel D….
 */
export function createDigestSlack({ now, fault }: Options) {
  const messages: SentMessage[] = [];
  const lateWork: { at: number; commit: (at: number) => unknown }[] = [];
  /** The other organisations in shared channels, by channel id. `unknown`: Slack doesn't name the organisations. */
  const shared = new Map<string, readonly string[] | 'unknown'>();
  const calls: Record<string, number> = {};
  /** The people whose accounts were deactivated. Slack accepts messages to them (python-slack-sdk #1156). */
  const left = new Set<string>();
  const slow: { call?: () => Promise<void> } = {};
  let count = 0;

  const refuse = (error: string) => {
    throw new WebAPIPlatformError({ ok: false, error });
  };
  function applyLateWork(): void {
    for (const late of lateWork.filter(({ at }) => at <= now())) {
      late.commit(late.at);
      lateWork.splice(lateWork.indexOf(late), 1);
    }
  }
  /** Applies the fault of this call, if any, to `work`. */
  function withFault<T>(method: string, work: (at: number) => T): T {
    calls[method] = (calls[method] ?? 0) + 1;
    applyLateWork();
    const current = fault?.(method);
    if (!current) return work(now());
    if (current.kind === 'ratelimited') throw new WebAPIRateLimitedError(current.seconds);
    if (current.kind === 'error') return refuse(current.error) as never;
    const { commit } = current;
    if (commit === 'first') work(now());
    if (typeof commit === 'object') lateWork.push({ at: now() + commit.lateMs, commit: work });
    throw new WebAPIRequestError(createConnectionError());
  }
  function postMessage(args: PostArgs): { ok: true; ts: string; channel: string } {
    return withFault('chat.postMessage', (at) => {
      count += 1;
      const ts = `${Math.floor(at / 1000)}.${String(count % 1e6).padStart(6, '0')}`;
      const { text, blocks, metadata, thread_ts: thread } = args;
      const channel = args.channel.replace(/^U/, 'D');
      messages.push({
        ts,
        channel,
        at,
        text,
        ...(blocks && { blocks }),
        ...(metadata && { metadata }),
        ...(thread !== undefined && { thread }),
      });
      return { ok: true, ts, channel };
    });
  }
  function readHistory(args: { channel: string; oldest: string; latest?: string; limit: number }) {
    return withFault('conversations.history', () => {
      const matches = messages.filter(
        ({ channel, ts, thread }) =>
          channel === args.channel &&
          thread === undefined &&
          Number(ts) > Number(args.oldest) &&
          Number(ts) < Number(args.latest ?? Number.POSITIVE_INFINITY),
      );
      const page = matches.toReversed().slice(0, args.limit);
      return { ok: true, messages: page, has_more: page.length < matches.length };
    });
  }
  const client = {
    chat: {
      postMessage: async (args: PostArgs) => {
        await slow.call?.();
        return postMessage(args);
      },
    },
    conversations: {
      info: async ({ channel: id }: { channel: string }) =>
        withFault('conversations.info', () => ({ ok: true, channel: { id } })),
      history: async (args: Parameters<typeof readHistory>[0]) => readHistory(args),
      open: async ({ users }: { users: string }) =>
        withFault('conversations.open', () =>
          left.has(users) ? refuse('user_disabled') : { ok: true, channel: { id: users.replace(/^U/, 'D') } },
        ),
    },
    files: {
      getUploadURLExternal: async () =>
        withFault('files.getUploadURLExternal', () => ({ ok: true, upload_url: 'http://up', file_id: 'F1' })),
      completeUploadExternal: async () => withFault('files.completeUploadExternal', () => ({ ok: true })),
    },
    users: {
      info: async ({ user }: { user: string }) =>
        withFault('users.info', () => ({ ok: true, user: { id: user, deleted: left.has(user) } })),
      conversations: async () =>
        withFault('users.conversations', () => ({
          ok: true,
          channels: [...shared].map(([id, teams]) =>
            teams === 'unknown' ? { id } : { id, is_ext_shared: true, shared_team_ids: teams },
          ),
        })),
    },
  } as unknown as WebClient;
  return { messages, shared, calls, left, slow, applyLateWork, client };
}

type PostArgs = {
  channel: string;
  text: string;
  blocks?: { type: string }[];
  thread_ts?: string;
  metadata?: SentMessage['metadata'] & object;
};

/** Creates the error of Node's fetch for a broken connection. */
function createConnectionError(): Error {
  return new TypeError('fetch failed', {
    cause: Object.assign(new Error('ECONNRESET'), { code: 'ECONNRESET' }),
  });
}
