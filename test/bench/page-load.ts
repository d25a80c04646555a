import { once } from 'node:events';
import { WebSocket } from 'ws';

/** One open page of the practice workspace, which does nothing but send commands. */
export interface PageLoad {
  /** `together` at a time for `ms`; how long each took (ms) until the app had acknowledged it, and how many failed. */
  sendCommands(options: { together: number; ms: number }): Promise<{ times: number[]; failed: number }>;
  close(): void;
}

interface Said {
  type: string;
  id?: number;
  channels?: { id: string }[];
}

export async function openPageLoad(url: string): Promise<PageLoad> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/page/live`, { headers: { origin: url } });
  const waiting = new Map<number, () => void>();
  const snapshot = Promise.withResolvers<string>();
  let notices = 0;
  let sent = 0;
  socket.on('message', (data) => {
    const said = JSON.parse(String(data)) as Said;
    if (said.type === 'snapshot') snapshot.resolve(said.channels?.[0]?.id ?? '');
    if (said.type === 'notice') notices++;
    if (said.type === 'result' && said.id !== undefined) waiting.get(said.id)?.();
  });
  await once(socket, 'open');
  const channel = await snapshot.promise;
  const command = (): Promise<void> =>
    new Promise((resolve) => {
      const id = ++sent;
      waiting.set(id, () => {
        waiting.delete(id);
        resolve();
      });
      socket.send(JSON.stringify({ id, act: 'command', channel, text: `/bench ${id}` }));
    });
  return {
    async sendCommands({ together, ms }) {
      const times: number[] = [];
      const before = notices;
      const until = performance.now() + ms;
      const one = async () => {
        while (performance.now() < until) {
          const begun = performance.now();
          await command();
          times.push(performance.now() - begun);
        }
      };
      await Promise.all(Array.from({ length: together }, one));
      return { times, failed: notices - before };
    },
    close: () => socket.close(),
  };
}
