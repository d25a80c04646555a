import { TEST_MANIFEST } from './workspace.ts';

/** A manifest of an app that people chat with as with an assistant. */
export const ASSISTANT_MANIFEST = {
  ...TEST_MANIFEST,
  features: {
    ...TEST_MANIFEST.features,
    assistant_view: { assistant_description: 'Answers questions' },
  },
  oauth_config: { scopes: { bot: [...TEST_MANIFEST.oauth_config.scopes.bot, 'assistant:write'] } },
  settings: {
    event_subscriptions: {
      bot_events: [
        'app_mention',
        'assistant_thread_context_changed',
        'assistant_thread_started',
        'message.im',
      ],
    },
  },
};
