import type { Attempt, NotifyResult } from '../engine/notifier.ts';
import { findPolicy } from '../preferences/project-policy.ts';
import { waitForAccess } from '../slack/tell-once.ts';
import type { HeldPostRow } from './held-post.ts';
import type { HeldPostContext } from './held-post-context.ts';
import { listNotices } from './notices.ts';
import { notifyReviewers } from './review/notify-reviewers.ts';
import { sendNotice } from './send-notice.ts';
import { updateHeldPostMessages } from './show.ts';
import { listEvents } from './sql/events.ts';
import { listHeldPostMessages } from './sql/messages.ts';
import { isTemporary, NotYet, type PostNotification } from './tell.ts';

/** Updates all messages about a post, and sends the new ones. After a failed step, the next ones still run. */
export async function notifyPeople(
  context: HeldPostContext,
  row: HeldPostRow,
  attempt: Attempt,
): Promise<NotifyResult> {
  const client = await context.findSlackClient(row.workspace);
  if (!client || client === 'unknown') return waitForAccess(client);
  const notification: PostNotification = { context, client, row, attempt };
  const steps = [
    () => updateHeldPostMessages(context, client, row),
    () => notifyReviewers(notification),
    () => sendNotices(notification),
  ];
  const failures: unknown[] = [];
  for (const step of steps) await step().catch((error) => failures.push(error));
  if (failures.some(isTemporary)) return 'later';
  // The post is still in the lists and in the outbox.
  for (const error of failures)
    context.log.warn({ id: row.id, err: error }, 'could not notify people about a held post');
  context.submissions.context.onAuthorNotified({ workspace: row.workspace, user: row.author });
  return 'told';
}

async function sendNotices(notification: PostNotification): Promise<void> {
  const { context, row } = notification;
  const isForManagers = row.reason === 'not-allowed' || row.reason === 'other-service';
  const [events, messages, policy, managers] = await Promise.all([
    listEvents(context.db, row),
    listHeldPostMessages(context.db, row),
    findPolicy(context.db, row),
    row.state === 'needs-person' && isForManagers ? listManagers(context, row) : [],
  ]);
  const notices = listNotices({
    row,
    events,
    messages,
    policyChannel: policy.channel,
    managers: managers ?? [],
  });
  // Whoever else reads of the problem can decide.
  const isOnlyForAuthor = notices.every(
    ({ purpose, recipient }) => purpose !== 'problem' || recipient === row.author,
  );
  const listStandIns = async () => {
    const people = isOnlyForAuthor ? await listManagers(context, row) : [];
    if (!people) throw new NotYet('could not find out who manages a project');
    return people;
  };
  for (const notice of notices) await sendNotice(notification, { notice, messages, listStandIns });
  if (!managers) throw new NotYet('could not find out who manages a project');
}

/** Maximum number of managers who are asked about a post. */
const MAX_MANAGERS = 10;

/** Undefined if no manager could be found out. */
async function listManagers(
  { approvers }: HeldPostContext,
  { workspace, project }: HeldPostRow,
): Promise<readonly string[] | undefined> {
  const holders = await approvers.listRoleHolders(workspace, 'manager', project);
  const hasFailed = !holders.isComplete && !holders.includesEverybody;
  return hasFailed && holders.people.length === 0 ? undefined : holders.people.slice(0, MAX_MANAGERS);
}
