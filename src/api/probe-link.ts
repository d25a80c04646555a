import { LRUCache } from 'lru-cache';
import { Agent, type Dispatcher, request } from 'undici';
import { MINUTE_MS } from '../durations.ts';
import { createSlots } from '../slots.ts';
import { type AddressGuard, createConnector } from './http/connector.ts';

/**
 * What a link leads to, as far as it can be seen from here. The service alone decides, and may see something else.
 * `page`: an HTML page. `unknown`: something without a clear type.
 */
export type LinkTarget = 'media' | 'page' | 'other' | 'missing' | 'not-public' | 'unreachable' | 'unknown';

/** Asks for a person of this workspace. */
export type ProbeLink = (address: string, workspace: string) => Promise<LinkTarget>;

const [MAX_CONNECT_MS, MAX_HEAD_MS, MAX_GET_MS] = [1_500, 2_000, 4_000];
const MAX_REDIRECTS = 3;
/** Probes at the same time, and for people of the same workspace, so that one with slow links delays no other. */
const PROBES = { maxSlots: 20, maxSlotsPerKey: 5 };
/** A probe that waits longer for its turn ends as `unknown`. People wait no longer for it. */
const MAX_WAIT_MS = 2_000;
/** How long a result is cached, because each change of the form asks again. */
const CACHE_MS = MINUTE_MS;

/**
 * Creates a function that asks where a link leads: with HEAD, or else with GET for the first bytes. Connections go only to
 * public addresses, also after redirects. No cookie and no token is sent, and no content is read.
 */
export function createLinkProbe(guard: AddressGuard = { allowPrivate: false }): ProbeLink {
  const agent = new Agent({
    connect: createConnector(MAX_CONNECT_MS, (read) => setImmediate(read), guard),
    headersTimeout: MAX_GET_MS,
    pipelining: 0,
  });
  const cache = new LRUCache<string, Promise<LinkTarget>>({ max: 500, ttl: CACHE_MS });
  const createSlot = createSlots(PROBES);
  const probeInTurn = async (address: string, workspace: string): Promise<LinkTarget> => {
    const slot = createSlot(workspace);
    try {
      await slot.acquire(AbortSignal.timeout(MAX_WAIT_MS));
    } catch {
      slot.release();
      cache.delete(address);
      return 'unknown';
    }
    try {
      return await probe(agent, address);
    } catch {
      return 'unreachable';
    } finally {
      slot.release();
    }
  };
  return (address, workspace) => {
    const cached = cache.get(address);
    if (cached) return cached;
    const probing = probeInTurn(address, workspace);
    cache.set(address, probing);
    return probing;
  };
}

async function probe(dispatcher: Dispatcher, address: string): Promise<LinkTarget> {
  // Some servers don't answer HEAD, or answer it with another type or status than GET.
  const head = await ask(dispatcher, address, 'HEAD', AbortSignal.timeout(MAX_HEAD_MS)).catch(
    () => undefined,
  );
  return head === 'media' ? head : ask(dispatcher, address, 'GET', AbortSignal.timeout(MAX_GET_MS));
}

async function ask(
  dispatcher: Dispatcher,
  address: string,
  method: 'HEAD' | 'GET',
  signal: AbortSignal,
): Promise<LinkTarget> {
  let target = address;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const { statusCode, headers, body } = await request(target, {
      ...{ dispatcher, method, signal },
      ...(method === 'GET' && { headers: { range: 'bytes=0-1023' } }),
    });
    // Only the head of the response counts.
    body.on('error', () => {});
    body.destroy();
    const { location } = headers;
    if (statusCode < 300 || statusCode >= 400 || typeof location !== 'string')
      return classify(statusCode, String(headers['content-type'] ?? ''));
    const next = URL.parse(location, target);
    if (!next || !/^https?:$/.test(next.protocol)) return 'unknown';
    target = next.href;
  }
  return 'unknown';
}

function classify(status: number, contentType: string): LinkTarget {
  if (status === 401 || status === 403 || status === 407) return 'not-public';
  if (status === 404 || status === 410) return 'missing';
  if (status >= 400) return 'unknown';
  if (/^(?:image|video)\//i.test(contentType)) return 'media';
  if (/^(?:text\/html|application\/xhtml)/i.test(contentType)) return 'page';
  return contentType === '' || /octet-stream|binary/i.test(contentType) ? 'unknown' : 'other';
}
