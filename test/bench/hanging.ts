import { createApiClient } from '../../src/api/client.ts';
import { PACE } from '../../src/submissions/pace.ts';
import { postAt, postingMachine, sendPost } from '../support/posting.ts';
import { startPracticeService } from '../support/practice-service.ts';
import { firstProject } from './submissions/first-project.ts';
import { openBenchDatabase, percentile } from './submissions/open-bench-database.ts';

/**
 * A hundred people submit at once while the service accepts requests but never answers. All waits are the usual ones.
 */
const PEOPLE = 100;
const WAVES = 5;

export async function hanging(): Promise<void> {
  const service = await startPracticeService();
  const { db, close } = await openBenchDatabase();
  const api = createApiClient({ baseUrl: service.url, token: service.token });
  let commitTimes: number[] = [];
  let startedAt = 0;
  const pace = {
    ...PACE,
    onCrashPoint: (point: string) =>
      void (point === 'after-row' && commitTimes.push(performance.now() - startedAt)),
  };
  const project = await firstProject(api);
  const machine = postingMachine({ db, api, pace });
  machine.start();
  await sendPost(machine, postAt('the first, before the fault', 0, project));
  await service.faults.set({ rules: [{ fault: 'hang', commit: 'never' }] });
  console.log(
    '  100 at once            row p99   ack p50   ack p99   ack max   (ms; limits: row < 400, ack < 2,500)',
  );
  const waves: Promise<void>[] = [];
  for (let wave = 0; wave < WAVES; wave += 1) {
    const isOpen = !machine.context.getBreaker({ workspace: 'T1', address: api.address }, 'reads').isClosed();
    commitTimes = [];
    startedAt = performance.now();
    const ackTimes: number[] = [];
    const submissions = Array.from({ length: PEOPLE }, (_, person) =>
      sendPost(machine, postAt(`wave ${wave}, person ${person}`, 1 + wave * PEOPLE + person, project), {
        onShown: (line) => void (line.startsWith('ack') && ackTimes.push(performance.now() - startedAt)),
      }),
    );
    const done = Promise.all(submissions);
    waves.push(done.then(() => undefined));
    while (ackTimes.length < PEOPLE) await new Promise((resolve) => setTimeout(resolve, 20));
    const figures = [
      percentile(commitTimes, 0.99),
      percentile(ackTimes, 0.5),
      percentile(ackTimes, 0.99),
      percentile(ackTimes, 1),
    ];
    const name = isOpen ? 'breaker open (< 1,000)' : 'breaker closed';
    console.log(`  ${name.padEnd(22)} ${figures.map((ms) => ms.toFixed(0).padStart(8)).join('  ')}`);
    // The first wave has to fail before the circuit breaker can open.
    if (wave === 0) await done;
  }
  await service.faults.clear();
  await Promise.all(waves);
  await machine.stop();
  await api.close();
  await close();
  await service.close();
}
