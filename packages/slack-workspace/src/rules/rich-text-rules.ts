import {
  array,
  BOOLEAN,
  type FieldRule,
  type FieldRules,
  integer,
  object,
  oneOf,
  optionalField,
  requiredField,
  string,
  typedObject,
} from './field-rule.ts';

const STYLE: Record<string, FieldRule> = { style: optionalField(object('rich_text_style'), 'D T') };
const BORDER: Record<string, FieldRule> = { border: optionalField(integer(0, 1), 'T') };
const ID = requiredField(string(255, 1), 'T');

const PIECES: FieldRules = {
  // Slack refuses empty texts (NousResearch/hermes-agent #59621).
  text: { ...STYLE, text: requiredField(string(40_000, 1), 'I') },
  // And empty texts of links (slack-go/slack #1412).
  link: {
    ...STYLE,
    url: requiredField(string(3000, 1), 'T'),
    text: optionalField(string(40_000, 1), 'I'),
    unsafe: optionalField(BOOLEAN, 'T'),
  },
  emoji: {
    ...STYLE,
    name: requiredField(string(255, 1), 'T'),
    unicode: optionalField(string(255), 'T'),
    url: optionalField(string(3000), 'T'),
    skin_tone: optionalField(integer(2, 6), 'D'),
  },
  broadcast: { ...STYLE, range: requiredField(oneOf('here', 'channel', 'everyone'), 'T') },
  channel: { ...STYLE, channel_id: ID },
  color: { ...STYLE, value: ID },
  date: {
    ...STYLE,
    timestamp: requiredField(integer(0, Number.MAX_SAFE_INTEGER), 'T'),
    format: requiredField(string(3000, 1), 'T'),
    url: optionalField(string(3000), 'T'),
    fallback: optionalField(string(3000), 'T'),
  },
  team: { ...STYLE, team_id: ID },
  user: { ...STYLE, user_id: ID },
  usergroup: { ...STYLE, usergroup_id: ID },
};

// Slack's own clients make empty sections (slackapi/python-slack-sdk #1576).
const anyNumberOf = (...kinds: string[]) => requiredField(array(typedObject(...kinds), 0, 10_000), 'T');

/** The elements of rich_text blocks (docs.slack.dev, "Rich text block"). */
export const RICH_TEXT_RULES: FieldRules = {
  ...PIECES,
  rich_text_style: Object.fromEntries(
    ['bold', 'italic', 'strike', 'code', 'underline', 'highlight', 'client_highlight', 'unlink'].map(
      (name) => [name, optionalField(BOOLEAN, 'D T')],
    ),
  ),
  rich_text_section: { elements: anyNumberOf(...Object.keys(PIECES)) },
  rich_text_quote: { ...BORDER, elements: anyNumberOf(...Object.keys(PIECES)) },
  rich_text_preformatted: {
    ...BORDER,
    elements: anyNumberOf('text', 'link'),
    language: optionalField(string(255), 'D'),
  },
  rich_text_list: {
    ...BORDER,
    elements: anyNumberOf('rich_text_section'),
    style: requiredField(oneOf('bullet', 'ordered'), 'T'),
    indent: optionalField(integer(0, 100), 'T'),
    offset: optionalField(integer(0, Number.MAX_SAFE_INTEGER), 'D'),
  },
};

export const RICH_TEXT_ELEMENTS = anyNumberOf(
  'rich_text_section',
  'rich_text_list',
  'rich_text_quote',
  'rich_text_preformatted',
);
