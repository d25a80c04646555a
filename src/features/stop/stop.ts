import type { CommandCall } from '../../app/call.ts';
import type { Feature } from '../../app/feature.ts';
import { createForm } from '../../forms/create-form.ts';
import { onDiscard, onResume, onResumeCommand, onShow } from './resume.ts';
import { RESUME_ACTIONS } from './resume-text.ts';
import { stopForm } from './stop-form.ts';

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
