import { listBoundProjects } from '../preferences/bindings.ts';
import type { ComposeRequest, ComposeResult } from './composer.ts';
import { type Digest, isPersonal } from './digest.ts';
import type { Machine } from './machine.ts';
import { notCheckedMessage, serviceDownMessage } from './messages/no-digest.ts';
import { localDate } from './slots.ts';
import type { OccurrenceRow } from './sql/occurrences.ts';

/** A scheduled slot. Any other slot was requested by a person. */
const DATE = /^\d{4}-\d\d-\d\d$/;

/** An occurrence, its settings, and what the digest's last message left behind. */
interface OccurrenceInput {
  row: OccurrenceRow;
  digest: Digest;
  since: Date | undefined;
  snapshot: string | undefined;
}

type FailedCompose = { kind: 'failed' | 'not-checked' };

/** Composes the message of an occurrence. `retry-later`: the service or the permission check failed, and is retried. */
export async function composeOccurrence(
  machine: Machine,
  input: OccurrenceInput,
): Promise<
  | Exclude<ComposeResult, FailedCompose>
  | { kind: 'retry-later'; retrying_since: Date; reason: 'service' | 'not-checked' }
> {
  const { row, digest } = input;
  const composed = await tryCompose(machine, digest, requestOf(machine, input));
  if (composed.kind !== 'failed' && composed.kind !== 'not-checked') return composed;
  const clock = machine.clock();
  const retrying_since = row.retrying_since ?? clock;
  if (clock.getTime() - retrying_since.getTime() < machine.pace.serviceMs) {
    const reason = composed.kind === 'failed' ? 'service' : 'not-checked';
    return { kind: 'retry-later', retrying_since, reason };
  }
  const moment = { due: row.due_at, now: machine.now() };
  if (composed.kind === 'not-checked') return { kind: 'message', ...notCheckedMessage(digest, moment) };
  const isRefused = composed.outcome.kind === 'refused';
  return { kind: 'message', ...serviceDownMessage(digest, { ...moment, isRefused }) };
}

function requestOf(machine: Machine, { row, digest, since, snapshot }: OccurrenceInput) {
  const now = machine.now();
  const isLate = row.requested_at === null && now.getTime() - row.due_at.getTime() > machine.pace.lateMs;
  return {
    now,
    due: row.due_at,
    date: DATE.test(row.slot) ? row.slot : localDate(row.due_at, digest.zone),
    asked: row.requested_at !== null,
    ...(isLate && { late: row.due_at }),
    ...(since && { since }),
    ...(snapshot !== undefined && { snapshot }),
  };
}

/** Our own failures count as an unreachable service, so that they are retried as long. */
const FAILED: ComposeResult = { kind: 'failed', outcome: { kind: 'unknown', cause: 'connection-lost' } };

/** Composes a digest. Never rejects: an error of the service or of our own is `failed`. */
export async function tryCompose(
  machine: Machine,
  digest: Digest,
  request: Omit<ComposeRequest, 'projects' | 'reads'>,
): Promise<ComposeResult> {
  try {
    const api = await machine.apiFor(digest.workspace);
    if (!api) return FAILED;
    return await machine.compose(digest, {
      ...request,
      projects: await projectsOf(machine, digest),
      reads: machine.readsOf(api),
    });
  } catch (error) {
    machine.log.error({ digest: digest.id, err: error }, 'could not compose a digest');
    return FAILED;
  }
}

async function projectsOf({ db }: Machine, digest: Digest): Promise<readonly string[]> {
  if (digest.projects !== 'channel') return digest.projects;
  if (isPersonal(digest)) return [];
  return listBoundProjects(db, { workspace: digest.workspace, channel: digest.channel });
}
