import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { analyzePlan } from '../../src/digests/content/findings.ts';
import { createDrawer } from '../../src/digests/content/picture/drawer.ts';
import { buildWeek } from '../../src/digests/content/picture/week.ts';
import { drawWeek } from '../../src/digests/content/picture/week-svg.ts';
import { manyPosts, planOf } from '../digests/content/weeks.ts';

const TIMES = 20;
const date = '2026-11-23';
const zone = 'Europe/Berlin';
const now = new Date(`${date}T08:00:00Z`);

/** Measures the picture of a week: the time from the plan to the PNG, and how long it blocks the event loop. */
export async function digestPicture(): Promise<void> {
  for (const posts of [0, 12, 60, 10_000]) {
    const plan = planOf(manyPosts(`${date}T00:00:00Z`, posts));
    const first = await draw(plan);
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const each: number[] = [];
    const [before, beforeHere] = [process.cpuUsage(), process.threadCpuUsage()];
    for (let time = 0; time < TIMES; time += 1) each.push(await draw(plan));
    const [all, here] = [process.cpuUsage(before), process.threadCpuUsage(beforeHere)];
    loop.disable();
    const sorted = each.toSorted((one, other) => one - other);
    const middle = sorted[Math.floor(TIMES / 2)] ?? 0;
    console.log(
      `  ${posts} posts: first ${ms(first)}, then p50 ${ms(middle)}, max ${ms(sorted.at(-1) ?? 0)} (CPU ${cpuTime(all)}, of which ${cpuTime(here)} on the main thread); event loop blocked for at most ${ms(loop.max / 1e6)}`,
    );
  }
}

/** Returns ms. Each call has a new drawer, because a drawer doesn't draw the same picture twice. */
async function draw(plan: Parameters<typeof analyzePlan>[0]): Promise<number> {
  const start = performance.now();
  const findings = analyzePlan(plan, { kind: 'weekly', zone, date, now });
  await createDrawer().draw(drawWeek(buildWeek(plan, findings, { date, zone, includesDrafts: true })));
  return performance.now() - start;
}

function cpuTime({ user, system }: { user: number; system: number }): string {
  return ms((user + system) / 1000 / TIMES);
}

function ms(time: number): string {
  return `${time.toFixed(0)} ms`;
}
