import { EventEmitter } from 'node:events';
import { createRequire, syncBuiltinESMExports } from 'node:module';
import { Readable } from 'node:stream';
import type { Network } from './network.ts';
import { getProcess, runIn } from './virtual-time.ts';

/** Replaces the downloads of files from Slack, for which the app uses Node's own client. */
export function replaceDownloads({
  network,
  download,
}: {
  network: Network;
  download(address: string, token: string): Buffer | undefined;
}): void {
  const https: Record<string, unknown> = createRequire(import.meta.url)('node:https');
  https.get = (
    address: string,
    { headers }: { headers: { authorization: string } },
    onResponse: (response: Readable & { statusCode: number }) => void,
  ) => {
    const process = getProcess();
    let isEnded = false;
    const request = Object.assign(new EventEmitter(), {
      destroy(error: Error) {
        if (isEnded) return;
        isEnded = true;
        runIn(process, () => request.emit('error', error));
      },
    });
    const fate = network.drawFate('slack');
    const lost = () => Object.assign(new Error('the simulated connection broke'), { code: 'ECONNRESET' });
    const answer = network.call('slack', fate, {
      effect: async () => download(address, headers.authorization.replace('Bearer ', '')),
      lose: lost,
    });
    answer.then(
      (bytes) => {
        if (isEnded) return;
        isEnded = true;
        // An odd answer is Slack's page for signing in, or ends early.
        const pieces = bytes ? [fate.isOdd ? bytes.subarray(0, bytes.length / 2) : bytes] : [];
        runIn(process, () =>
          onResponse(Object.assign(Readable.from(pieces), { statusCode: bytes ? 200 : 302 })),
        );
      },
      // The answer of a silent Slack never comes, and the caller's own limit ends the call.
      (error: Error) => {
        if (network.getCondition('slack') !== 'silent') request.destroy(error);
      },
    );
    return request;
  };
  syncBuiltinESMExports();
}
