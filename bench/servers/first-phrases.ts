import { understandMoment } from '../../src/when/when.ts';

/** Measures the first phrases of a process. V8 compiles a pattern at its first use, and optimises it at its second. */
const [locale = 'en', ...phrases] = process.argv.slice(2);
const costs = phrases.slice(0, 3).map((text) => {
  const usageBefore = process.cpuUsage();
  const startedAt = performance.now();
  understandMoment({ text, now: new Date('2026-11-20T10:15:00Z'), zone: 'Europe/Berlin', locale });
  const ms = performance.now() - startedAt;
  const { user, system } = process.cpuUsage(usageBefore);
  return `${ms.toFixed(0)} ms (${((user + system) / 1000).toFixed(0)} ms of CPU)`;
});
console.log(costs.join(', '));
