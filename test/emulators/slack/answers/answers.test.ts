import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { isRecord } from '../../../../src/emulators/slack/json.ts';
import { collectPayloads } from '../collect-payloads.ts';
import { buildShape, findShapeFaults } from '../payload-shape.ts';
import { VALID_CALLS } from '../probes/valid-calls.ts';
import { startWorld, type World } from '../probes/world.ts';
import { REQUIRED_SHAPES } from '../required-shapes.ts';
import { DOCUMENTED_ANSWERS, RECORDED_EVENTS, RECORDED_NAMES } from './recorded.ts';

/** Keys of documented answers that ours lack, with the reason. */
const OMITTED_KEYS: readonly [names: RegExp, keys: RegExp, reason: string][] = [
  [
    /^conversations\.replies$/,
    /^messages\[1\]\.reply_count:/,
    'only the first message of a thread has replies',
  ],
  [
    /^(bots|files|users)\./,
    /\.(avatar_hash|image_\w+|thumb_\w+|original_\w|pjpeg|deanimate_gif):/,
    'pictures',
  ],
  [/^users\./, /has_2fa:/, 'only people’s tokens see it'],
  [/^users\.list$/, /^members\[\d+\]\./, 'people of elsewhere and deactivated people have less'],
  [/^users\.profile\.get$/, /^profile\.fields\./, 'nobody here has fields of the workspace’s own'],
  [
    /^users\.profile\.get$/,
    /^profile\.(huddle|pronouns|phone|skype|start_date|status_)/,
    'nobody filled them in',
  ],
  [/^chat\./, /^message\.(username|attachments|subtype):/, 'the example has a name and attachments'],
  [
    /^reactions\.list$/,
    /^items\[\d+\]\.(message\.(subtype|username)|comment|file)/,
    'the example has other items',
  ],
  [/^chat\.scheduleMessage$/, /^post_at: number/, 'the recordings have a number'],
  [
    /^conversations\./,
    /\.(last_read|latest|unread_count\w*|priority|subscribed):/,
    'of the person whose token it is',
  ],
  [/^conversations\./, /^channel\.(is_read_only|locale|properties\.\w+):/, 'only channels that have them'],
  [
    /^files\.info$/,
    /^file\.(is_starred|alt_txt|shares(?:\.\w+)?|image_exif_rotation):/,
    'the example is a shared picture',
  ],
  [/^team\.info$/, /^team\.enterprise_/, 'this workspace belongs to no organisation'],
  [/^usergroups\.list$/, /auto_type: null/, 'only groups that Slack made have one'],
  [/^event app_home_opened$/, /^view:/, 'the app has published no Home yet'],
  [
    /^event app_mention$/,
    /^(username|app_id|bot_\w+|subtype|upload|display_as_bot|\w+_team|user_profile|edited|thread_ts):/,
    'recordings mix mentions by people and by apps',
  ],
  [/^event link_shared$/, /^thread_ts:/, 'not in a thread'],
  [/^event member_joined_channel$/, /^enterprise:/, 'this workspace belongs to no organisation'],
  [
    /^event user_change$/,
    /^user\.(is_(invited_user|connector_bot|stranger|workflow_bot)|has_\w+|presence|enterprise_user|two_factor_type|who_can_\w+):/,
    'recordings mix people, bots and organisations',
  ],
];

const FUNCTION_EXECUTED = 'docs.slack.dev/reference/events/function_executed';
/** Keys of ours that no recording has, with their source. */
const OTHER_SOURCES: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    (
      'function input_parameters output_parameters is_required inputs function_execution_id workflow_execution_id ' +
      'bot_access_token interactor secret interactivity_pointer'
    )
      .split(' ')
      .map((name) => [name, FUNCTION_EXECUTED]),
  ),
  approver: 'an input of this test',
  opener: 'an input of this test',
  assistant_thread: '@slack/types 3.2.0, AssistantThreadStartedEvent',
  context: '@slack/types 3.2.0, AssistantThreadStartedEvent',
  force_search: 'docs.slack.dev/reference/events/assistant_thread_started',
  previous_metadata: 'docs.slack.dev/reference/events/message_metadata_updated',
  streaming_state: 'docs.slack.dev/reference/methods/chat.stopStream',
  cups: 'the metadata of this test',
};

function findFaults(name: string, example: Record<string, unknown>, ours: unknown): string[] {
  const omitted = OMITTED_KEYS.filter(([names]) => names.test(name)).map(([, keys]) => keys);
  const faults = findShapeFaults(buildShape(example, ours), ours);
  return faults.filter((fault) => !omitted.some((keys) => keys.test(fault)));
}

function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  return isRecord(value) ? Object.entries(value).flatMap(([name, inner]) => [name, ...namesIn(inner)]) : [];
}

describe('the answers of Slack', () => {
  let world: World;
  beforeAll(async () => {
    world = await startWorld();
  });
  afterAll(() => world.close());

  describe.each(Object.keys(VALID_CALLS))('%s', (method) => {
    let answer: Record<string, unknown>;
    beforeAll(async () => {
      answer = await world.call(method, await VALID_CALLS[method]?.(world));
    });

    it('the answer has every documented key', () => {
      expect(findFaults(method, DOCUMENTED_ANSWERS[method] ?? {}, answer)).toEqual([]);
    });

    it('every key of the answer was recorded of Slack, or has another source', () => {
      const isKnown = (name: string) => RECORDED_NAMES.has(name) || OTHER_SOURCES[name] !== undefined;
      expect(namesIn(answer).filter((name) => !isKnown(name))).toEqual([]);
    });
  });
});

describe('the events of Slack', () => {
  let payloads: Map<string, Record<string, unknown>>;
  beforeAll(async () => {
    payloads = await collectPayloads('http', Object.keys(REQUIRED_SHAPES));
  });

  // Only the app of an organisation hears of its workspaces (organisation.test.ts).
  const types = Object.keys(RECORDED_EVENTS).filter((type) => !type.startsWith('team_access_'));
  it.each(types)('the event has every recorded key: %s', (type) => {
    const event = payloads.get(`event ${type}`)?.event;
    expect(findFaults(`event ${type}`, RECORDED_EVENTS[type] ?? {}, event)).toEqual([]);
  });

  it('every key of an event was recorded of Slack, or has another source', () => {
    const names = [...payloads].flatMap(([kind, { event }]) =>
      namesIn(event).map((name) => `${kind}: ${name}`),
    );
    const unknown = names.filter((entry) => {
      const name = entry.slice(entry.indexOf(': ') + 2);
      return !RECORDED_NAMES.has(name) && OTHER_SOURCES[name] === undefined;
    });
    expect(unknown).toEqual([]);
  });
});
