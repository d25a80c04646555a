import { DateTime } from 'luxon';
import { Agent, type Dispatcher } from 'undici';
import { z } from 'zod';
import { CallFailed } from '../../src/api/http/connector.ts';
import type { CreatedPost } from './history.ts';
import type { Network } from './network.ts';
import type { Randomness } from './randomness.ts';
import { getProcess, runIn, runWhileAlive, type VirtualTime } from './virtual-time.ts';

export const SERVICE_URL = 'https://posts.example.com';

/** A workspace's account at the service, with its own token. */
export interface Account {
  workspace: string;
  token: string;
  projects: readonly { id: string; name: string }[];
}

interface StoredPost {
  id: string;
  account: Account;
  project: string;
  body: z.infer<typeof newPost>;
  publishAt: number | undefined;
  status: 'DRAFT' | 'SCHEDULED' | 'PUBLISHED' | 'FAILED' | 'SENT';
}

/** What services do in their own ways, which the contract leaves open. */
export interface ServiceWays {
  /** How a listed post names its platforms and its time: as sent, in lower case, or as one text and without an offset. */
  spelling: 'as-sent' | 'lower-case' | 'text';
  /** What a page of a list holds: up to the limit, ten posts at most, or always the first ten. */
  pages: 'whole' | 'capped' | 'first-only';
  /** Others' posts for every moment. Only a list of one moment shows them, so that what people read stays short. */
  otherPosts: number;
  /** Where it says what became of a post: in its status, or in its log. */
  outcome: 'status' | 'log';
}
const PLAIN_WAYS: ServiceWays = { spelling: 'as-sent', pages: 'whole', otherPosts: 0, outcome: 'status' };
/** A list of posts for at most so long is one of a moment. */
const MOMENT_MS = 5 * 60_000;
const MAX_PAGE = 10;
/** A service is sometimes late, by no more than this. */
const MAX_LATE_MS = 2 * 60 * 60_000;

/** How often it fetches a picture, and the time between. */
const [FETCHES, FETCH_AGAIN_MS] = [6, 10 * 60_000];

const newPost = z.looseObject({
  Content: z.string().optional(),
  ScheduleDate: z.string().optional(),
  Timezone: z.string().optional(),
  Platforms: z.array(z.string()).optional(),
  Status: z.string().optional(),
  Media: z.string().optional(),
});

interface Answer {
  status: number;
  body: string;
  headers?: Record<string, string>;
}
export interface FileAnswer {
  status: number;
  body: Buffer;
}
interface ServiceRequest {
  method: string;
  path: string;
  token: string;
  body: string;
  /** When Upnext sent it, ms since the epoch. */
  sentAt: number;
}

const success = (data: unknown): Answer => ({ status: 200, body: JSON.stringify({ success: true, data }) });
const failure = (status: number, text: string): Answer => ({
  status,
  body: JSON.stringify({ detail: text }),
});

interface ServiceOptions {
  time: VirtualTime;
  randomness: Randomness;
  network: Network;
  accounts: readonly Account[];
  onCreate(post: CreatedPost): void;
  onPublish(post: { workspace: string; content: string; picture?: number | 'missing' | undefined }): void;
  /** Fetches what is at an address. `onAnswer` gets undefined if nothing answers. */
  fetchFile(address: string, onAnswer: (answer: FileAnswer | undefined) => void): void;
}

