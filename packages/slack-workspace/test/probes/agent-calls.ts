import { type Spoil, set, twice } from './spoil.ts';
import { ANA, type Args, CHANNEL, type World } from './world.ts';

function startChat(world: World): Args {
  const { channel, ts } = world.workspace.as('Ana').startChat();
  return { channel_id: channel, thread_ts: ts };
}

const startArgs = async (world: World) => ({
  channel: CHANNEL,
  thread_ts: await world.message(),
  recipient_user_id: ANA,
  recipient_team_id: world.workspace.team.id,
  markdown_text: 'x',
});

async function startStream(world: World): Promise<Args> {
  const { ts } = await world.call('chat.startStream', await startArgs(world));
  return { channel: CHANNEL, ts, markdown_text: 'y' };
}

function runStep(world: World): Args {
  const { id } = world.workspace.as('Ana').runStep('Approve', { approver: 'Ben', text: 'x' });
  return { function_execution_id: id };
}

/** Arguments with which the methods of AI apps and workflow steps succeed. */
export const AGENT_CALLS: Readonly<Record<string, (world: World) => Args | Promise<Args>>> = {
  'assistant.threads.setStatus': (world) => ({ ...startChat(world), status: 'is thinking…' }),
  'assistant.threads.setSuggestedPrompts': (world) => ({
    ...startChat(world),
    prompts: [{ title: 'A', message: 'B' }],
  }),
  'assistant.threads.setTitle': (world) => ({ ...startChat(world), title: 'Posts' }),
  'chat.appendStream': startStream,
  'chat.startStream': startArgs,
  'chat.stopStream': startStream,
  'functions.completeError': (world) => ({ ...runStep(world), error: 'Nobody is here' }),
  'functions.completeSuccess': (world) => ({ ...runStep(world), outputs: { approved: true } }),
};

const STEP_PROBES: Readonly<Record<string, Spoil>> = {
  execution_not_in_running_state: twice,
  function_execution_not_found: (args) => ({ ...args, function_execution_id: 'Fx0NOWHERE00' }),
};

const TOO_MANY_BLOCKS = [1, 2].map(() => ({
  type: 'blocks',
  blocks: Array.from({ length: 26 }, () => ({ type: 'divider' })),
}));
const STREAM_PROBES: Readonly<Record<string, Spoil>> = {
  invalid_blocks: set({ chunks: [{ type: 'blocks', blocks: [{ type: 'nothing' }] }] }),
  invalid_chunks: set({ chunks: [{ type: 'nothing' }] }),
  msg_blocks_too_long: set({ markdown_text: 'x'.repeat(12_001) }),
  msg_blocks_too_many: set({ chunks: TOO_MANY_BLOCKS }),
};
const GROWING_PROBES: Readonly<Record<string, Spoil>> = {
  ...STREAM_PROBES,
  message_not_in_streaming_state: async (args, world) => ({ ...args, ts: await world.message() }),
  message_not_owned_by_app: async (args, world) => ({ ...args, ts: await world.personsMessage() }),
};

const named = (method: string, probes: Readonly<Record<string, Spoil>>) =>
  Object.fromEntries(Object.entries(probes).map(([error, probe]) => [`${method} ${error}`, probe]));

const noThread = set({ thread_ts: '1111111111.000100' });

export const AGENT_PROBES: Readonly<Record<string, Spoil>> = {
  'assistant.threads.setStatus invalid_thread_ts': noThread,
  'assistant.threads.setSuggestedPrompts invalid_thread_ts': noThread,
  'assistant.threads.setSuggestedPrompts not_agent_app': set({ thread_ts: undefined }),
  'assistant.threads.setTitle invalid_thread_ts': noThread,
  ...named('chat.appendStream', { ...GROWING_PROBES, no_text: set({ markdown_text: undefined }) }),
  ...named('chat.startStream', {
    ...STREAM_PROBES,
    channel_type_not_supported: async (args, world) => ({
      ...args,
      channel: await world.directMessage(),
      thread_ts: undefined,
    }),
    missing_recipient_team_id: set({ recipient_team_id: undefined }),
    missing_recipient_user_id: set({ recipient_user_id: undefined }),
    user_not_found: set({ recipient_user_id: 'U0NOBODY000' }),
  }),
  ...named('chat.stopStream', GROWING_PROBES),
  ...named('functions.completeError', STEP_PROBES),
  ...named('functions.completeSuccess', STEP_PROBES),
  'functions.completeSuccess parameter_validation_failed': set({ outputs: { approved: 'yes' } }),
  'chat.update streaming_state_conflict': async (args, world) => ({
    ...args,
    ts: (await startStream(world)).ts,
  }),
};
