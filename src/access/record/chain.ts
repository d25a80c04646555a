import { createHmac } from 'node:crypto';
import type { Entry } from './entry.ts';
import type { RecordHead, RecordRow } from './rows.ts';

/** Where each workspace's chain begins. */
export const BEGIN: RecordHead = { seq: 0, hash: '0'.repeat(64) };

/** An id of Slack's or the service's, a name of ours: nothing of it is long. */
const LONGEST = 300;

/** HMAC-SHA-256 over the hash of the row before it and this one, in hex. */
export function hashOf(row: Omit<RecordRow, 'hash'>, key: Buffer): string {
  const { workspace, seq, at, who, project, action, target, decision, reference, previous } = row;
  // In one order, and every value a string or a whole number: the same row is always the same text.
  const text = JSON.stringify([
    previous,
    workspace,
    seq,
    at.toISOString(),
    who,
    project,
    action,
    target,
    decision,
    reference,
  ]);
  return `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** The entries as the next rows of a chain. */
export function linked(
  head: RecordHead,
  entries: readonly { entry: Entry; at: Date }[],
  key: Buffer,
): { rows: RecordRow[]; head: RecordHead } {
  let end = head;
  const rows = entries.map(({ entry, at }) => {
    const row = {
      workspace: entry.workspace,
      seq: end.seq + 1,
      at,
      who: kept(entry.who),
      project: kept(entry.project),
      action: kept(entry.action),
      target: kept(entry.target),
      decision: entry.decision,
      reference: kept(entry.reference),
      previous: end.hash,
    };
    const hash = hashOf(row, key);
    end = { seq: row.seq, hash };
    return { ...row, hash };
  });
  return { rows, head: end };
}

/** As the database gives it back: it takes neither NUL nor half a surrogate pair. */
function kept(text = ''): string {
  return text.slice(0, LONGEST).toWellFormed().replaceAll('\u0000', '');
}
