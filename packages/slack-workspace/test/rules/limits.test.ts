import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MESSAGE_BLOCKS } from '../../src/rules/block-rules.ts';
import type { Schema } from '../../src/rules/field-rule.ts';
import { FIELD_RULES } from '../../src/rules/find-problems.ts';
import { SLACK_LIMITS } from '../../src/rules/slack-limits.ts';

/** Slack's limits, copied from its documents independently of the code. */
const LIMITS: Record<string, Record<string, number>> = {
  plain_text: { text: 3000 },
  mrkdwn: { text: 3000 },
  section: { text: 3000, fields: 10, block_id: 255 },
  header: { text: 150 },
  context: { elements: 10 },
  actions: { elements: 25 },
  image: { image_url: 3000, alt_text: 2000, title: 2000 },
  input: { label: 2000, hint: 2000 },
  markdown: { text: 12_000 },
  table: { rows: 100, column_settings: 20 },
  button: { text: 75, value: 2000, url: 3000, action_id: 255, accessibility_label: 75 },
  option: { text: 75, value: 75, description: 75 },
  option_group: { label: 75, options: 100 },
  static_select: { options: 100, option_groups: 100, placeholder: 150 },
  overflow: { options: 5 },
  radio_buttons: { options: 10 },
  checkboxes: { options: 10 },
  confirm: { title: 100, text: 300, confirm: 30, deny: 30 },
  plain_text_input: { placeholder: 150, max_length: 3000 },
  file_input: { max_files: 10 },
  modal: {
    title: 24,
    submit: 24,
    close: 24,
    private_metadata: 3000,
    callback_id: 255,
    external_id: 255,
    blocks: 100,
  },
  home: { blocks: 100 },
  options_answer: { options: 100, option_groups: 100 },
};

/** The other limits, also copied, each with the file and title of the test that checks it. */
const OTHER_LIMITS: Record<keyof typeof SLACK_LIMITS, [max: number, file: string, test: string]> = {
  triggerIdMs: [3000, 'views', 'a form opens only with a trigger that is at most 3 s old'],
  openViews: [3, 'views', 'at most three forms can be stacked'],
  viewBytes: [256_000, 'views', 'a form of 250 KB opens, and a form of one more byte is refused'],
  acknowledgementMs: [3000, 'acknowledgement', 'an acknowledgement after two seconds is accepted'],
  responseUrlUses: [5, 'response-urls', 'a response_url works five times'],
  responseUrlMs: [1_800_000, 'response-urls', 'a response_url works for thirty minutes'],
  minQueryLength: [3, 'acknowledgement', 'a search starts after three letters by default'],
  messageTextLength: [40_000, 'refusals', 'a text is truncated after 40,000 characters'],
  updatedTextLength: [4000, 'refusals', 'msg_too_long: a changed text has more than 4,000 characters'],
  blocksTextLength: [11_340, 'web-api', 'blocks whose texts together are too long are refused'],
  markdownTextLength: [
    12_000,
    'rules/several-fields',
    'markdown blocks have at most 12,000 characters together',
  ],
  oauthCodeMs: [600_000, 'oauth', 'a code is valid for ten minutes'],
  accessTokenMs: [43_200_000, 'oauth', 'a rotating token is valid for twelve hours'],
  stepTokenMs: [900_000, 'steps', 'the token of a step expires after fifteen minutes'],
  refreshGraceMs: [60_000, 'oauth', 'a refresh token works again for a minute'],
  accessTokens: [2, 'oauth', 'two access tokens are valid simultaneously, and a third revokes the first'],
  tableTextLength: [
    10_000,
    'rules/several-fields',
    'the cells of a table have at most 10,000 characters together',
  ],
  messageIntervalMs: [1000, 'rate-limits', 'a channel accepts one message a second'],
  messagesPerMinute: [300, 'rate-limits', 'a workspace accepts 300 messages a minute'],
  attachments: [100, 'refusals', 'too_many_attachments: more than 100 attachments'],
  metadataBytes: [16_384, 'refusals', 'metadata_too_large: metadata of more than 16 KB'],
  conversationUsers: [8, 'refusals', 'too_many_users: more than eight people'],
  altTextLength: [1000, 'refusals', 'alt_txt_too_large: a description of more than 1,000 characters'],
  snippetBytes: [1_048_576, 'refusals', 'snippet_too_large: a snippet of more than 1 MB'],
  sockets: [10, 'delivery', 'an app may open ten sockets, and an eleventh is refused and closed'],
};

function findMax(schema: Schema | undefined): number | undefined {
  return schema && 'max' in schema ? schema.max : undefined;
}

describe('the table of rules', () => {
  const limits = Object.entries(LIMITS).flatMap(([kind, fields]) =>
    Object.entries(fields).map(([field, max]) => [kind, field, max] as const),
  );
  it.each(limits)('%s.%s has at most %i', (kind, field, max) => {
    expect(findMax(FIELD_RULES[kind]?.[field]?.schema)).toBe(max);
  });

  it('a message has at most 50 blocks', () => {
    expect(findMax(MESSAGE_BLOCKS)).toBe(50);
  });

  it.each(Object.entries(OTHER_LIMITS))(
    'the limit %s has the documented value, and a test checks it',
    (name, [max, file, test]) => {
      expect(Object.entries(SLACK_LIMITS).find(([key]) => key === name)?.[1].value).toBe(max);
      expect(readFileSync(new URL(`../${file}.test.ts`, import.meta.url), 'utf8')).toContain(test);
    },
  );

  it('every rule names its source', () => {
    const rules = Object.values(FIELD_RULES).flatMap((fields) => Object.values(fields));
    expect(rules.filter((rule) => !/^[TPDI]( [TPD])*$/.test(rule.source))).toEqual([]);
  });
});
