import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Kysely } from 'kysely';
import { within } from '../promises.ts';
import type { Actor } from '../slack/actor.ts';
import type { Log } from '../slack/log.ts';
import type { Slot } from '../slots.ts';
import { type StrangerQueries, TooManyQueries } from '../stranger-queries.ts';
import { type Answer, sendAnswer, toAnswer } from './answer.ts';
import { createFeedCache } from './feed/feed-cache.ts';
import { answerUnavailable, renderGone } from './layout.ts';
import { createLinkLimit } from './link-limit.ts';
import {
  createLink,
  endLink,
  endLinks,
  findLink,
  type Link,
  type LinkKind,
  listLinks,
  type PersonLinks,
  type WebTables,
} from './links.ts';
import type { Look } from './look.ts';
import { createPeople } from './people.ts';
import { ROUTES } from './routes.ts';
import { loadAssets } from './style.ts';

/**
 * Pages outside of Slack, each behind a personal link: what somebody may see there, and nothing that changes something.
 * They are rendered here, without scripts, and load nothing from other sites.
 */

const WEB_PATH = '/w/';

interface WebOptions {
  db: Kysely<WebTables>;
  now(): Date;
  log: Log;
  /** The address under which everybody reaches this app. Without it there are no pages. */
  publicUrl: string | undefined;
  /** Runs the queries of all strangers, together with those for files. */
  queryForStranger: StrangerQueries;
  /**
   * Looks up what a person may see now, as for a press that only reads. `refused`: certainly nothing. `unknown`:
   * it couldn't be found out.
   */
  look(actor: Actor): Promise<Look | 'refused' | 'unknown'>;
}

export type Web = ReturnType<typeof createWeb>;
export type { PersonLinks, WebTables };

export function createWeb(options: WebOptions) {
  const { publicUrl } = options;
  const base = publicUrl === undefined ? undefined : `${publicUrl.replace(/\/$/, '')}${WEB_PATH}`;
  return {
    /** Creates a link of a person, and returns its address. Undefined without a public address. */
    async createLink(actor: Actor, kind: LinkKind): Promise<string | undefined> {
      return base === undefined ? undefined : `${base}${await createLink(options, actor, kind)}/`;
    },
    hasPages: base !== undefined,
    endLinks: (actor: Actor) => endLinks(options, actor),
    listLinks: (workspace: string, limit: number) => listLinks(options, workspace, limit),
    ...(base !== undefined && { serve: createServe(options, base) }),
  };
}

/** A request waits this long for its turn, so that its answer comes while its reader still looks. */
const MAX_WAIT_MS = 5_000;
/**
 * How long a page reads from the service, and then shows what it has, and how long it takes in all. Both and the wait are
 * shorter than the server keeps a connection without an answer.
 */
const MAX_READ_MS = 8_000;
const MAX_PAGE_MS = 15_000;

/** Whether a page got its turn soon enough, and its reader is still there. */
async function getsTurn(page: Slot, response: ServerResponse): Promise<boolean> {
  const left = new AbortController();
  response.once('close', () => left.abort());
  try {
    await page.acquire(AbortSignal.any([left.signal, AbortSignal.timeout(MAX_WAIT_MS)]));
    return true;
  } catch {
    return false;
  }
}

/** Creates the listener. `base`: the address of all pages. It never logs a path, which has the secret of a link. */
function createServe(options: WebOptions, base: string) {
  const { log, queryForStranger } = options;
  const assets = loadAssets(new URL(base).pathname);
  const limit = createLinkLimit();
  const people = createPeople();
  const feeds = createFeedCache();
  const gone = toAnswer(renderGone(assets), 404);
  const unavailable = answerUnavailable(assets);
  async function answerLink(
    request: IncomingMessage,
    link: Link,
    { token, rest, search }: { token: string; rest: string; search: string },
  ) {
    const route = ROUTES.find((each) => each.kinds.includes(link.kind) && each.path.test(rest));
    if (!route) return gone;
    const startedAt = performance.now();
    const look = await options.look({ workspace: link.workspace, user: link.person });
    if (look === 'unknown') return unavailable;
    if (look === 'refused') {
      // The same answer at the same time as for an unknown link.
      endLink(options, link).catch((err: unknown) =>
        log.warn({ err, link: link.id }, 'could not end a link'),
      );
      return gone;
    }
    const parameters = new URLSearchParams(search);
    const leftMs = () => startedAt + MAX_READ_MS - performance.now();
    return (
      (await route.answer({
        look: { ...look, leftMs },
        link,
        address: `${base}${token}/`,
        assets,
        people,
        feeds,
        rest,
        parameters,
        headers: request.headers,
      })) ?? gone
    );
  }
  async function findAnswer(request: IncomingMessage, response: ServerResponse): Promise<Answer> {
    const { method, url = '' } = request;
    if (method !== 'GET' && method !== 'HEAD')
      return { status: 405, body: '', headers: { allow: 'GET, HEAD' } };
    const [path = '', search = ''] = url.slice(WEB_PATH.length).split('?');
    const file = assets.files.get(path);
    if (file) return file;
    const [token = '', rest] = path.split(/\/(.*)/s);
    const link =
      rest === undefined ? undefined : await queryForStranger(request, () => findLink(options, token));
    if (!link || rest === undefined) return gone;
    const page = limit.enter(link);
    if (!page) return { ...unavailable, status: 429 };
    try {
      if (!(await getsTurn(page, response))) return unavailable;
      return await within(MAX_PAGE_MS, answerLink(request, link, { token, rest, search }), unavailable);
    } catch (err) {
      log.warn({ err, link: link.id }, 'could not serve a page');
      return unavailable;
    } finally {
      page.release();
    }
  }
  return async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    try {
      sendAnswer(response, await findAnswer(request, response));
    } catch (err) {
      if (!(err instanceof TooManyQueries)) log.warn({ err }, 'could not look up a link');
      sendAnswer(response, unavailable);
    }
  };
}
