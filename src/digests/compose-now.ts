import { boundProjects } from '../preferences/bindings.ts';
import type { Composed, Occasion } from './compose.ts';
import { type Digest, isPersonal } from './digest.ts';
import type { Machine } from './machine.ts';
import { notChecked, serviceDown } from './said/service-down.ts';
import { localDate } from './slots.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** Any other slot was asked for. */
const DATE = /^\d{4}-\d\d-\d\d$/;

/** A row, its settings, and what is known of the last one. */
interface Known {
  row: OccurrenceRow;
  digest: Digest;
  since: Date | undefined;
  memory: string | undefined;
}

type Unknown = { kind: 'failed' | 'not-checked' };

/** What is to be posted now; `later`: what it needs is not known yet, and may be soon. */
export async function composeNow(
  machine: Machine,
  at: Known,
): Promise<
  Exclude<Composed, Unknown> | { kind: 'later'; retrying_since: Date; reason: 'service' | 'not-checked' }
> {
  const { row, digest } = at;
  const composed = await tryCompose(machine, digest, occasionOf(machine, at));
  if (composed.kind !== 'failed' && composed.kind !== 'not-checked') return composed;
  const clock = machine.clock();
  const retrying_since = row.retrying_since ?? clock;
  if (clock.getTime() - retrying_since.getTime() < machine.pace.serviceMs) {
    const reason = composed.kind === 'failed' ? 'service' : 'not-checked';
    return { kind: 'later', retrying_since, reason };
  }
  const moment = { due: row.due_at, now: machine.now() };
  if (composed.kind === 'not-checked') return { kind: 'message', ...notChecked(digest, moment) };
  const isRefused = composed.outcome.kind === 'refused';
  return { kind: 'message', ...serviceDown(digest, { ...moment, isRefused }) };
}

function occasionOf(machine: Machine, { row, digest, since, memory }: Known) {
  const now = machine.now();
  const isLate = row.asked_at === null && now.getTime() - row.due_at.getTime() > machine.pace.lateMs;
  return {
    now,
    due: row.due_at,
    date: DATE.test(row.slot) ? row.slot : localDate(row.due_at, digest.zone),
    asked: row.asked_at !== null,
    ...(isLate && { late: row.due_at }),
    ...(since && { since }),
    ...(memory !== undefined && { memory }),
  };
}

/** As if the service had not answered: it is tried again for a while. */
const FAILED: Composed = { kind: 'failed', outcome: { kind: 'unknown', cause: 'connection-lost' } };

/** Where nothing comes of it, through the service or through us, it failed. */
export async function tryCompose(
  machine: Machine,
  digest: Digest,
  occasion: Omit<Occasion, 'projects' | 'reads'>,
): Promise<Composed> {
  try {
    const api = await machine.apiFor(digest.workspace);
    if (!api) return FAILED;
    return await machine.compose(digest, {
      ...occasion,
      projects: await projectsOf(machine, digest),
      reads: machine.readsOf(api),
    });
  } catch (error) {
    machine.log.error({ digest: digest.id, err: error }, 'a digest could not be put together');
    return FAILED;
  }
}

async function projectsOf({ db }: Machine, digest: Digest): Promise<readonly string[]> {
  if (digest.projects !== 'channel') return digest.projects;
  if (isPersonal(digest)) return [];
  return boundProjects(db, { workspace: digest.workspace, channel: digest.channel });
}
