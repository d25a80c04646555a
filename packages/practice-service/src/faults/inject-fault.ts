import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { getOwn } from '../contract/narrowing.ts';
import type { Commit, FaultRule } from './fault-plan.ts';
import { type GarbledAnswer, garbleAnswer } from './garbage.ts';
import type { LateWork } from './late-work.ts';

interface FaultyCall {
  rule: FaultRule;
  request: Request;
  /** The raw response, for answers that a Response can't express. */
  outgoing: ServerResponse;
  /** Executes the request. */
  carryOut: (request: Request) => Promise<Response>;
  lateWork: LateWork;
}

const BYTE_MS = 1_000;

/** Answers a request with a fault. */
export async function injectFault(faulty: FaultyCall): Promise<Response> {
  const { rule, request, outgoing, carryOut } = faulty;
  if (rule.delayMs !== undefined) await waitUnlessDisconnected(outgoing, rule.delayMs);
  switch (rule.fault) {
    case 'slow':
      return carryOut(request);
    case 'cut':
      await work(faulty, rule.commit);
      return cut(outgoing);
    case 'hang':
      await work(faulty, rule.commit);
      if (!outgoing.closed) await once(outgoing, 'close');
      return RESPONSE_ALREADY_SENT;
    case 'status':
      await work(faulty, rule.commit ?? 'never');
      return buildRefusal(rule);
    case 'garbage': {
      const answer = await work(faulty, rule.commit ?? 'first');
      const data = getOwn(await answer?.json(), 'data') ?? null;
      return send(outgoing, {
        ...garbleAnswer(rule.garbage, data),
        ...(rule.status && { status: rule.status }),
      });
    }
    case 'slow-bytes':
      return sendSlowly(outgoing, await carryOut(request), rule.byteMs ?? BYTE_MS);
  }
}

/** Executes the request now, later or never. In each case the whole body has been read. */
async function work(
  { request, carryOut, lateWork }: FaultyCall,
  commit: Commit,
): Promise<Response | undefined> {
  if (commit === 'first') return carryOut(request);
  const { url, method, headers } = request;
  const body = await request.arrayBuffer();
  if (commit === 'never') return undefined;
  const again = new Request(url, { method, headers, ...(body.byteLength > 0 && { body }) });
  lateWork.after(commit.lateMs, () => carryOut(again));
  return undefined;
}

/** Waits, at most until the client disconnects. */
async function waitUnlessDisconnected(outgoing: ServerResponse, ms: number): Promise<void> {
  const left = new AbortController();
  const leave = () => left.abort();
  outgoing.once('close', leave);
  await delay(ms, undefined, { signal: left.signal }).catch(() => undefined);
  outgoing.off('close', leave);
}

function cut(outgoing: ServerResponse): Response {
  outgoing.socket?.resetAndDestroy();
  return RESPONSE_ALREADY_SENT;
}

const DETAILS: Readonly<Record<number, unknown>> = {
  401: 'Not authenticated',
  403: 'Not allowed',
  422: [
    { loc: ['body', 'Content'], msg: 'The practice service refuses everything now', type: 'value_error' },
  ],
  429: 'Too many requests',
};

function buildRefusal(rule: FaultRule & { fault: 'status' }): Response {
  const { status, retryAfter, location } = rule;
  const detail = rule.detail ?? DETAILS[status] ?? 'The practice service fails now, as it was told to';
  const headers = {
    ...(status === 401 && { 'WWW-Authenticate': 'Bearer' }),
    ...(retryAfter !== undefined && { 'Retry-After': String(retryAfter) }),
    ...(location !== undefined && { Location: location }),
  };
  return status === 304
    ? new Response(null, { status, headers })
    : Response.json({ detail }, { status, headers });
}

/** Sends an answer as it is, even with a wrong length, and closes the connection. */
function send(outgoing: ServerResponse, { status, type, body, length }: GarbledAnswer): Response {
  if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  outgoing.writeHead(status, {
    'Content-Type': type,
    ...(status !== 204 && { 'Content-Length': length ?? Buffer.byteLength(body) }),
    Connection: 'close',
  });
  outgoing.end(body);
  return RESPONSE_ALREADY_SENT;
}

async function sendSlowly(outgoing: ServerResponse, answer: Response, byteMs: number): Promise<Response> {
  const bytes = Buffer.from(await answer.arrayBuffer());
  if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
  outgoing.writeHead(answer.status, {
    ...Object.fromEntries(answer.headers),
    'Content-Length': bytes.length,
  });
  outgoing.flushHeaders();
  for (const byte of bytes) {
    await waitUnlessDisconnected(outgoing, byteMs);
    if (outgoing.destroyed) return RESPONSE_ALREADY_SENT;
    outgoing.write(Buffer.of(byte));
  }
  outgoing.end();
  return RESPONSE_ALREADY_SENT;
}
