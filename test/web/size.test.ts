import { randomUUID } from 'node:crypto';
import { PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { holdPost } from '../support/hold-posts.ts';
import { data, listedPost, listProjects } from '../support/scripted-service.ts';
import { setUpBot } from '../support/set-up-bot.ts';
import { openLink } from './open-link.ts';

const fixture = setUpBot({ takesFiles: true });
const { running, setPolicy } = fixture;

/** Our own limits: what a slow phone loads at once, and what a page may ask of the database. */
const MAX_BYTES = 30_000;
const MAX_STATEMENTS = 6;

/** Counts the statements that are compiled while `work` runs. */
async function countStatements(work: () => Promise<unknown>): Promise<number> {
  const { prototype } = PostgresQueryCompiler;
  const { compileQuery } = prototype;
  let count = 0;
  prototype.compileQuery = function compileAndCount(...query) {
    count += 1;
    return compileQuery.apply(this, query);
  };
  try {
    await work();
  } finally {
    Object.assign(prototype, { compileQuery });
  }
  return count;
}

test.each([
  [49, 1],
  [62, 1],
  [500, 1],
  [51, 1],
  [42, 8],
  [51, 8],
  [62, 8],
])(
  'a month with %i posts of %i projects is small, and asks the database little',
  async (count, projectCount) => {
    const names = Array.from({ length: projectCount }, (_, index) => `Harbour Coffee Roasters ${index}`);
    running.service.on('GET /projects', listProjects(...names));
    const posts = Array.from({ length: count }, (_, index) =>
      listedPost(
        `Kürbis-Latte is back, only until the first frost, so come by before nine ${index}`,
        new Date(Date.UTC(2026, 11, 1 + (index % 31), 6 + (index % 14), index % 60)).toISOString(),
        { Id: randomUUID(), Platforms: ['X', 'INSTAGRAM', 'FACEBOOK'] },
      ),
    );
    running.service.on('GET /posts', (call, response) => {
      const [skip, limit] = [Number(call.query.get('skip') ?? 0), Number(call.query.get('limit') ?? 100)];
      const number = Number(/projects\/p(\d+)\//.exec(call.path)?.[1]) - 1;
      const ofProject = posts.filter((_, index) => index % projectCount === number);
      return data(ofProject.slice(skip, skip + limit))(call, response);
    });
    const at = { hour: 17, minute: 0 };
    await setPolicy({
      leadMinutes: 60,
      postingTimes: [
        {
          platforms: [],
          recurrence: { on: { unit: 'day' }, interval: 1, times: [at], zone: 'Europe/Lisbon' },
        },
      ],
    });
    await holdPost(running, { text: 'Kept', at: '2026-12-24T10:00:00Z' });
    const link = await openLink(fixture);
    // Who the person is, and how they read times, is known from then on.
    await link.get('2027-02');
    const path = projectCount === 1 ? '2026-12' : '2026-12?project=all';
    let page = await link.get('2027-03');
    const statements = await countStatements(async () => {
      page = await link.get(path);
    });
    expect(page.status).toBe(200);
    expect(page.text).toContain(`All <b>${count + 1}</b>`);
    expect(Buffer.byteLength(page.text)).toBeLessThanOrEqual(MAX_BYTES);
    expect(statements).toBeLessThanOrEqual(MAX_STATEMENTS);
    const timings: number[] = [];
    for (let round = 0; round < 20; round += 1) {
      const before = process.cpuUsage();
      await link.get(path);
      const { user, system } = process.cpuUsage(before);
      timings.push((user + system) / 1000);
    }
    const [median = 0] = timings.toSorted((one, other) => one - other).slice(10);
    console.log(
      `${count} posts: ${Buffer.byteLength(page.text)} bytes, ${statements} statements, ${median.toFixed(0)} ms of CPU time`,
    );
  },
);
