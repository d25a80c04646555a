import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { KINDS } from '../../../../src/emulators/slack/rules/problems.ts';
import type { Value } from '../../../../src/emulators/slack/rules/rule.ts';
import { SLACK_LIMITS } from '../../../../src/emulators/slack/rules/slack-limits.ts';
import { MESSAGE_BLOCKS } from '../../../../src/emulators/slack/rules/view-rules.ts';
import { METHODS } from '../../../../src/emulators/slack/web-api/methods.ts';

/** Slack's limits, written down a second time from its documents: kind, field, the most. */
const LIMITS: [kind: string, field: string, most: number][] = [
  ['plain_text', 'text', 3000],
  ['mrkdwn', 'text', 3000],
  ['section', 'text', 3000],
  ['section', 'fields', 10],
  ['section', 'block_id', 255],
  ['header', 'text', 150],
  ['context', 'elements', 10],
  ['actions', 'elements', 25],
  ['image', 'image_url', 3000],
  ['image', 'alt_text', 2000],
  ['image', 'title', 2000],
  ['input', 'label', 2000],
  ['input', 'hint', 2000],
  ['markdown', 'text', 12_000],
  ['button', 'text', 75],
  ['button', 'value', 2000],
  ['button', 'url', 3000],
  ['button', 'action_id', 255],
  ['button', 'accessibility_label', 75],
  ['option', 'text', 75],
  ['option', 'value', 75],
  ['option', 'description', 75],
  ['option_group', 'label', 75],
  ['option_group', 'options', 100],
  ['static_select', 'options', 100],
  ['static_select', 'option_groups', 100],
  ['static_select', 'placeholder', 150],
  ['overflow', 'options', 5],
  ['radio_buttons', 'options', 10],
  ['checkboxes', 'options', 10],
  ['confirm', 'title', 100],
  ['confirm', 'text', 300],
  ['confirm', 'confirm', 30],
  ['confirm', 'deny', 30],
  ['plain_text_input', 'placeholder', 150],
  ['plain_text_input', 'max_length', 3000],
  ['file_input', 'max_files', 10],
  ['modal', 'title', 24],
  ['modal', 'submit', 24],
  ['modal', 'close', 24],
  ['modal', 'private_metadata', 3000],
  ['modal', 'callback_id', 255],
  ['modal', 'external_id', 255],
  ['modal', 'blocks', 100],
  ['home', 'blocks', 100],
  ['options_answer', 'options', 100],
  ['options_answer', 'option_groups', 100],
];

/** The other limits, a second time: the most, the file of the test that keeps to it and breaks it, and its name. */
const OTHERS: Record<keyof typeof SLACK_LIMITS, [most: number, file: string, test: string]> = {
  triggerMs: [3000, 'views', 'open with a trigger that is 3 s old, and not with one that is older'],
  viewStack: [3, 'views', 'lie on each other three deep and no deeper'],
  viewBytes: [256_000, 'views', 'of 250 KB are taken, of one byte more are not'],
  acknowledgeMs: [
    3000,
    'acknowledgement',
    'an acknowledgement after two seconds is taken, and none within three',
  ],
  responseUrlUses: [5, 'response-urls', 'works five times'],
  responseUrlMs: [1_800_000, 'response-urls', 'works for thirty minutes'],
  minQueryLength: [3, 'acknowledgement', 'asks after three letters, unless it says otherwise'],
  messageText: [40_000, 'refusals', 'a text of 40,000 characters is kept, a longer one is cut there'],
  updatedText: [4000, 'refusals', 'msg_too_long: chat.update beyond 4,000 characters'],
  textInBlocks: [11_340, 'web-api', 'refuses blocks that are too long together'],
  markdownText: [12_000, 'rules/whole-rules', 'markdown blocks have 12,000 characters in all'],
  oauthCodeMs: [600_000, 'oauth', 'is good for ten minutes'],
  accessTokenMs: [43_200_000, 'oauth-tokens', 'is good for twelve hours'],
  refreshGraceMs: [60_000, 'oauth-tokens', 'is refreshed again by the same refresh token for a minute'],
  accessTokens: [2, 'oauth-tokens', 'two at once are good, a third ends the first'],
  postingMs: [1000, 'rate-limits', 'let one message a second into each channel'],
  postingPerMinute: [300, 'rate-limits', 'let 300 messages a minute into a workspace'],
  sockets: [10, 'delivery', 'may have ten sockets; an eleventh is told so and closed'],
};

/** Calls a minute, a third time. */
const TIERS: Record<string, string | number> = {
  'views.open': 4,
  'views.push': 4,
  'views.update': 4,
  'views.publish': 4,
  'users.info': 4,
  'chat.postEphemeral': 4,
  'chat.update': 3,
  'conversations.info': 3,
  'conversations.open': 3,
  'conversations.list': 2,
  'users.list': 2,
  'emoji.list': 2,
  'usergroups.list': 2,
  'usergroups.users.list': 2,
  'team.info': 3,
  'conversations.members': 4,
  'conversations.history': 3,
  'users.conversations': 3,
  'chat.postMessage': 'posting',
};

function mostOf(value: Value | undefined): number | undefined {
  return value && 'max' in value ? value.max : undefined;
}

describe('the table of rules', () => {
  it.each(LIMITS)('says of %s.%s: at most %i', (kind, field, most) => {
    expect(mostOf(KINDS[kind]?.[field]?.value)).toBe(most);
  });

  it('says of a message: at most 50 blocks', () => {
    expect(mostOf(MESSAGE_BLOCKS)).toBe(50);
  });

  it.each(Object.entries(OTHERS))('says of %s what its test breaks and keeps', (name, [most, file, test]) => {
    expect(Object.entries(SLACK_LIMITS).find(([key]) => key === name)?.[1].is).toBe(most);
    expect(readFileSync(new URL(`../${file}.test.ts`, import.meta.url), 'utf8')).toContain(test);
  });

  it.each(Object.entries(TIERS))('has %s in tier %s', (method, tier) => {
    expect(METHODS.get(method)?.tier).toBe(tier);
  });

  it('names a source for every rule', () => {
    const rules = Object.values(KINDS).flatMap((fields) => Object.values(fields));
    expect(rules.filter((rule) => !/^[TPDI]( [TPD])*$/.test(rule.source))).toEqual([]);
  });
});
