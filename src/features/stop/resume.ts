import { z } from 'zod';
import type { ActionCall, Call, CommandCall } from '../../app/call.ts';
import { findSendingStop, listStoppedProjects } from '../../engine/sending-stop.ts';
import { type NamedRecord, namedRecord } from '../../forms/field.ts';
import { readSealedValue, storeSealedValue } from '../../forms/sealed-store.ts';
import { resolveProject } from '../../posts/resolve-project.ts';
import { findProjectStop } from '../../submissions/project-stop.ts';
import { countWaitingPosts } from './count-waiting.ts';
import { listMissedPosts, type MissedPost } from './missed-posts.ts';
import { renderResumeQuestion } from './resume-question.ts';
import {
  NOTHING_STOPPED,
  OUTDATED,
  renderAlreadyResumed,
  renderNotStopped,
  renderResumed,
  renderStoppedProjects,
  type StoppedProject,
} from './resume-text.ts';

const STORED_KIND = 'resume.1';
/** What a manager was asked about: the stop of a project, and the posts that have missed their time. */
const questionSchema = z.object({
  project: namedRecord,
  since: z.coerce.date(),
  missedKeys: z.array(z.string()),
});
type StoredQuestion = z.infer<typeof questionSchema>;

/** `/upnext resume` shows what a stop has kept from being sent, and asks before it resumes a project. */
export async function onResumeCommand(call: CommandCall): Promise<void> {
  const { stoppedProjects, projects } = await listOwnStoppedProjects(call);
  if (call.text === '') {
    const [only, ...others] = stoppedProjects;
    if (!only) return call.reply(NOTHING_STOPPED);
    return others.length > 0 ? call.reply(renderStoppedProjects(stoppedProjects)) : ask(call, only, {});
  }
  const resolution = resolveProject({ items: projects, isTruncated: false }, [], call.text);
  const namedProject =
    resolution.kind === 'one' && resolution.rest !== call.text.trim() ? resolution.project : undefined;
  const stopped = stoppedProjects.find(({ project }) => project.id === namedProject?.id);
  return stopped ? ask(call, stopped, {}) : call.reply(renderNotStopped(call.text, namedProject));
}

/** Lists the stopped projects that the person manages. Their names may be missing while the service is down. */
async function listOwnStoppedProjects(
  call: Call,
): Promise<{ stoppedProjects: StoppedProject[]; projects: readonly NamedRecord[] }> {
  const { reads, api, db } = call.context;
  const [outcome, stops] = await Promise.all([
    reads.listProjects(api),
    listStoppedProjects(db, call.actor.workspace),
  ]);
  const projects = (outcome.kind === 'done' ? outcome.data : reads.getLastProjects(api))?.items ?? [];
  const stoppedProjects = stops
    .filter(({ project }) => call.may('manager', project))
    .map(({ project: id, ...stop }) => ({
      project: projects.find((project) => project.id === id) ?? { id, name: 'A project' },
      stop,
    }));
  return { stoppedProjects, projects };
}

/** Handles [Resume…] of one of several stopped projects. */
export async function onShow(call: ActionCall): Promise<void> {
  const { stoppedProjects } = await listOwnStoppedProjects(call);
  const stopped = stoppedProjects.find(({ project }) => project.id === call.action.value);
  return stopped ? ask(call, stopped, { replace: true }) : call.reply(OUTDATED, { replace: true });
}

/** Shows the question before a resumption. */
async function ask(
  call: Call,
  { project, stop }: StoppedProject,
  { replace = false, note }: { replace?: boolean; note?: string },
): Promise<void> {
  const [missedPosts, waitingCount, allStop] = await Promise.all([
    listMissedPosts(call, project.id, stop),
    countWaitingPosts(call, project.id),
    findSendingStop(call.context.db),
  ]);
  const stored: StoredQuestion = {
    project,
    since: stop.since,
    missedKeys: missedPosts.map(({ key }) => key),
  };
  const id = await storeSealedValue(call, STORED_KIND, stored);
  const isAllStopped = allStop !== undefined;
  const question = {
    ...{ project, stop, missedPosts, waitingCount, isAllStopped, id },
    ...(note && { note }),
  };
  await call.reply(renderResumeQuestion(question), { replace });
}

/** The question whose button was pressed, and the current stop of its project. */
interface PressedQuestion extends StoredQuestion, StoppedProject {
  missedPosts: readonly MissedPost[];
}

/** Reads the question again. Replies and resolves with undefined if the stop that it was about has ended. */
async function readQuestion(call: ActionCall, id: string): Promise<PressedQuestion | undefined> {
  const stored = await readSealedValue(call, STORED_KIND, questionSchema, id);
  if (!stored) return void (await call.reply(OUTDATED, { replace: true }));
  const { project, since } = stored;
  await call.permit('manager', project.id, 'resume project');
  const key = { workspace: call.actor.workspace, project: project.id };
  const stop = await findProjectStop(call.context.db, key);
  if (!stop) return void (await call.reply(renderAlreadyResumed(project), { replace: true }));
  if (stop.since.getTime() !== since.getTime())
    return void (await ask(call, { project, stop }, { replace: true, note: STOPPED_AGAIN }));
  return { ...stored, stop, missedPosts: await listMissedPosts(call, project.id, stop) };
}

const STOPPED_AGAIN = 'It was resumed and stopped again meanwhile. Nothing was changed.';

/** Handles [Discard] on one post that has missed its time. */
export async function onDiscard(call: ActionCall): Promise<void> {
  const [, id = '', key] = /^(\S+) (.*)$/s.exec(call.action.value ?? '') ?? [];
  const question = await readQuestion(call, id);
  if (!question) return;
  const isDiscarded = await question.missedPosts.find((post) => post.key === key)?.discard();
  const note = isDiscarded ? 'Discarded.' : 'That post has changed meanwhile. Nothing was discarded.';
  await ask(call, question, { replace: true, note });
}

/** Handles the buttons that resume a project. With `discardsMissed`, discards the posts that the person saw first. */
export async function onResume(
  call: ActionCall,
  { discardsMissed }: { discardsMissed: boolean },
): Promise<void> {
  const { context, actor, reference } = call;
  const question = await readQuestion(call, call.action.value ?? '');
  if (!question) return;
  const { project, since, missedKeys, missedPosts } = question;
  const key = { workspace: actor.workspace, project: project.id };
  const discarded: MissedPost[] = [];
  if (discardsMissed)
    for (const post of missedPosts.filter((missed) => missedKeys.includes(missed.key)))
      if (await post.discard()) discarded.push(post);
  const waitingCount = await countWaitingPosts(call, project.id);
  if (!(await context.engine.resumeSending({ ...key, since })))
    return call.reply(renderAlreadyResumed(project), { replace: true });
  context.record.enqueue({
    action: 'resume project',
    decision: 'done',
    actor: actor.user,
    ...key,
    reference,
  });
  const kept = missedPosts.filter((post) => !discarded.includes(post));
  await call.reply(
    renderResumed({
      project,
      waitingCount,
      discardedCount: discarded.length,
      changedTitles: discardsMissed ? kept.map(({ title }) => title) : [],
      keptCount: discardsMissed ? 0 : kept.length,
      isAllStopped: (await findSendingStop(context.db)) !== undefined,
    }),
    { replace: true },
  );
}
