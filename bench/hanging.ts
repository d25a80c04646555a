import { createApiClient } from '../src/api/client.ts';
import { PACE } from '../src/submissions/pace.ts';
import { createPostAt, createPostSubmissions, sendPost } from '../test/support/post-submissions.ts';
import { startPracticeService } from '../test/support/practice-service.ts';
import { findFirstProjectId } from './submissions/first-project.ts';
import { computePercentile, openBenchDatabase } from './submissions/open-bench-database.ts';

/**
 * A hundred people submit at once while the service accepts requests but never answers. No wait is shortened.
 */
const PERSON_COUNT = 100;
const WAVE_COUNT = 5;

export async function measureHangingService(): Promise<void> {
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
  const project = await findFirstProjectId(api);
  const submissions = createPostSubmissions({ db, api, pace });
  submissions.start();
  await sendPost(submissions, createPostAt('the first, before the fault', 0, project));
  await service.faults.set({ rules: [{ fault: 'hang', commit: 'never' }] });
  console.log(
    '  100 at once            row p99   ack p50   ack p99   ack max   (ms; limits: row < 400, ack < 2,500)',
  );
  const waves: Promise<void>[] = [];
  for (let wave = 0; wave < WAVE_COUNT; wave += 1) {
    const isOpen = !submissions.context
      .getBreaker({ workspace: 'T1', address: api.address }, 'reads')
      .isClosed();
    commitTimes = [];
    startedAt = performance.now();
    const ackTimes: number[] = [];
    const pendingSends = Array.from({ length: PERSON_COUNT }, (_, person) =>
      sendPost(
        submissions,
        createPostAt(`wave ${wave}, person ${person}`, 1 + wave * PERSON_COUNT + person, project),
        {
          onShown: (line) => void (line.startsWith('ack') && ackTimes.push(performance.now() - startedAt)),
        },
      ),
    );
    const waveEnd = Promise.all(pendingSends);
    waves.push(waveEnd.then(() => undefined));
    while (ackTimes.length < PERSON_COUNT) await new Promise((resolve) => setTimeout(resolve, 20));
    const figures = [
      computePercentile(commitTimes, 0.99),
      computePercentile(ackTimes, 0.5),
      computePercentile(ackTimes, 0.99),
      computePercentile(ackTimes, 1),
    ];
    const name = isOpen ? 'breaker open (< 1,000)' : 'breaker closed';
    console.log(`  ${name.padEnd(22)} ${figures.map((ms) => ms.toFixed(0).padStart(8)).join('  ')}`);
    // The first wave has to fail before the circuit breaker can open.
    if (wave === 0) await waveEnd;
  }
  await service.faults.clear();
  await Promise.all(waves);
  await submissions.stop();
  await api.close();
  await close();
  await service.close();
}
