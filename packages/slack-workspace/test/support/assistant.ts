import { listWords } from '../../src/words.ts';
import { TEST_MANIFEST } from './workspace.ts';

/** A manifest of an app that people chat with as with an assistant, and that has a step for workflows. */
export const ASSISTANT_MANIFEST = {
  ...TEST_MANIFEST,
  features: {
    ...TEST_MANIFEST.features,
    assistant_view: { assistant_description: 'Answers questions' },
  },
  oauth_config: { scopes: { bot: [...TEST_MANIFEST.oauth_config.scopes.bot, 'assistant:write'] } },
  functions: {
    approve: {
      title: 'Approve',
      description: 'Asks somebody to approve a text',
      input_parameters: {
        approver: { type: 'slack#/types/user_id', title: 'Approver', is_required: true },
        text: { type: 'string', title: 'Text', is_required: true },
        count: { type: 'integer', title: 'Count' },
        opener: { type: 'slack#/types/interactivity', title: 'Opener' },
      },
      output_parameters: {
        properties: { approved: { type: 'boolean', title: 'Approved' }, note: { type: 'string' } },
        required: ['approved'],
      },
    },
  },
  settings: {
    event_subscriptions: {
      bot_events: listWords(
        'app_mention assistant_thread_context_changed assistant_thread_started function_executed message.im',
      ),
    },
  },
};
