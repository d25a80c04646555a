import type { World } from './digest-simulation.ts';

const DAY = 24 * 60 * 60 * 1000;
/** Events this close to a date are part of its trace. */
const NEAR_MS = 5 * DAY;
/** How late a notice may come. */
const NOTICE_MS = 13 * DAY;

/** Everything about the digest of a fault, for debugging: settings, clock jumps, rows and messages. */
export async function traceFault(fault: string, world: World): Promise<string> {
  const id = /^digest (\S+)/.exec(fault)?.[1] ?? '';
  const date = Date.parse(/ for (\d{4}-\d\d-\d\d)/.exec(fault)?.[1] ?? '');
  const history = world.histories.get(id);
  const isNear = (at: number, ms = NEAR_MS) => Number.isNaN(date) || Math.abs(at - date) < ms;
  const rows = await world.db
    .selectFrom('digest_occurrence')
    .selectAll()
    .where('digest', '=', id)
    .orderBy('due_at')
    .execute();
  const messages = world.slack.messages.filter(
    ({ channel, text, at }) =>
      (channel === history?.owner.replace(/^U/, 'D') && isNear(at, NOTICE_MS)) ||
      (isNear(at) && (text.includes(id) || (channel === history?.channel && text.startsWith('No digest')))),
  );
  return [
    `FAULT ${fault}`,
    ...(history?.eventLog ?? []).map(({ at, now, ...what }) => `  ${at} ${iso(now)} ${JSON.stringify(what)}`),
    ...world.jumps
      .filter(({ from, to }) => isNear(from) || isNear(to))
      .map(({ at, from, to }) => `  ${at} the clock was set from ${iso(from)} to ${iso(to)}`),
    ...rows.filter(({ due_at }) => isNear(due_at.getTime())).map((row) => `  row ${JSON.stringify(row)}`),
    ...messages.map(({ at, channel, text }) => `  ${iso(at)} ${channel}: ${text.replaceAll('\n', ' / ')}`),
  ].join('\n');
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
