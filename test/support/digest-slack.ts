import {
  WebAPIHTTPError,
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
  | { kind: 'cut' | 'status' | 'internal'; commit: 'first' | 'never' | { lateMs: number } }
  | { kind: 'ratelimited'; seconds: number }
  | { kind: 'refused' }
  | { kind: 'error'; error: string };

/** Makes the first `times` calls of a method fail. */
export function failFirstCalls(times: number, method: string, fault: SlackFault) {
  let remaining = times;
  return (calledMethod: string) => (calledMethod === method && remaining-- > 0 ? fault : undefined);
}

/** Messages that are further apart are in order, because simulations set the clock back by at most three days. */
const MAX_DISORDER_SECONDS = 4 * 24 * 60 * 60;

interface Options {
  now: () => number;
  /** The steady clock for late work. Defaults to `now`. */
  clock?: () => number;
  /** Returns the fault of the next call of a method. Undefined if the call works. */
  fault?: (method: string, channel: string) => SlackFault | undefined;
}

/**
 * Creates an in-memory Slack with the methods that digests use and the errors of Slack's own client. It is fast enough
 * to simulate years. A message to a user id U… goes to the channel D….
 */
export function createDigestSlack({ now, clock = now, fault }: Options) {
  const messages: SentMessage[] = [];
  const messagesByChannel = new Map<string, SentMessage[]>();
  const lateWork: { at: number; commit: (at: number) => void }[] = [];
  const archived = new Set<string>();
  const revoked = new Set<string>();
  /** The other organisations in shared channels, by channel id. `unknown`: Slack doesn't name the organisations. */
  const shared = new Map<string, readonly string[] | 'unknown'>();
  const calls: Record<string, number> = {};
  const slow: { call?: () => Promise<void> } = {};
  let count = 0;

  const refuse = (error: string) => {
    throw new WebAPIPlatformError({ ok: false, error });
  };
  function applyLateWork(): void {
    for (const late of lateWork.filter(({ at }) => at <= clock())) {
      late.commit(now() - (clock() - late.at));
      lateWork.splice(lateWork.indexOf(late), 1);
    }
  }
  function commit(args: SentMessage): SentMessage {
    messages.push(args);
    const channelMessages = messagesByChannel.get(args.channel) ?? [];
    channelMessages.push(args);
    messagesByChannel.set(args.channel, channelMessages);
    return args;
  }
  /** Applies the fault of this call, if any, to `work`. */
  function withFault<T>(method: string, channel: string, work: (at: number) => T): T {
    calls[method] = (calls[method] ?? 0) + 1;
    applyLateWork();
    const current = fault?.(method, channel);
    if (!current) return work(now());
    if (current.kind === 'ratelimited') throw new WebAPIRateLimitedError(current.seconds);
    if (current.kind === 'error') return refuse(current.error) as never;
    if (current.kind === 'refused') throw new WebAPIRequestError(createFetchError('ECONNREFUSED'));
    const { commit: committed } = current;
    if (committed === 'first') work(now());
    if (typeof committed === 'object')
      lateWork.push({ at: clock() + committed.lateMs, commit: (at) => ignoreFailure(() => work(at)) });
    if (current.kind === 'status') throw new WebAPIHTTPError(503, 'Service Unavailable', {}, 'busy');
    if (current.kind === 'internal') return refuse('internal_error') as never;
    throw new WebAPIRequestError(createFetchError('ECONNRESET'));
  }
  function postMessage(workspace: string, args: PostArgs): { ok: true; ts: string; channel: string } {
    return withFault('chat.postMessage', args.channel, (at) => {
      if (revoked.has(workspace)) refuse('token_revoked');
      if (archived.has(args.channel)) refuse('is_archived');
      count += 1;
      const ts = `${Math.floor(at / 1000)}.${String(count % 1e6).padStart(6, '0')}`;
      const { text, blocks, metadata, thread_ts: thread } = args;
      const channel = args.channel.replace(/^U/, 'D');
      commit({
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
  function readHistory(
    workspace: string,
    args: { channel: string; oldest: string; latest?: string; limit: number },
  ) {
    return withFault('conversations.history', args.channel, () => {
      if (revoked.has(workspace)) refuse('token_revoked');
      const matches = skipOlderMessages(
        messagesByChannel.get(args.channel) ?? [],
        Number(args.oldest),
      ).filter(
        ({ ts, thread }) =>
          thread === undefined &&
          Number(ts) > Number(args.oldest) &&
          Number(ts) < Number(args.latest ?? Number.POSITIVE_INFINITY),
      );
      const page = matches.toReversed().slice(0, args.limit);
      return { ok: true, messages: page, has_more: page.length < matches.length };
    });
  }
  const createClient = (workspace: string) =>
    ({
      chat: {
        postMessage: async (args: PostArgs) => {
          await slow.call?.();
          return postMessage(workspace, args);
        },
      },
      conversations: {
        info: async ({ channel: id }: { channel: string }) =>
          withFault('conversations.info', id, () => ({ ok: true, channel: { id } })),
        history: async (args: Parameters<typeof readHistory>[1]) => readHistory(workspace, args),
        open: async ({ users }: { users: string }) => ({
          ok: true,
          channel: { id: users.replace(/^U/, 'D') },
        }),
      },
      files: {
        getUploadURLExternal: async () =>
          withFault('files.getUploadURLExternal', '', () => ({
            ok: true,
            upload_url: 'http://up',
            file_id: 'F1',
          })),
        completeUploadExternal: async () =>
          withFault('files.completeUploadExternal', '', () => ({ ok: true })),
      },
      users: {
        conversations: async () =>
          withFault('users.conversations', '', () => ({
            ok: true,
            channels: [...shared].map(([id, teams]) =>
              teams === 'unknown' ? { id } : { id, is_ext_shared: true, shared_team_ids: teams },
            ),
          })),
        list: async () => ({ ok: true, members: [] }),
      },
    }) as unknown as WebClient;
  return {
    messages,
    byChannel: messagesByChannel,
    archived,
    revoked,
    shared,
    calls,
    slow,
    applyLateWork,
    clientFor: createClient,
  };
}

/** Returns all messages since `oldest` (s). Some earlier messages are included, because late messages aren't in order. */
function skipOlderMessages(messages: readonly SentMessage[], oldest: number): readonly SentMessage[] {
  const isOlder = ({ ts }: SentMessage) => Number(ts) < oldest - MAX_DISORDER_SECONDS;
  return messages.slice(messages.findLastIndex(isOlder) + 1);
}

type PostArgs = {
  channel: string;
  text: string;
  blocks?: { type: string }[];
  thread_ts?: string;
  metadata?: SentMessage['metadata'] & object;
};

function ignoreFailure(work: () => unknown): void {
  try {
    work();
  } catch {
    // The caller isn't notified if late work fails.
  }
}

/** Creates an error like those of Node's fetch. */
function createFetchError(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}
