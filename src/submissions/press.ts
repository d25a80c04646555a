import type { Permission } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import { attempt } from './attempt.ts';
import { UNTOLD } from './baseline.ts';
import { bringOn } from './bring-on.ts';
import { discardSubmission } from './deliveries.ts';
import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import { newestSubmission, rowsById, type SubmissionRow, submissionOf } from './sql/submissions.ts';
import { type Button, ruleOf } from './state-cases.ts';

/** Who presses, and whether they run the project of what they press on. */
interface Presser extends Actor {
  /** By the project's id in the service. */
  runs(project: string | undefined): boolean;
}

/** How it stands after a press. `said`: what the press has brought to light (mrkdwn). */
type Pressed =
  | { kind: 'not-yours' }
  /** Whether its author may still send it could not be found out: it stays as it is. */
  | { kind: 'not-checked' }
  | { kind: 'stands'; row: SubmissionRow; said?: string };

/** What is decided here and now; editing is the feature's own form. */
type Decision = Exclude<Button, 'edit' | 'new-time'>;

/** The row behind a button, for who may see it, and whether the button still fits it. */
export async function pressedRow(
  machine: Machine,
  by: Presser,
  id: string,
  button: Button,
): Promise<{ row: SubmissionRow; fits: boolean } | undefined> {
  const isTheirs = ({ asker, project }: SubmissionRow) => asker === by.user || by.runs(project ?? undefined);
  const pressed = await submissionOf(machine.db, { id, workspace: by.workspace });
  if (!pressed || !isTheirs(pressed)) return undefined;
  const row = await insteadOf(machine, pressed);
  // Its author may have changed it to another project.
  if (!isTheirs(row)) return undefined;
  return { row, fits: row.content !== null && ruleOf(row).buttons.includes(button) };
}

/** What took its place, where it was changed since. */
async function insteadOf(machine: Machine, pressed: SubmissionRow): Promise<SubmissionRow> {
  const { workspace } = pressed;
  let row = pressed;
  while (row.state === 'discarded' && row.why === 'replaced') {
    const edited = await newestSubmission(machine.db, { workspace, origin: row.id, item: 0 });
    const next = edited ?? (await newestSubmission(machine.db, row));
    if (!next || next.id === row.id) return row;
    row = next;
  }
  return row;
}

/** Does what a button says, where the row as it is now still has it. */
export async function decide(machine: Machine, by: Presser, id: string, what: Decision): Promise<Pressed> {
  const found = await pressedRow(machine, by, id, what);
  if (!found) return { kind: 'not-yours' };
  const { row, fits } = found;
  if (!fits) return { kind: 'stands', row, said: 'It has moved on since this button was shown.' };
  switch (what) {
    case 'check':
      return check(machine, by, row);
    case 'again':
      return sendAgain(machine, row);
    case 'discard':
      return discard(machine, row);
    case 'draft':
      return saveAsDraft(machine, row);
  }
}

const NOT_LOOKED = 'I didn’t look: you have no role in this project any more.';

/** One more look, for who may look at the project; nothing is ever sent by it. */
async function check(machine: Machine, by: Presser, row: SubmissionRow): Promise<Pressed> {
  const what = { project: row.project ?? undefined, kind: row.kind };
  const may = await machine.may({ workspace: by.workspace, user: by.user }, 'viewer', what);
  if (may === 'unknown') return { kind: 'not-checked' };
  if (may === 'no') return { kind: 'stands', row, said: NOT_LOOKED };
  const kind = machine.kindOf(row.kind);
  const api = await machine.apiFor(row.workspace, row.project ?? undefined);
  const read = readContent(machine, kind, row);
  if (kind?.whenUnknown.way !== 'look' || !read || !api) {
    return { kind: 'stands', row, said: 'There is nowhere to look for it.' };
  }
  const outcome = await kind.whenUnknown.count(api, read.content);
  const at = clockWords(machine.now());
  if (outcome.kind !== 'done') {
    return { kind: 'stands', row, said: `I could not look at ${at}: the service did not answer properly.` };
  }
  if (outcome.data === 'cannot-tell') {
    return { kind: 'stands', row, said: `I cannot tell from the service’s list, as of ${at}.` };
  }
  // Counted only once it may have been there.
  const before = row.why === 'alike' ? UNTOLD : (row.baseline ?? UNTOLD);
  if (before !== UNTOLD && outcome.data === before + 1) {
    const confirmed = await machine.delivery.transition(
      row,
      'confirmed',
      {},
      { notifyAfterMs: machine.pace.tellMs },
    );
    return stands(machine, confirmed ?? row);
  }
  if (outcome.data === 0 || outcome.data === before)
    return { kind: 'stands', row, said: `Not there (yet) as of ${at}.` };
  const were = before === UNTOLD ? '' : `, and there were ${before} before`;
  return { kind: 'stands', row, said: `The service lists ${outcome.data} like it as of ${at}${were}.` };
}

/** Asked for: before it goes out, it is looked for once more. */
async function sendAgain(machine: Machine, row: SubmissionRow): Promise<Pressed> {
  if ((await authorsPermission(machine, row)) === 'unknown') return { kind: 'not-checked' };
  const change = { tried_since: machine.clock(), reason: null };
  const claimed = await machine.delivery.transition(row, 'saved', change, { claim: true });
  if (!claimed) return stands(machine, row, 'It has moved on since this button was shown.');
  await attempt(machine, claimed, { probe: false, notifyAfterMs: machine.pace.tellMs });
  return stands(machine, row);
}

/** Where it says no, sending it finds that out too, and says so. */
async function authorsPermission(machine: Machine, row: SubmissionRow): Promise<Permission> {
  const kind = machine.kindOf(row.kind);
  const read = readContent(machine, kind, row);
  if (!kind || !read) return 'yes';
  const { workspace, asker: user } = row;
  const what = { project: kind.project(read.content)?.id, kind: kind.name };
  return machine.may({ workspace, user }, kind.role(read.content), what);
}

async function discard(machine: Machine, row: SubmissionRow): Promise<Pressed> {
  const isDone = await discardSubmission(machine.db, row, machine.clock(), null);
  return stands(machine, row, isDone ? undefined : 'It has moved on since this button was shown.');
}

/** Without its moment, which has passed; it takes the place of what was to be scheduled. */
async function saveAsDraft(machine: Machine, row: SubmissionRow): Promise<Pressed> {
  const kind = machine.kindOf(row.kind);
  const read = readContent(machine, kind, row);
  if (!kind?.withoutMoment || !read) return { kind: 'stands', row };
  const { workspace, asker } = row;
  const on = await bringOn(machine, kind, [
    {
      workspace,
      asker,
      origin: row.id,
      item: 0,
      ...(row.channel !== null && { channel: row.channel }),
      content: kind.withoutMoment(read.content),
    },
  ]);
  if (on === 'not-saved') return { kind: 'stands', row, said: 'Not saved. Please try again.' };
  if (on === 'not-sure')
    return { kind: 'stands', row, said: 'I’m not sure this was saved. I’ll DM you as soon as I know.' };
  const [draft] = await on.ended;
  return draft ? { kind: 'stands', row: draft } : { kind: 'stands', row };
}

async function stands(machine: Machine, row: SubmissionRow, said?: string): Promise<Pressed> {
  const [now = row] = await rowsById(machine.db, [row.id]);
  return { kind: 'stands', row: now, ...(said !== undefined && { said }) };
}

/** Slack writes it in each reader's own zone. */
function clockWords(at: Date): string {
  return `<!date^${Math.floor(at.getTime() / 1000)}^{time_secs}|${at.toISOString().slice(11, 19)} UTC>`;
}
