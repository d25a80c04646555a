import type { CommandCall, SubmissionCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import type { NamedRecord } from '../../forms/field.ts';
import type { Form, FormAnswer } from '../../forms/form.ts';
import { projectField } from '../../forms/inputs/project.ts';
import { textField } from '../../forms/inputs/text.ts';
import { readPostList } from '../../posts/read-post-list.ts';
import { answerFormWhenReady } from '../../slack/answer-when-ready.ts';
import { listInFlight, stopProject } from '../../submissions/project-stop.ts';
import { createTextContext, renderSubmission } from '../../submissions/text/render-submission.ts';
import { MAX_STOP_REASON_LENGTH } from '../../submissions/text/stop-text.ts';
import { onDiscard, onResume, onResumeCommand, onShow } from './resume.ts';
import { RESUME_ACTIONS } from './resume-text.ts';
import { loadProject, type StopContext, stopLoader } from './stop-context.ts';
import { renderConsequences, renderStoppedView, type StopResult } from './stop-text.ts';

const fields = {
  project: projectField({ isLive: true }),
  reason: textField({
    label: 'Reason',
    hint: 'Shown beside the posts that wait.',
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
    project
      ? { kind: 'valid', contents: [{ project, reason: reason.trim() }] }
      : { kind: 'invalid', errors: {} },
  onSubmit: { respond: stopAndReport },
};

/** Stops the project, and then says what can't be stopped any more. */
async function stopAndReport(
  call: SubmissionCall,
  { project, reason }: { project: NamedRecord; reason: string },
  { formContext: { actorZone: zone, actorLocale: locale } }: { formContext: StopContext },
): Promise<FormAnswer> {
  const { context, actor, reference } = call;
  const key = { workspace: actor.workspace, project: project.id };
  const { context: submissionContext } = context.submissions;
  const { stop, isNew } = await stopProject(submissionContext, key, { reason, stoppedBy: actor.user });
  const entry = { action: 'stop project', decision: 'done', actor: actor.user, ...key, reference } as const;
  if (isNew) context.record.enqueue(entry);
  const rows = await listInFlight(submissionContext, key);
  const result: Omit<StopResult, 'servicePosts'> = {
    ...{ project, stop, isNew, now: call.now(), viewer: { zone, locale } },
    inFlight: rows.map((row) => ({
      title: renderSubmission(submissionContext, row, createTextContext(submissionContext)).title,
      author: row.author,
    })),
  };
  const reading = readPostList(context.api, {
    ...{ projectId: project.id, from: call.now(), platforms: [], statuses: ['SCHEDULED'] },
  });
  return answerFormWhenReady(
    call,
    reading.then((servicePosts) => renderStoppedView({ ...result, servicePosts })),
    renderStoppedView({ ...result, servicePosts: 'reading' }),
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
      summary: 'Stop sending a project’s posts',
      usage: '[project]',
      examples: {
        '/upnext stop': 'Choose the project to stop.',
        '/upnext stop Harbour Coffee': 'Stop this project, after you confirm it.',
      },
      button: 'Stop sending',
      opensForm: () => true,
      deed: 'open the form that stops a project',
      run: openStopForm,
    },
    {
      name: 'resume',
      aliases: ['unstop', 'continue'],
      summary: 'Resume a stopped project',
      usage: '[project]',
      examples: {
        '/upnext resume': 'See what waits in the stopped project, and resume it.',
        '/upnext resume Harbour Coffee': 'The same for this project.',
      },
      button: 'Resume sending',
      deed: 'open the list of stopped projects',
      role: 'manager',
      run: onResumeCommand,
    },
  ],
  // Whoever may schedule a post may stop sending. Only managers may resume it.
  role: 'publisher',
  open: form.open,
  views: form.views,
  actions: {
    ...form.actions,
    [RESUME_ACTIONS.show]: { deed: 'open the list of stopped projects', role: 'manager', run: onShow },
    [RESUME_ACTIONS.discard]: {
      deed: 'discard a post that missed its time',
      role: 'manager',
      run: onDiscard,
    },
    [RESUME_ACTIONS.confirm]: {
      deed: 'resume a project',
      role: 'manager',
      run: (call) => onResume(call, { discardsMissed: false }),
    },
    [RESUME_ACTIONS.discardAll]: {
      deed: 'resume a project',
      role: 'manager',
      run: (call) => onResume(call, { discardsMissed: true }),
    },
  },
  options: form.options,
};

function openStopForm(call: CommandCall): Promise<void> {
  const { text } = call;
  return form.openForm(call, text === '' ? {} : { prefill: { project: { id: text, name: text } } });
}