/** The scheduling service of all workspaces. It publishes each post at its time, or fails to. */
export function createService(options: ServiceOptions) {
  const { time, randomness, network, accounts, onCreate, onPublish, fetchFile } = options;
  let posts: StoredPost[] = [];
  let logs: { project: string; line: object }[] = [];
  let ways = PLAIN_WAYS;
  let lastId = 0;
  let refusedTokens = new Set<string>();

  function create(account: Account, project: string, { body: text, sentAt }: ServiceRequest): Answer {
    const body = newPost.parse(JSON.parse(text));
    const publishAt = body.ScheduleDate === undefined ? undefined : Date.parse(body.ScheduleDate);
    const isDraft = body.Status === 'DRAFT';
    const created = {
      workspace: account.workspace,
      project,
      content: body.Content ?? '',
      platforms: body.Platforms ?? [],
      media: body.Media,
      publishAt,
      isDraft,
      sentAt,
    };
    const isLate = !isDraft && (publishAt === undefined || publishAt <= time.now());
    onCreate({ ...created, isApplied: !isLate });
    if (isLate)
      return {
        status: 422,
        body: JSON.stringify({
          detail: [{ loc: ['body', 'ScheduleDate'], msg: 'must be in the future', type: 'value_error' }],
        }),
      };
    lastId += 1;
    const post: StoredPost = {
      ...{ id: `post_${lastId}`, account, project, body, publishAt },
      status: isDraft ? 'DRAFT' : 'SCHEDULED',
    };
    posts.push(post);
    if (!isDraft && publishAt !== undefined) time.after(publishAt - time.now(), () => publish(post));
    return success(describe(post, ways));
  }
  function publish(post: StoredPost, isLate = randomness.get('publishing').drawBoolean(0.1)): void {
    if (!posts.includes(post)) return;
    const random = randomness.get('publishing');
    const log = (message: string, level: string) =>
      logs.push({
        project: post.project,
        line: {
          Timestamp: new Date(time.now()).toISOString(),
          Level: level,
          PostId: post.id,
          Message: message,
        },
      });
    if (isLate) {
      log('Could not reach the platform', 'error');
      time.after(random.drawInteger(MAX_LATE_MS), () => publish(post, false));
      return;
    }
    const isFailed = random.drawBoolean(0.05);
    const { Media: media } = post.body;
    if (media === undefined) end(post, isFailed, log);
    else fetchPicture(media, (picture) => end(post, isFailed, log, picture));
  }
  function end(
    post: StoredPost,
    isFailed: boolean,
    log: (message: string, level: string) => void,
    picture?: number | 'missing',
  ): void {
    if (isFailed) log('Post failed: the token has expired', 'error');
    if (ways.outcome === 'log') post.status = 'SENT';
    else post.status = isFailed ? 'FAILED' : 'PUBLISHED';
    const { account, body } = post;
    if (!isFailed) onPublish({ workspace: account.workspace, content: body.Content ?? '', picture });
  }
  /** Fetches a picture, and again if that fails. `onEnd` gets undefined if it always does. */
  function fetchPicture(
    address: string,
    onEnd: (picture: number | 'missing' | undefined) => void,
    tries = FETCHES,
  ): void {
    fetchFile(address, (answer) => {
      if (answer?.status === 404) return onEnd('missing');
      // The width of a PNG.
      if (answer?.status === 200 && answer.body.length > 24) return onEnd(answer.body.readUInt32BE(16));
      if (tries <= 1) return onEnd(undefined);
      time.after(FETCH_AGAIN_MS, () => fetchPicture(address, onEnd, tries - 1));
    });
  }
  function list(account: Account, project: string, query: URLSearchParams): Answer {
    const bound = (name: string, fallback: number) =>
      query.has(name) ? Date.parse(query.get(name) ?? '') : fallback;
    const from = bound('schedule_date_from', Number.NEGATIVE_INFINITY);
    const to = bound('schedule_date_to', Number.POSITIVE_INFINITY);
    const isBounded = query.has('schedule_date_from') || query.has('schedule_date_to');
    const [statuses, platforms] = [query.getAll('status'), query.getAll('platforms')];
    const matching = posts.filter(
      (post) =>
        post.account === account &&
        post.project === project &&
        (post.publishAt === undefined ? !isBounded : post.publishAt >= from && post.publishAt <= to) &&
        (statuses.length === 0 || statuses.includes(post.status)) &&
        (platforms.length === 0 || platforms.some((platform) => post.body.Platforms?.includes(platform))),
    );
    const others = isBounded && to - from <= MOMENT_MS ? ways.otherPosts : 0;
    const listed = [
      ...Array.from({ length: others }, (_, index) => ({
        ...{ Id: `other_${index}`, Content: `News of others ${index}`, Status: statuses[0] ?? 'SCHEDULED' },
        ...{ ScheduleDate: new Date((from + to) / 2).toISOString(), Platforms: ['X'] },
      })),
      ...matching.map((post) => describe(post, ways)),
    ];
    const limit = Number(query.get('limit') ?? 100);
    const skip = ways.pages === 'first-only' ? 0 : Number(query.get('skip') ?? 0);
    return success(listed.slice(skip, skip + (ways.pages === 'whole' ? limit : Math.min(limit, MAX_PAGE))));
  }
  function answer(request: ServiceRequest): Answer {
    const { method, path, token } = request;
    const account = accounts.find((candidate) => candidate.token === token);
    if (!account || refusedTokens.has(token)) return failure(401, 'invalid token');
    const { pathname, searchParams } = new URL(path, SERVICE_URL);
    if (pathname === '/api/v1/projects')
      return success(account.projects.map(({ id, name }) => ({ Id: id, Name: name })));
    const [, project = '', rest = ''] = /^\/api\/v1\/projects\/([^/]+)\/(.+)$/.exec(pathname) ?? [];
    if (!account.projects.some(({ id }) => id === project)) return failure(404, 'no such project');
    if (rest === 'posts')
      return method === 'POST' ? create(account, project, request) : list(account, project, searchParams);
    if (rest === 'dashboard/upnext-post') {
      const next = posts
        .filter((post) => post.account === account && post.project === project && post.status === 'SCHEDULED')
        .sort((a, b) => (a.publishAt ?? 0) - (b.publishAt ?? 0));
      return success(next[0] ? describe(next[0], ways) : null);
    }
    if (rest === 'logs')
      return success(logs.filter((entry) => entry.project === project).map(({ line }) => line));
    if (method === 'GET') return success([]);
    return success({ Id: `made_${time.now()}` });
  }
  /** Answers as services and the proxies before them do. Whether the request was carried out isn't certain from these. */
  function answerOddly(request: ServiceRequest): Answer {
    const random = randomness.get('odd answers');
    const isRead = request.method === 'GET';
    const kind = random.pick([
      ...(['refuse', 'invalid', 'busy', 'error', 'garbage', 'failure', 'token', 'success'] as const),
      // Few requests create something, and this answer is easily taken for a refusal.
      ...(isRead ? [] : (['conflict', 'conflict'] as const)),
    ]);
    switch (kind) {
      case 'refuse':
        return {
          status: random.pick([400, 403, 404, 409, 413]),
          body: JSON.stringify({ detail: 'refused' }),
        };
      case 'conflict': {
        // A proxy sends a request twice, and passes on the second answer.
        const done = answer(request);
        if (done.status !== 200) return done;
        const says = { detail: 'There is already a post like this' };
        return {
          status: random.pick([400, 402, 409]),
          body: random.drawBoolean(0.5) ? JSON.stringify(says) : done.body.replace('true', 'false'),
        };
      }
      case 'invalid':
        return {
          status: 422,
          body: JSON.stringify({
            detail: [
              {
                loc: ['body', random.pick(['Content', 'Platforms', 'Other'])],
                msg: 'not good',
                type: 'value_error',
              },
            ],
          }),
        };
      case 'busy':
        return {
          ...failure(429, 'slow down'),
          headers: { 'retry-after': random.pick(['1', '30', '600', '-1', 'Fri, 31 Dec 1999 23:59:59 GMT']) },
        };
      case 'token':
        return failure(401, 'expired');
      case 'error':
        if (!isRead && random.drawBoolean(0.5)) answer(request);
        return { status: random.pick([500, 502, 503, 504]), body: '<html>Bad gateway</html>' };
      case 'garbage':
        if (!isRead && random.drawBoolean(0.5)) answer(request);
        return { status: 200, body: random.pick(['', '{"success":tr', '<html>Hello</html>', 'null']) };
      case 'failure':
        return { status: 200, body: JSON.stringify({ success: false }) };
      case 'success': {
        const { body } = answer(request);
        return random.drawBoolean(0.5)
          ? { status: 201, body }
          : { status: 200, body: JSON.stringify({ success: true, data: null }) };
      }
    }
  }
  function dispatch(request: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const process = getProcess();
    let isEnded = false;
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return isEnded;
      },
      paused: false,
      reason: null,
      pause: () => undefined,
      resume: () => undefined,
      abort: (reason) => fail(reason),
    };
    function fail(reason: Error): void {
      if (isEnded) return;
      isEnded = true;
      handler.onResponseError?.(controller, reason);
    }
    const fate = network.drawFate('service', request.method === 'GET');
    const lost = () => Object.assign(new Error('the simulated connection broke'), { code: 'UND_ERR_SOCKET' });
    if (fate.isRefused) {
      const refusal = () => new CallFailed({ kind: 'not-applied', cause: 'connection-refused' });
      network.call('service', fate, { effect: async () => undefined, lose: refusal }).catch(fail);
      return true;
    }
    const headers = new Headers(request.headers as Record<string, string>);
    const token = (headers.get('authorization') ?? '').replace('Bearer ', '');
    const received = {
      ...{ method: request.method, path: request.path, token },
      body: Buffer.isBuffer(request.body) ? request.body.toString() : '',
      sentAt: time.now(),
    };
    const send = async () => {
      // Connecting takes a while, and only then the app decides whether it still sends.
      await network.wait(1 + randomness.get('connecting').drawInteger(60));
      await new Promise<void>((resolve) => runWhileAlive(process, resolve));
      if (isEnded) return;
      runIn(process, () => handler.onRequestStart?.(controller, {}));
      if (controller.aborted) return;
      const result = await runIn(process, () =>
        network.call('service', fate, {
          effect: async () => {
            if (fate.isBusy) return { ...failure(429, 'slow down'), headers: { 'retry-after': '60' } };
            return fate.isOdd ? answerOddly(received) : answer(received);
          },
          lose: lost,
        }),
      );
      if (isEnded) return;
      handler.onResponseStart?.(controller, result.status, result.headers ?? {}, '');
      handler.onResponseData?.(controller, Buffer.from(result.body));
      isEnded = true;
      handler.onResponseEnd?.(controller, {});
    };
    // The answer of a silent service never comes, and the caller's own limit ends the call.
    send().catch((error: unknown) => {
      if (network.getCondition('service') !== 'silent') fail(error instanceof Error ? error : lost());
    });
    return true;
  }
  Agent.prototype.dispatch = dispatch;
  return {
    /** Refuses a token, or accepts it again. */
    setTokenRefused(token: string, isRefused: boolean) {
      if (isRefused) refusedTokens.add(token);
      else refusedTokens.delete(token);
    },
    /** Begins with an empty service that has these ways. */
    reset(newWays = PLAIN_WAYS) {
      ways = newWays;
      posts = [];
      logs = [];
      lastId = 0;
      refusedTokens = new Set();
    },
  };
}

/** A post as the service lists it. */
function describe({ id, body, status }: StoredPost, { spelling }: ServiceWays): object {
  const { Platforms: platforms = [], ScheduleDate: date, Timezone: zone } = body;
  const post = { ...body, Id: id, Status: status };
  if (spelling === 'as-sent') return post;
  const names = platforms.map((name) => name.toLowerCase());
  if (spelling === 'lower-case') return { ...post, Status: status.toLowerCase(), Platforms: names };
  const wallTime =
    date === undefined || zone === undefined
      ? date
      : DateTime.fromISO(date, { zone }).toFormat("yyyy-MM-dd'T'HH:mm:ss");
  return { ...post, Platforms: names.join(', '), ScheduleDate: wallTime };
}
