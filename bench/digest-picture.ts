import { monitorEventLoopDelay, performance } from 'node:perf_hooks';
import { createRasterizer } from '../src/digests/content/picture/drawing.ts';
import { buildWeek } from '../src/digests/content/picture/week.ts';
import { renderWeekSvg } from '../src/digests/content/week-picture.ts';
import { createManyPosts, createPlan } from '../test/digests/content/weeks.ts';

const ROUND_COUNT = 20;
const date = '2026-11-23';
const zone = 'Europe/Berlin';
const now = new Date(`${date}T08:00:00Z`);

/**
 * Measures the picture of a week: the time from the plan to the PNG, and the time for which it blocks the event loop.
 */
export async function measureDigestPicture(): Promise<void> {
  for (const posts of [0, 12, 60, 10_000]) {
    const plan = createPlan(createManyPosts(`${date}T00:00:00Z`, posts));
    const firstMs = await measureDrawing(plan);
    const loop = monitorEventLoopDelay({ resolution: 1 });
    loop.enable();
    const times: number[] = [];
    const [processBefore, threadBefore] = [process.cpuUsage(), process.threadCpuUsage()];
    for (let round = 0; round < ROUND_COUNT; round += 1) times.push(await measureDrawing(plan));
    const [processCpu, threadCpu] = [process.cpuUsage(processBefore), process.threadCpuUsage(threadBefore)];
    loop.disable();
    const sorted = times.toSorted((one, other) => one - other);
    const median = sorted[Math.floor(ROUND_COUNT / 2)] ?? 0;
    console.log(
      `  ${posts} posts: first ${formatMs(firstMs)}, then p50 ${formatMs(median)}, max ${formatMs(sorted.at(-1) ?? 0)} (CPU ${formatCpuTime(processCpu)}, of which ${formatCpuTime(threadCpu)} on the main thread); event loop blocked for at most ${formatMs(loop.max / 1e6)}`,
    );
  }
}

/**
 * Measures the time to draw a picture (ms). Each measurement has a new rasterizer, because a rasterizer caches pictures.
 */
async function measureDrawing(plan: Parameters<typeof buildWeek>[0]): Promise<number> {
  const startedAt = performance.now();
  await createRasterizer().rasterize(
    renderWeekSvg(buildWeek(plan, { date, now, zone, includesDrafts: true })),
  );
  return performance.now() - startedAt;
}

function formatCpuTime({ user, system }: { user: number; system: number }): string {
  return formatMs((user + system) / 1000 / ROUND_COUNT);
}

function formatMs(time: number): string {
  return `${time.toFixed(0)} ms`;
}
