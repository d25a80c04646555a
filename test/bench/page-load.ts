import { once } from 'node:events';
import { WebSocket } from 'ws';

/** An open page of the practice workspace, which only sends commands. */
export interface PageLoad {
  /** Sends `concurrency` commands at a time for `ms`. `times` has the time until each acknowledgement (ms). */
  sendCommands(options: { concurrency: number; ms: number }): Promise<{ times: number[]; failed: number }>;
  close(): void;
}

interface PageMessage {
  type: string;
  id?: number;
  channels?: { id: string }[];
}

export async function openPageLoad(url: string): Promise<PageLoad> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/page/live`, { headers: { origin: url } });
  const waiting = new Map<number, () => void>();
  const snapshot = Promise.withResolvers<string>();
  let noticeCount = 0;
  let commandCount = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as PageMessage;
    if (message.type === 'snapshot') snapshot.resolve(message.channels?.[0]?.id ?? '');
    if (message.type === 'notice') noticeCount++;
    if (message.type === 'result' && message.id !== undefined) waiting.get(message.id)?.();
  });
  await once(socket, 'open');
  const channel = await snapshot.promise;
  const sendCommand = (): Promise<void> =>
    new Promise((resolve) => {
      const id = ++commandCount;
      waiting.set(id, () => {
        waiting.delete(id);
        resolve();
      });
      socket.send(JSON.stringify({ id, act: 'command', channel, text: `/bench ${id}` }));
    });
  return {
    async sendCommands({ concurrency, ms }) {
      const times: number[] = [];
      const before = noticeCount;
      const until = performance.now() + ms;
      const sendInTurn = async () => {
        while (performance.now() < until) {
          const startedAt = performance.now();
          await sendCommand();
          times.push(performance.now() - startedAt);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, sendInTurn));
      return { times, failed: noticeCount - before };
    },
    close: () => socket.close(),
  };
}
