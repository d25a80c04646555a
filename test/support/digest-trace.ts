import type { World } from './digest-simulation.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** The trace of a date includes the events that are nearer to it than this. */
const MAX_DISTANCE_MS = 5 * DAY_MS;
/** Maximum delay of a notice. */
const MAX_NOTICE_DELAY_MS = 13 * DAY_MS;

/** Describes the digest that has a fault, for debugging: settings, clock jumps, rows and messages. */
export async function traceFault(fault: string, world: World): Promise<string> {
  const id = /^digest (\S+)/.exec(fault)?.[1] ?? '';
  const date = Date.parse(/ for (\d{4}-\d\d-\d\d)/.exec(fault)?.[1] ?? '');
  const history = world.histories.get(id);
  const isNear = (at: number, maxMs = MAX_DISTANCE_MS) => Number.isNaN(date) || Math.abs(at - date) < maxMs;
  const rows = await world.db
    .selectFrom('digest_occurrence')
    .selectAll()
    .where('digest', '=', id)
    .orderBy('due_at')
    .execute();
  const messages = world.slack.messages.filter(
    ({ channel, text, at }) =>
      (channel === history?.owner.replace(/^U/, 'D') && isNear(at, MAX_NOTICE_DELAY_MS)) ||
      (isNear(at) && (text.includes(id) || (channel === history?.channel && text.startsWith('No digest')))),
  );
  return [
    `FAULT ${fault}`,
    ...(history?.eventLog ?? []).map(
      ({ at, now, ...details }) => `  ${at} ${formatIso(now)} ${JSON.stringify(details)}`,
    ),
    ...world.jumps
      .filter(({ from, to }) => isNear(from) || isNear(to))
      .map(({ at, from, to }) => `  ${at} the clock was set from ${formatIso(from)} to ${formatIso(to)}`),
    ...rows.filter(({ due_at }) => isNear(due_at.getTime())).map((row) => `  row ${JSON.stringify(row)}`),
    ...messages.map(
      ({ at, channel, text }) => `  ${formatIso(at)} ${channel}: ${text.replaceAll('\n', ' / ')}`,
    ),
  ].join('\n');
}

function formatIso(at: number): string {
  return new Date(at).toISOString();
}
