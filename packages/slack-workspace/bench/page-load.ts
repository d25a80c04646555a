import { once } from 'node:events';
import { WebSocket } from 'ws';

/** An open page of the practice workspace, which only sends commands. */
export interface PageLoad {
  /** Sends `concurrency` commands at a time for `durationMs`. `times` are the times until the acknowledgements (ms). */
  sendCommands(options: {
    concurrency: number;
    durationMs: number;
  }): Promise<{ times: number[]; failedCount: number }>;
  close(): void;
}

interface PageMessage {
  type: string;
  id?: number;
  channels?: { id: string }[];
}

export async function openPageLoad(url: string): Promise<PageLoad> {
  const socket = new WebSocket(`${url.replace('http', 'ws')}/page/live`, { headers: { origin: url } });
  const pendingCommands = new Map<number, () => void>();
  const snapshot = Promise.withResolvers<string>();
  let noticeCount = 0;
  let commandCount = 0;
  socket.on('message', (data) => {
    const message = JSON.parse(String(data)) as PageMessage;
    if (message.type === 'snapshot') snapshot.resolve(message.channels?.[0]?.id ?? '');
    if (message.type === 'notice') noticeCount++;
    if (message.type === 'result' && message.id !== undefined) pendingCommands.get(message.id)?.();
  });
  await once(socket, 'open');
  const channel = await snapshot.promise;
  const sendCommand = (): Promise<void> =>
    new Promise((resolve) => {
      const id = ++commandCount;
      pendingCommands.set(id, () => {
        pendingCommands.delete(id);
        resolve();
      });
      socket.send(JSON.stringify({ id, act: 'command', channel, text: `/bench ${id}` }));
    });
  return {
    async sendCommands({ concurrency, durationMs }) {
      const times: number[] = [];
      const noticesBefore = noticeCount;
      const endsAt = performance.now() + durationMs;
      const sendRepeatedly = async () => {
        while (performance.now() < endsAt) {
          const startedAt = performance.now();
          await sendCommand();
          times.push(performance.now() - startedAt);
        }
      };
      await Promise.all(Array.from({ length: concurrency }, sendRepeatedly));
      return { times, failedCount: noticeCount - noticesBefore };
    },
    close: () => socket.close(),
  };
}
