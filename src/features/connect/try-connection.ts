import { setTimeout as delay } from 'node:timers/promises';
import type { ModalView } from '@slack/types';
import { z } from 'zod';
import type { Outcome } from '../../api/outcome.ts';
import { listProjects, type Project } from '../../api/projects.ts';
import type { Records } from '../../api/records.ts';
import type { Call, SubmissionCall } from '../../app/call.ts';
import { plain, quoted } from '../../slack/blocks.ts';
import { LIMITS } from '../../slack/limits.ts';
import { isViewGone } from '../../slack/slack-trouble.ts';
import { ADDRESS_FAULTS, projectName, type SeenProjects, seenWords, tryFault } from './connect-messages.ts';

/** The service to connect, as it was typed. */
export const wanted = z.object({
  scope: z.enum(['all', 'project']),
  project: z.string(),
  address: z.string(),
  token: z.string(),
});
export type Wanted = z.infer<typeof wanted>;

type Errors = Partial<Record<'address' | 'token' | 'project', string>>;
type Again = (errors: Errors) => Promise<void>;
type Listed = Outcome<Records<Project>>;

/** Tries what was typed, and keeps it when the service takes it. */
export async function tryConnection(call: SubmissionCall, asked: Wanted, again: Again): Promise<void> {
  const { services, pace } = call.context;
  const address = services.read(asked.address);
  if ('fault' in address) return again({ address: ADDRESS_FAULTS[address.fault] });
  const client = services.clientFor({ url: address.url, token: asked.token });
  const trying = listProjects(client).finally(() => {
    client
      .close()
      .catch((error: unknown) =>
        call.log.warn({ reference: call.reference, err: error }, 'could not close the tried connection'),
      );
  });
  const early = await Promise.race([trying, delay(pace.answerMs, undefined, { ref: false })]);
  if (!early)
    await call.answer({ view: said('One moment…', ['I am trying it. The service takes its time.']) });
  const done = await keep(call, { ...asked, address: address.url }, early ?? (await trying));
  if ('errors' in done && early) return again(done.errors);
  // The form is gone, and the token with it: what went wrong is said in its place.
  const lines = 'errors' in done ? [...Object.values(done.errors), AGAIN] : done.lines;
  try {
    await call.answer({ view: said('errors' in done ? 'Not connected' : 'Connected', lines) });
  } catch (error) {
    if (!isViewGone(error)) throw error;
    await call.reply({ text: lines.join(' ') });
  }
}

const AGAIN = 'Type /upnext connect to try again. The token is not kept.';

async function keep(
  call: SubmissionCall,
  asked: Wanted,
  listed: Listed,
): Promise<{ lines: string[] } | { errors: Errors }> {
  if (listed.kind !== 'done') return { errors: tryFault(listed) };
  const { shape } = listed.data;
  if (shape === 'unreadable') return { errors: { address: 'It answers, but I cannot read its projects.' } };
  const project = asked.scope === 'project' ? meant(asked.project, listed.data) : undefined;
  if (asked.scope === 'project' && !project)
    return { errors: { project: notMeant(asked.project, listed.data) } };
  const { context, who, log, reference, now } = call;
  await context.services.save(who.workspace, {
    url: asked.address,
    token: asked.token,
    connectedBy: who.user,
    connectedAt: now(),
    ...(project && { project }),
  });
  log.info({ reference, workspace: who.workspace, user: who.user, project: project?.id }, 'connected');
  // Where a workspace's words go from now on.
  const target = new URL(asked.address).host;
  await recordConnection(call, { action: 'connect keep', target, project: project?.id });
  // What waited for a token that works may go.
  await context.submissions.resume(who.workspace);
  const what = project ? `“${projectName(project)}” is connected with a token of its own.` : 'Connected.';
  return { lines: [`${what} ${project ? '' : seenWords(listed.data)}`.trim(), NEXT] };
}

const NEXT = 'Next: type /upnext use in a channel to choose what it is about, then /upnext.';

/** By id or name; a token that sees one project is for that one. */
function meant(words: string, { items, isTruncated }: SeenProjects): Project | undefined {
  const [only, ...others] = items;
  if (words === '') return others.length === 0 && !isTruncated ? only : undefined;
  const named = items.filter(({ name }) => name.toLowerCase() === words.toLowerCase());
  return items.find(({ id }) => id === words) ?? (named.length === 1 ? named[0] : undefined);
}

function notMeant(words: string, seen: SeenProjects): string {
  const { items, isTruncated } = seen;
  if (items.length === 0 && !isTruncated) return 'The token sees no project.';
  if (isTruncated && words !== '')
    return `It is not among the first ${items.length} projects, and I can't read the others. ${seenWords(seen)}`;
  return words === ''
    ? `Say which one. ${seenWords(seen)}`
    : `The token sees no such project, or several of that name. ${seenWords(seen)}`;
}

function said(title: string, lines: readonly string[]): ModalView {
  return {
    type: 'modal',
    title: plain(title, LIMITS.viewTitle),
    close: plain('Close', LIMITS.viewTitle),
    blocks: lines.map((line) => quoted(line)),
  };
}

/** For the record: to which host, and of which project where it is not of all. */
export async function recordConnection(
  { context, who, reference }: Call,
  done: { action: string; target: string; project: string | undefined },
): Promise<void> {
  const { workspace, user } = who;
  await context.record.add({ ...done, workspace, who: user, decision: 'done', reference });
}
