import { createHmac } from 'node:crypto';
import type { Entry } from './entry.ts';
import type { RecordHead, RecordRow } from './rows.ts';

/** The head of an empty chain. */
export const CHAIN_START: RecordHead = { seq: 0, hash: '0'.repeat(64) };

/** Generous: the texts are ids of Slack and the service, and names of actions. */
const MAX_TEXT_LENGTH = 300;

/** HMAC-SHA-256 over this row and the hash of the previous one, in hex. */
export function hashOf(row: Omit<RecordRow, 'hash'>, key: Buffer): string {
  const { workspace, seq, at, who, project, action, target, decision, reference, previous } = row;
  // The order is fixed and every value is a string or an integer, so that equal rows give equal texts.
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

/** The next rows of a chain, for these entries. */
export function chainRows(
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
      who: storableText(entry.who),
      project: storableText(entry.project),
      action: storableText(entry.action),
      target: storableText(entry.target),
      decision: entry.decision,
      reference: storableText(entry.reference),
      previous: end.hash,
    };
    const hash = hashOf(row, key);
    end = { seq: row.seq, hash };
    return { ...row, hash };
  });
  return { rows, head: end };
}

/** The text as the database will return it: Postgres accepts neither NUL nor lone surrogates. */
function storableText(text = ''): string {
  return text.slice(0, MAX_TEXT_LENGTH).toWellFormed().replaceAll('\u0000', '');
}
