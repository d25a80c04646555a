import type { Permission } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import { attempt } from './attempt.ts';
import { UNKNOWN_COUNT } from './baseline.ts';
import { discardSubmission } from './deliveries.ts';
import type { Machine } from './machine.ts';
import { readContent } from './read-content.ts';
import { saveAndSend } from './save-and-send.ts';
import { newestSubmission, rowsById, type SubmissionRow, submissionOf } from './sql/submissions.ts';
import { type Button, ruleOf } from './state-copy.ts';

/** The person who presses a button, and their projects. */
interface Presser extends Actor {
  /** Whether the person runs this project. `project` is its id in the service. */
  runs(project: string | undefined): boolean;
}

/** The outcome of a press. `said` is a line about it (mrkdwn). */
type Pressed =
  | { kind: 'not-yours' }
  /** The permission check failed, so nothing was changed. */
  | { kind: 'not-checked' }
  | { kind: 'current'; row: SubmissionRow; said?: string };

/** The buttons that this module handles. The others open a form of the feature. */
type Decision = Exclude<Button, 'edit' | 'new-time'>;

/** The row of a button and whether the button still applies to it. Undefined if the person may not see the row. */
export async function pressedRow(
  machine: Machine,
  by: Presser,
  id: string,
  button: Button,
): Promise<{ row: SubmissionRow; fits: boolean } | undefined> {
  const maySee = ({ author, project }: SubmissionRow) => author === by.user || by.runs(project ?? undefined);
  const pressed = await submissionOf(machine.db, { id, workspace: by.workspace });
  if (!pressed || !maySee(pressed)) return undefined;
  const row = await latestReplacement(machine, pressed);
  // The author may have moved it to another project.
  if (!maySee(row)) return undefined;
  return { row, fits: row.content !== null && ruleOf(row).buttons.includes(button) };
}

/** The row that replaced the pressed one last, or the pressed one. */
async function latestReplacement(machine: Machine, pressed: SubmissionRow): Promise<SubmissionRow> {
  const { workspace } = pressed;
  let row = pressed;
  while (row.state === 'discarded' && row.reason === 'replaced') {
    const edited = await newestSubmission(machine.db, { workspace, origin: row.id, item: 0 });
    const next = edited ?? (await newestSubmission(machine.db, row));
    if (!next || next.id === row.id) return row;
    row = next;
  }
  return row;
}

/** Does what a button says, if the current row still has that button. */
export async function decide(machine: Machine, by: Presser, id: string, what: Decision): Promise<Pressed> {
  const found = await pressedRow(machine, by, id, what);
  if (!found) return { kind: 'not-yours' };
  const { row, fits } = found;
  if (!fits) return { kind: 'current', row, said: 'It has moved on since this button was shown.' };
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

/** Counts equal posts once more, for a viewer of the project. Never sends anything. */
async function check(machine: Machine, by: Presser, row: SubmissionRow): Promise<Pressed> {
  const what = { project: row.project ?? undefined, kind: row.kind };
  const may = await machine.may({ workspace: by.workspace, user: by.user }, 'viewer', what);
  if (may === 'unknown') return { kind: 'not-checked' };
  if (may === 'no') return { kind: 'current', row, said: NOT_LOOKED };
  const kind = machine.kindOf(row.kind);
  const api = await machine.apiFor(row.workspace, row.project ?? undefined);
  const read = readContent(machine, kind, row);
  if (kind?.whenUnknown.way !== 'reconcile' || !read || !api) {
    return { kind: 'current', row, said: 'There is nowhere to look for it.' };
  }
  const outcome = await kind.whenUnknown.count(api, read.content);
  const at = clockText(machine.now());
  if (outcome.kind !== 'done') {
    return { kind: 'current', row, said: `I could not look at ${at}: the service did not answer properly.` };
  }
  if (outcome.data === 'cannot-tell') {
    return { kind: 'current', row, said: `I cannot tell from the service’s list, as of ${at}.` };
  }
  // This baseline may include the post itself.
  const before = row.reason === 'alike' ? UNKNOWN_COUNT : (row.baseline ?? UNKNOWN_COUNT);
  if (before !== UNKNOWN_COUNT && outcome.data === before + 1) {
    const confirmed = await machine.delivery.transition(
      row,
      'confirmed',
      {},
      { notifyAfterMs: machine.pace.notifyMs },
    );
    return current(machine, confirmed ?? row);
  }
  if (outcome.data === 0 || outcome.data === before)
    return { kind: 'current', row, said: `Not there (yet) as of ${at}.` };
  const were = before === UNKNOWN_COUNT ? '' : `, and there were ${before} before`;
  return { kind: 'current', row, said: `The service lists ${outcome.data} like it as of ${at}${were}.` };
}

/** Sends a submission again at the author's request. Equal posts are counted before. */
async function sendAgain(machine: Machine, row: SubmissionRow): Promise<Pressed> {
  if ((await authorsPermission(machine, row)) === 'unknown') return { kind: 'not-checked' };
  const change = { retrying_since: machine.clock(), refusal: null };
  const claimed = await machine.delivery.transition(row, 'saved', change, { claim: true });
  if (!claimed) return current(machine, row, 'It has moved on since this button was shown.');
  await attempt(machine, claimed, { probe: false, notifyAfterMs: machine.pace.notifyMs });
  return current(machine, row);
}

/** Checked only for `unknown`. If the answer is no, the attempt finds that out as well and notifies the author. */
async function authorsPermission(machine: Machine, row: SubmissionRow): Promise<Permission> {
  const kind = machine.kindOf(row.kind);
  const read = readContent(machine, kind, row);
  if (!kind || !read) return 'yes';
  const { workspace, author: user } = row;
  const what = { project: kind.project(read.content)?.id, kind: kind.name };
  return machine.may({ workspace, user }, kind.role(read.content), what);
}

async function discard(machine: Machine, row: SubmissionRow): Promise<Pressed> {
  const isDone = await discardSubmission(machine.db, row, machine.clock(), null);
  return current(machine, row, isDone ? undefined : 'It has moved on since this button was shown.');
}

/** Saves an overdue post as a draft, which replaces it. */
async function saveAsDraft(machine: Machine, row: SubmissionRow): Promise<Pressed> {
  const kind = machine.kindOf(row.kind);
  const read = readContent(machine, kind, row);
  if (!kind?.withoutMoment || !read) return { kind: 'current', row };
  const { workspace, author } = row;
  const on = await saveAndSend(machine, kind, [
    {
      workspace,
      author,
      origin: row.id,
      item: 0,
      ...(row.channel !== null && { channel: row.channel }),
      content: kind.withoutMoment(read.content),
    },
  ]);
  if (on === 'not-saved') return { kind: 'current', row, said: 'Not saved. Please try again.' };
  if (on === 'not-sure')
    return { kind: 'current', row, said: 'I’m not sure this was saved. I’ll DM you as soon as I know.' };
  const [draft] = await on.ended;
  return draft ? { kind: 'current', row: draft } : { kind: 'current', row };
}

async function current(machine: Machine, row: SubmissionRow, said?: string): Promise<Pressed> {
  const [now = row] = await rowsById(machine.db, [row.id]);
  return { kind: 'current', row: now, ...(said !== undefined && { said }) };
}

/** mrkdwn that Slack renders in each reader's zone. */
function clockText(at: Date): string {
  return `<!date^${Math.floor(at.getTime() / 1000)}^{time_secs}|${at.toISOString().slice(11, 19)} UTC>`;
}
