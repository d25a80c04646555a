import { buildDoneEntry } from '../../access/access.ts';
import { createForm } from '../../forms/create-form.ts';
import type { NamedRecord } from '../../forms/field.ts';
import { type Form, type FormAnswer, type FormOrigin, invalid, valid } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/searched.ts';
import { textField } from '../../forms/inputs/text.ts';
import { answerFormWhenReady } from '../../handlers/answer-when-ready.ts';
import type { Call, SubmissionCall } from '../../handlers/call.ts';
import type { Feature } from '../../handlers/feature.ts';
import type { Viewer } from '../../posts/post-time.ts';
import { readPostList } from '../../posts/read-post-list.ts';
import { listInFlight, stopProject } from '../../submissions/project-stop.ts';
import { renderSubmission } from '../../submissions/text/render-submission.ts';
import { MAX_STOP_REASON_LENGTH } from '../../submissions/text/stop-text.ts';
import { listWaitingPosts, readAll } from './missed-posts.ts';
import { notifyOfStop } from './notify-of-stop.ts';
import { onResumeCommand, resumeActions } from './resume.ts';
import {
  loadProject,
  renderConsequences,
  renderStoppedView,
  type StopContext,
  stopLoader,
} from './stop-context.ts';

const fields = {
  project: projectField({ isLive: true }),
  reason: textField({
    label: 'Reason',
    hint: 'The channel, and the authors of the posts that wait, read it.',
    optional: true,
    maxLength: MAX_STOP_REASON_LENGTH,
  }),
};

/** The form that stops sending for a project. It says what stops, so its button is the confirmation. */
const stopForm: Form<typeof fields, StopContext, { project: NamedRecord; reason: string }> = {
  name: 'stop',
  version: 1,
  noun: 'form that stops a project',
  title: 'Stop sending?',
  submitLabel: 'Stop sending',
  command: '/upnext stop',
  fields,
  contextLoader: stopLoader,
  async refreshContext({ values: { project }, formContext }, call) {
    const { unknownProject: _, chosen, ...otherContext } = formContext;
    if (!project) return otherContext;
    return {
      ...otherContext,
      chosen: chosen?.project.id === project.id ? chosen : await loadProject(call, project),
    };
  },
  renderAboveFields: ({ formContext }) => renderConsequences(formContext),
  check: ({ values: { project, reason } }) =>
    project ? valid({ project, reason: reason.trim() }) : invalid({}),
  onSubmit: { respond: stopAndReport },
};

/** Stops the project, and then says what can't be stopped any more. */
async function stopAndReport(
  call: SubmissionCall,
  { project, reason }: { project: NamedRecord; reason: string },
  { formContext: { actorZone: zone, actorLocale: locale } }: { formContext: StopContext },
  { channel }: FormOrigin,
): Promise<FormAnswer> {
  const { context, actor } = call;
  const key = { workspace: actor.workspace, project: project.id };
  const request = { reason, stoppedBy: actor.user };
  const { stop, isNew, end } = await stopProject(context.submissions.context, key, request);
  if (isNew) context.record.enqueue(buildDoneEntry(call, { action: 'stop project', project: project.id }));
  // A failure must not keep anybody from being told: the next press finds that the project is stopped already.
  const orUnread = (err: unknown) => {
    call.log.error({ reference: call.reference, err }, 'could not read the posts of a stopped project');
    return 'unread' as const;
  };
  const finish = async () => {
    if (!isNew) return;
    const lists = listWaitingPosts(call, project.id).map((list) => list.catch(orUnread));
    const waiting = (await Promise.all(lists)).flatMap((list) => (list === 'unread' ? [] : list));
    await notifyOfStop(call, { kind: 'stopped', project, stop, waiting, channel });
  };
  if (end.status === 'rejected') {
    await call.inTime(finish());
    throw end.reason;
  }
  const viewer = { zone, locale };
  const result = {
    ...{ project, stop, isNew, now: call.now(), viewer },
    mayResume: call.may('manager', project.id),
    inFlight: await readInFlight(call, project.id, viewer).catch(orUnread),
  };
  const filter = { projectId: project.id, from: result.now, platforms: [], statuses: ['SCHEDULED'] };
  const servicePosts = readPostList(context.api, filter).catch(orUnread);
  return answerFormWhenReady(
    call,
    servicePosts.then((read) => ({ view: renderStoppedView({ ...result, servicePosts: read }), finish })),
    renderStoppedView({ ...result, servicePosts: 'reading' }),
    stopForm,
  );
}

async function readInFlight(call: Call, project: string, reader: Viewer) {
  const { context } = call.context.submissions;
  return readAll(
    (page) => listInFlight(context, { workspace: call.actor.workspace, project }, page),
    (row) => ({
      title: renderSubmission(context, row, { reader }).title,
      author: row.author,
    }),
  );
}

const form = createForm(stopForm);

/** `/upnext stop` stops sending for a project, and `/upnext resume` resumes it. */
export const stop: Feature = {
  name: 'stop',
  commands: [
    {
      name: 'stop',
      aliases: ['halt', 'emergency'],
      summary: 'Hold back a project’s posts at once, for example after a mistake',
      usage: '[project]',
      examples: {
        '/upnext stop': 'Choose the project to stop.',
        '/upnext stop Harbour Coffee': 'Stop this project, after you confirm it.',
      },
      button: 'Stop sending',
      ...form.command,
      run: (call) => form.open.run(call, { project: call.text || undefined }),
    },
    {
      name: 'resume',
      aliases: ['unstop', 'continue'],
      summary: 'Let a stopped project’s posts go out again',
      usage: '[project]',
      examples: {
        '/upnext resume': 'See what waits in the stopped project, and resume it.',
        '/upnext resume Harbour Coffee': 'See what waits in this project, and resume it.',
      },
      button: 'Resume sending',
      deed: 'open the list of stopped projects',
      role: 'manager',
      run: onResumeCommand,
    },
  ],
  // Whoever may schedule a post may stop sending. Only managers may resume it.
  role: 'publisher',
  ...form,
  actions: { ...form.actions, ...resumeActions },
};
