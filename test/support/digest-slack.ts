import {
  WebAPIHTTPError,
  WebAPIPlatformError,
  WebAPIRateLimitedError,
  WebAPIRequestError,
  type WebClient,
} from '@slack/web-api';

/** A message as the channel shows it. */
export interface Posted {
  ts: string;
  channel: string;
  /** ms, by the clock for people. */
  at: number;
  text: string;
  blocks?: { type: string }[];
  thread?: string;
  metadata?: { event_type: string; event_payload: object };
}

/** How one call goes wrong; `first`: Slack does it all the same, `late`: a while later. */
export type Trouble =
  | { kind: 'cut' | 'status' | 'internal'; commit: 'first' | 'never' | { lateMs: number } }
  | { kind: 'ratelimited'; seconds: number }
  | { kind: 'refused' }
  | { kind: 'error'; error: string };

/** The first calls of a method go wrong like this. */
export function firstCalls(times: number, method: string, trouble: Trouble) {
  let left = times;
  return (called: string) => (called === method && left-- > 0 ? trouble : undefined);
}

/** The clock is set back by three days at most. */
const OUT_OF_ORDER_S = 4 * 24 * 60 * 60;

interface Options {
  now: () => number;
  /** What comes late does so by this one, which is never set back; `now` without. */
  clock?: () => number;
  /** The trouble that the next call of a method meets; `channel` where it names one. */
  trouble?: (method: string, channel: string) => Trouble | undefined;
}

/**
 * A Slack in memory, as far as digests use it: fast enough for years, with the errors that Slack's own client throws.
 * A person's id is a channel that is called D… in answers.
 */
export function createDigestSlack({ now, clock = now, trouble }: Options) {
  const messages: Posted[] = [];
  const byChannel = new Map<string, Posted[]>();
  const late: { at: number; commit: (at: number) => void }[] = [];
  const archived = new Set<string>();
  const revoked = new Set<string>();
  /** By the channel's id, Slack's ids of the organisations that read it; 'not said': Slack leaves that out. */
  const shared = new Map<string, readonly string[] | 'not said'>();
  const calls: Record<string, number> = {};
  const slow: { call?: () => Promise<void> } = {};
  let count = 0;

  const refuse = (error: string) => {
    throw new WebAPIPlatformError({ ok: false, error });
  };
  function settle(): void {
    for (const one of late.filter(({ at }) => at <= clock())) {
      one.commit(now() - (clock() - one.at));
      late.splice(late.indexOf(one), 1);
    }
  }
  function commit(args: Posted): Posted {
    messages.push(args);
    const list = byChannel.get(args.channel) ?? [];
    list.push(args);
    byChannel.set(args.channel, list);
    return args;
  }
  /** Meets the trouble of this call, if any; `work` is what it would have done. */
  function meet<T>(method: string, channel: string, work: (at: number) => T): T {
    calls[method] = (calls[method] ?? 0) + 1;
    settle();
    const met = trouble?.(method, channel);
    if (!met) return work(now());
    if (met.kind === 'ratelimited') throw new WebAPIRateLimitedError(met.seconds);
    if (met.kind === 'error') return refuse(met.error) as never;
    if (met.kind === 'refused') throw new WebAPIRequestError(failedFetch('ECONNREFUSED'));
    const { commit: when } = met;
    if (when === 'first') work(now());
    if (typeof when === 'object')
      late.push({ at: clock() + when.lateMs, commit: (at) => attempt(() => work(at)) });
    if (met.kind === 'status') throw new WebAPIHTTPError(503, 'Service Unavailable', {}, 'busy');
    if (met.kind === 'internal') return refuse('internal_error') as never;
    throw new WebAPIRequestError(failedFetch('ECONNRESET'));
  }
  function postMessage(workspace: string, args: PostArgs): { ok: true; ts: string; channel: string } {
    return meet('chat.postMessage', args.channel, (at) => {
      if (revoked.has(workspace)) refuse('token_revoked');
      if (archived.has(args.channel)) refuse('is_archived');
      count += 1;
      const ts = `${Math.floor(at / 1000)}.${String(count % 1e6).padStart(6, '0')}`;
      const { text, blocks, metadata, thread_ts: thread } = args;
      const channel = args.channel.replace(/^U/, 'D');
      commit({
        ...{ ts, channel, at, text },
        ...(blocks && { blocks }),
        ...(metadata && { metadata }),
        ...(thread !== undefined && { thread }),
      });
      return { ok: true, ts, channel };
    });
  }
  function history(
    workspace: string,
    args: { channel: string; oldest: string; latest: string; limit: number },
  ) {
    return meet('conversations.history', args.channel, () => {
      if (revoked.has(workspace)) refuse('token_revoked');
      const inTime = newest(byChannel.get(args.channel) ?? [], Number(args.oldest)).filter(
        ({ ts, thread }) =>
          thread === undefined && Number(ts) > Number(args.oldest) && Number(ts) < Number(args.latest),
      );
      const page = inTime.toReversed().slice(0, args.limit);
      return { ok: true, messages: page, has_more: page.length < inTime.length };
    });
  }
  const clientFor = (workspace: string) =>
    ({
      chat: {
        postMessage: async (args: PostArgs) => {
          await slow.call?.();
          return postMessage(workspace, args);
        },
      },
      conversations: {
        info: async ({ channel: id }: { channel: string }) =>
          meet('conversations.info', id, () => ({ ok: true, channel: { id } })),
        history: async (args: Parameters<typeof history>[1]) => history(workspace, args),
        open: async ({ users }: { users: string }) => ({
          ok: true,
          channel: { id: users.replace(/^U/, 'D') },
        }),
      },
      files: {
        getUploadURLExternal: async () =>
          meet('files.getUploadURLExternal', '', () => ({
            ok: true,
            upload_url: 'http://up',
            file_id: 'F1',
          })),
        completeUploadExternal: async () => meet('files.completeUploadExternal', '', () => ({ ok: true })),
      },
      users: {
        conversations: async () =>
          meet('users.conversations', '', () => ({
            ok: true,
            channels: [...shared].map(([id, teams]) =>
              teams === 'not said' ? { id } : { id, is_ext_shared: true, shared_team_ids: teams },
            ),
          })),
        list: async () => ({ ok: true, members: [] }),
      },
    }) as unknown as WebClient;
  return { messages, byChannel, archived, revoked, shared, calls, slow, settle, clientFor };
}

/** Those from `oldest` (s) on, and a few before: what comes late has an earlier time than what stands before it. */
function newest(messages: readonly Posted[], oldest: number): readonly Posted[] {
  const isOlder = ({ ts }: Posted) => Number(ts) < oldest - OUT_OF_ORDER_S;
  return messages.slice(messages.findLastIndex(isOlder) + 1);
}

type PostArgs = {
  channel: string;
  text: string;
  blocks?: { type: string }[];
  thread_ts?: string;
  metadata?: Posted['metadata'] & object;
};

function attempt(work: () => unknown): void {
  try {
    work();
  } catch {
    // What comes late may be refused late; nobody hears of it.
  }
}

/** As Node's fetch fails. */
function failedFetch(code: string): Error {
  return new TypeError('fetch failed', { cause: Object.assign(new Error(code), { code }) });
}
