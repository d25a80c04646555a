import type { IncomingMessage, ServerResponse } from 'node:http';
import { respond } from '../interactions/respond.ts';
import type { Json } from '../json.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { useResponseUrl } from '../state/response-urls.ts';
import { answer, answerJson } from './answer.ts';
import { readBody } from './read-body.ts';

/** Where the address itself is not, or no longer, good. */
const GONE = new Set(['invalid_url', 'used_url', 'expired_url']);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal('invalid_payload');
  }
}

/** `POST /response/<secret>`: an app's answer to a command or a press. */
export async function serveResponseUrl(
  site: Site,
  request: IncomingMessage,
  response: ServerResponse,
  secret: string,
): Promise<void> {
  const body = await readBody(request);
  try {
    const to = useResponseUrl(site, secret);
    respond(site, to, parsed(body));
    answer(response, 200, 'ok');
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const said: Json = { ok: false, error: error.code, ...error.details };
    answerJson(response, GONE.has(error.code) ? 404 : 400, said);
  }
}
