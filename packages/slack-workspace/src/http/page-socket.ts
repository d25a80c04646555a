import type { WebSocket } from 'ws';
import { act } from '../interactions/act.ts';
import { pageRequestSchema } from '../interactions/page-request-schema.ts';
import { isRecord } from '../json.ts';
import type { ServerMessage } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { buildSnapshot } from './snapshot.ts';

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answerRequest(site: Site, person: string, text: string): Promise<ServerMessage | undefined> {
  const json = parseJson(text);
  const id = isRecord(json) && typeof json.id === 'number' ? json.id : undefined;
  if (id === undefined) return undefined;
  const request = pageRequestSchema.safeParse(json);
  if (!request.success) return { type: 'result', id, ok: false, error: 'invalid_arguments' };
  try {
    const data = await act(site, person, request.data);
    return { type: 'result', id, ok: true, ...(data === undefined ? {} : { data }) };
  } catch (error) {
    if (error instanceof Refusal) return { type: 'result', id, ok: false, error: error.code };
    console.error('could not serve a request of a page:', error);
    return { type: 'result', id, ok: false, error: 'internal_error' };
  }
}

function serialize(message: ServerMessage): string | undefined {
  try {
    return JSON.stringify(message);
  } catch (error) {
    console.error(`could not send a message of type ${message.type} to a page:`, error);
    return undefined;
  }
}

/** Serves an open page: sends a snapshot, the inspector's records and then each change, and answers requests. */
export function servePage(site: Site, socket: WebSocket, person: string): void {
  socket.on('error', () => socket.terminate());
  // A failure here must not affect the person or app that caused the change.
  const send = (message: ServerMessage) => {
    const text = serialize(message);
    if (text !== undefined) socket.send(text, () => undefined);
  };
  send(buildSnapshot(site, person));
  const records = site.apps.flatMap(({ traffic }) => traffic.records);
  for (const record of records.toSorted((one, other) => one.at - other.at)) send({ type: 'traffic', record });
  const leave = site.audience.subscribe(person, send);
  socket.on('close', leave);
  socket.on('message', (text) => {
    answerRequest(site, person, String(text)).then(
      (result) => {
        if (result) send(result);
      },
      (error: unknown) => {
        console.error('could not read a request of a page:', error);
        socket.terminate();
      },
    );
  });
}
