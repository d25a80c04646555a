import type { WebSocket } from 'ws';
import { act } from '../interactions/act.ts';
import { pageRequest } from '../interactions/page-request.ts';
import { isRecord } from '../json.ts';
import type { ServerMessage } from '../protocol.ts';
import { Refusal } from '../refusal.ts';
import type { Site } from '../site.ts';
import { snapshot } from './snapshot.ts';

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

async function answerRequest(site: Site, person: string, text: string): Promise<ServerMessage | undefined> {
  const json = parsed(text);
  const id = isRecord(json) && typeof json.id === 'number' ? json.id : undefined;
  if (id === undefined) return undefined;
  const request = pageRequest.safeParse(json);
  if (!request.success) return { type: 'result', id, ok: false, error: 'invalid_arguments' };
  try {
    const data = await act(site, person, request.data);
    return { type: 'result', id, ok: true, ...(data === undefined ? {} : { data }) };
  } catch (error) {
    if (error instanceof Refusal) return { type: 'result', id, ok: false, error: error.code };
    console.error('The workspace failed at what a page asked:', error);
    return { type: 'result', id, ok: false, error: 'internal_error' };
  }
}

/** One open page: a snapshot, what the inspector can look back at, then every change; requests are answered. */
export function servePage(site: Site, socket: WebSocket, person: string): void {
  const send = (message: ServerMessage) => socket.send(JSON.stringify(message));
  send(snapshot(site, person));
  for (const request of site.courier.records) send({ type: 'request', request });
  const leave = site.audience.join(person, send);
  socket.on('close', leave);
  socket.on('error', () => socket.terminate());
  socket.on('message', (text) => {
    void answerRequest(site, person, String(text)).then((result) => {
      if (result) send(result);
    });
  });
}
