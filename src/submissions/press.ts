import type { Permission } from '../access/access.ts';
import type { Actor } from '../slack/actor.ts';
import { attempt } from './attempt.ts';
import { UNKNOWN_COUNT } from './baseline.ts';
import { discardSubmission } from './deliveries.ts';
import type { Machine } from './machine.ts';
import { saveAndSend } from './save-and-send.ts';
import { findNewestSubmission, findRowsById, findSubmission, type SubmissionRow } from './sql/submissions.ts';
import { type Button, getRule } from './state-copy.ts';
import { readContent } from './submission.ts';

/** The actor who presses a button, and the actor's projects. */
interface Presser extends Actor {
  /** Whether the actor runs this project. `project` is its id in the service. */
  runsProject(project: string | undefined): boolean;
}

/** The result of a press. `note` is a line about the result (mrkdwn). */
type PressResult =
  /** The actor may not see the submission. */
  | { kind: 'not-visible' }
  /** The permission check failed, so nothing was changed. */
  | { kind: 'not-checked' }
  | { kind: 'current'; row: SubmissionRow; note?: string };

/** The buttons that this module handles. All other buttons open a form of the feature. */
type Decision = Exclude<Button, 'edit' | 'new-time'>;

/**
 * Finds the row of a button, and whether the button still applies to the row. Resolves with undefined if the actor may
 * not see the row.
 */
export async function findPressedRow(
  machine: Machine,
  actor: Presser,
  id: string,
  button: Button,
): Promise<{ row: SubmissionRow; isApplicable: boolean } | undefined> {
  const maySee = ({ author, project }: SubmissionRow) =>
    author === actor.user || actor.runsProject(project ?? undefined);
  const pressedRow = await findSubmission(machine.db, { id, workspace: actor.workspace });
  if (!pressedRow || !maySee(pressedRow)) return undefined;
  const row = await findLatestReplacement(machine, pressedRow);
  // The author may have changed the project of the submission.
  if (!maySee(row)) return undefined;
  return { row, isApplicable: row.content !== null && getRule(row).buttons.includes(button) };
}

/** Finds the last row that replaced the pressed row, or the pressed row if none did. */
async function findLatestReplacement(machine: Machine, pressedRow: SubmissionRow): Promise<SubmissionRow> {
  const { workspace } = pressedRow;
  let row = pressedRow;
  while (row.state === 'discarded' && row.reason === 'replaced') {
    const edit = await findNewestSubmission(machine.db, { workspace, origin: row.id, item: 0 });
    const replacement = edit ?? (await findNewestSubmission(machine.db, row));
    if (!replacement || replacement.id === row.id) return row;
    row = replacement;
  }
  return row;
}

/** Applies the decision of a button, if the current row still has that button. */
export async function applyDecision(
  machine: Machine,
  actor: Presser,
  id: string,
  decision: Decision,
): Promise<PressResult> {
  const pressed = await findPressedRow(machine, actor, id, decision);
  if (!pressed) return { kind: 'not-visible' };
  const { row, isApplicable } = pressed;
  if (!isApplicable) return { kind: 'current', row, note: 'It has moved on since this button was shown.' };
  switch (decision) {
    case 'check':
      return checkService(machine, actor, row);
    case 'retry':
      return sendAgain(machine, row);
    case 'discard':
      return discard(machine, row);
    case 'draft':
      return saveAsDraft(machine, row);
  }
}

const NO_ROLE_TEXT = 'I didn’t look: you have no role in this project any more.';

