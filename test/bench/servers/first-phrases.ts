import { understandMoment } from '../../../src/when/understand-moment.ts';

/** The first phrases of a process: V8 compiles a pattern at its first use, and again, to run faster, at its second. */
for (const [which, text] of [
  ['first', 'tomorrow 9am'],
  ['second', 'fri 14:30'],
  ['third', 'in 2h'],
]) {
  const before = process.cpuUsage();
  const started = performance.now();
  understandMoment({ text: `${text}`, now: new Date('2026-11-20T10:15:00Z'), zone: 'Europe/Berlin' });
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  console.log(
    `  the ${which} phrase of a process: ${ms.toFixed(0)} ms, ${((user + system) / 1000).toFixed(0)} ms of CPU`,
  );
}
