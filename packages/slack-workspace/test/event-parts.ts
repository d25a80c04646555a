const string = 'string';

export const renamedChannel = {
  id: string,
  is_channel: 'boolean',
  is_mpim: 'boolean',
  name: string,
  name_normalized: string,
  created: 'number',
};
const description = { value: string, creator: string, last_set: 'number' };
export const createdChannel = {
  ...renamedChannel,
  creator: string,
  is_shared: 'boolean',
  is_org_shared: 'boolean',
  context_team_id: string,
  is_group: 'boolean',
  is_im: 'boolean',
  is_private: 'boolean',
  is_archived: 'boolean',
  is_general: 'boolean',
  unlinked: 'number',
  is_pending_ext_shared: 'boolean',
  pending_shared: 'list',
  updated: 'number',
  is_ext_shared: 'boolean',
  shared_team_ids: 'list',
  pending_connected_team_ids: 'list',
  topic: description,
  purpose: description,
  previous_names: 'list',
};

export const metadata = { event_type: string, event_payload: 'object' };
export const metadataEvent = {
  app_id: string,
  bot_id: string,
  user_id: string,
  team_id: string,
  channel_id: string,
  message_ts: string,
};

export const file = {
  id: string,
  name: string,
  title: string,
  mimetype: string,
  filetype: string,
  user: string,
  size: 'number',
  url_private: string,
};

const parameter = {
  type: 'string',
  name: 'string',
  description: 'string',
  title: 'string',
  is_required: 'boolean',
} as const;

export const functionExecuted = {
  function: {
    id: 'string',
    callback_id: 'string',
    title: 'string',
    description: 'string',
    type: 'string',
    input_parameters: [parameter],
    output_parameters: [parameter],
    app_id: 'string',
    date_created: 'number',
    date_updated: 'number',
    date_deleted: 'number',
  },
  inputs: 'object',
  function_execution_id: 'string',
  workflow_execution_id: 'string',
  bot_access_token: 'string',
} as const;

export const assistantThread = {
  assistant_thread: { user_id: 'string', context: 'object', channel_id: 'string', thread_ts: 'string' },
} as const;