/** Counts equal posts in the service's list, for a viewer of the project. Never sends anything. */
async function checkService(machine: Machine, actor: Presser, row: SubmissionRow): Promise<PressResult> {
  const subject = { project: row.project ?? undefined, kind: row.kind };
  const permission = await machine.checkPermission(
    { workspace: actor.workspace, user: actor.user },
    'viewer',
    subject,
  );
  if (permission === 'unknown') return { kind: 'not-checked' };
  if (permission === 'no') return { kind: 'current', row, note: NO_ROLE_TEXT };
  const kind = machine.findKind(row.kind);
  const api = await machine.apiFor(row.workspace, row.project ?? undefined);
  const contentResult = readContent(machine, kind, row);
  if (kind?.whenUnknown.way !== 'reconcile' || !contentResult || !api) {
    return { kind: 'current', row, note: 'There is nowhere to look for it.' };
  }
  const outcome = await kind.whenUnknown.count(api, contentResult.content);
  const time = renderClockTime(machine.now());
  if (outcome.kind !== 'done') {
    return {
      kind: 'current',
      row,
      note: `I could not look at ${time}: the service did not answer properly.`,
    };
  }
  if (outcome.data === 'cannot-tell') {
    return { kind: 'current', row, note: `I cannot tell from the service’s list, as of ${time}.` };
  }
  // With the reason `equal-found`, the baseline may include the post itself.
  const baseline = row.reason === 'equal-found' ? UNKNOWN_COUNT : (row.baseline ?? UNKNOWN_COUNT);
  if (baseline !== UNKNOWN_COUNT && outcome.data === baseline + 1) {
    const confirmedRow = await machine.delivery.transition(
      row,
      'confirmed',
      {},
      { notifyAfterMs: machine.pace.notifyMs },
    );
    return createCurrentResult(machine, confirmedRow ?? row);
  }
  if (outcome.data === 0 || outcome.data === baseline)
    return { kind: 'current', row, note: `Not there (yet) as of ${time}.` };
  const baselineText = baseline === UNKNOWN_COUNT ? '' : `, and there were ${baseline} before`;
  return {
    kind: 'current',
    row,
    note: `The service lists ${outcome.data} like it as of ${time}${baselineText}.`,
  };
}

/** Sends a submission again at the author's request. The attempt counts equal posts before the send. */
async function sendAgain(machine: Machine, row: SubmissionRow): Promise<PressResult> {
  if ((await checkAuthorPermission(machine, row)) === 'unknown') return { kind: 'not-checked' };
  const change = { retrying_since: machine.clock(), refusal: null };
  const claimedRow = await machine.delivery.transition(row, 'saved', change, { startClaim: true });
  if (!claimedRow) return createCurrentResult(machine, row, 'It has moved on since this button was shown.');
  await attempt(machine, claimedRow, { mayProbe: false, notifyAfterMs: machine.pace.notifyMs });
  return createCurrentResult(machine, row);
}

/** Checks the author's permission. Callers handle only `unknown`: after `no`, the attempt notifies the author. */
async function checkAuthorPermission(machine: Machine, row: SubmissionRow): Promise<Permission> {
  const kind = machine.findKind(row.kind);
  const contentResult = readContent(machine, kind, row);
  if (!kind || !contentResult) return 'yes';
  const { workspace, author: user } = row;
  const subject = { project: kind.getProject(contentResult.content)?.id, kind: kind.name };
  return machine.checkPermission({ workspace, user }, kind.getRole(contentResult.content), subject);
}

async function discard(machine: Machine, row: SubmissionRow): Promise<PressResult> {
  const isDone = await discardSubmission(machine.db, row, machine.clock(), null);
  return createCurrentResult(
    machine,
    row,
    isDone ? undefined : 'It has moved on since this button was shown.',
  );
}

/** Saves an overdue post as a draft. The draft replaces the post. */
async function saveAsDraft(machine: Machine, row: SubmissionRow): Promise<PressResult> {
  const kind = machine.findKind(row.kind);
  const contentResult = readContent(machine, kind, row);
  if (!kind?.removePublishAt || !contentResult) return { kind: 'current', row };
  const { workspace, author } = row;
  const inFlight = await saveAndSend(machine, kind, [
    {
      workspace,
      author,
      origin: row.id,
      item: 0,
      ...(row.channel !== null && { channel: row.channel }),
      content: kind.removePublishAt(contentResult.content),
    },
  ]);
  if (inFlight === 'not-saved') return { kind: 'current', row, note: 'Not saved. Please try again.' };
  if (inFlight === 'uncertain')
    return { kind: 'current', row, note: 'I’m not sure this was saved. I’ll DM you as soon as I know.' };
  const [draft] = await inFlight.finalRows;
  return draft ? { kind: 'current', row: draft } : { kind: 'current', row };
}

async function createCurrentResult(
  machine: Machine,
  row: SubmissionRow,
  note?: string,
): Promise<PressResult> {
  const [currentRow = row] = await findRowsById(machine.db, [row.id]);
  return { kind: 'current', row: currentRow, ...(note !== undefined && { note }) };
}

/** Renders a time as mrkdwn, which Slack shows in each reader's time zone. */
function renderClockTime(time: Date): string {
  return `<!date^${Math.floor(time.getTime() / 1000)}^{time_secs}|${time.toISOString().slice(11, 19)} UTC>`;
}
