import { describe, expect, test } from 'vitest';
import { NAMED_DEEDS, type RecordRow } from '../../../src/access/access.ts';
import { DECISIONS } from '../../../src/access/record/entry.ts';
import { features } from '../../../src/app/features.ts';
import {
  type AuditNames,
  listDeeds,
  type RecordedSubmission,
  renderAuditSentence,
} from '../../../src/features/audit/audit-sentence.ts';

const PROJECT_ID = '0b9d7a52-6c1e-4f0e-9a35-2f6f3d7f8c11';
const SUBMISSION_ID = '5f0c6a0e-8a3d-4f43-9a51-0d8e2f1b7c22';

/** The targets of actions that record one, in all their forms. */
const TARGETS: Readonly<Record<string, readonly string[]>> = {
  installed: ['A01UPNEXTA'],
  'roles give': ['person U03MIRAVOS publisher', 'group S01TEAM owner', 'members viewer', 'members none'],
  'roles take': ['person U03MIRAVOS', 'group S01TEAM', 'members'],
  'roles ask': ['person U03MIRAVOS publisher'],
  'roles decline': ['person U03MIRAVOS publisher'],
  'roles claim': ['person U03MIRAVOS owner'],
  'policy set': [
    'lead  > 60; review off > required; step1  > any role:publisher person:U03MIRAVOS group:S01TEAM',
    'stand-ins person:U03MIRAVOS > ; channel C02HARBOUR > ; override  > person:U03MIRAVOS',
    'unknown 1 > 2',
  ],
  'connect add': ['localhost'],
  'connect move': ['localhost'],
  'connect remove': ['localhost'],
  'projects use': ['channel C02HARBOUR'],
  'zone set channel': ['channel C02HARBOUR Europe/Berlin', 'channel C02HARBOUR'],
  'zone set project': [`project ${PROJECT_ID} Europe/Berlin`, `project ${PROJECT_ID}`],
};

/** Every action that can be recorded: the named ones, each kind of submission, and each request to a feature. */
function listActions(): string[] {
  const requests = features.flatMap(({ name, ...feature }) => {
    const listIds = (surface: string, handlers: object = {}) =>
      Object.keys(handlers).map((id) => `${name} ${surface} ${id}`);
    return [
      ...feature.commands.map((command) => `${name} command ${command.name}`),
      ...(feature.open ? [`${name} open`] : []),
      ...listIds('view', feature.views),
      ...listIds('shortcut', feature.shortcuts),
      ...listIds('action', feature.actions),
      ...listIds('options', feature.options),
      ...listIds('event', feature.events),
    ];
  });
  const kinds = features.flatMap(({ submissions = [] }) => submissions.map((kind) => `send ${kind.name}`));
  return [...Object.keys(NAMED_DEEDS), ...kinds, ...requests];
}

const submission: RecordedSubmission = {
  ...{ state: 'confirmed', isDraft: false, time: 'Tue 1 Dec, 09:00' },
  ...{ excerpt: 'Open late', retryCount: 0 },
};
const deeds = listDeeds(features);
const NO_NAMES: AuditNames = {
  ...{ projects: new Map(), areProjectsComplete: false, submissions: new Map() },
  deeds,
};
const ALL_NAMES: AuditNames = {
  deeds,
  projects: new Map([[PROJECT_ID, 'Harbour Coffee']]),
  areProjectsComplete: true,
  submissions: new Map([[SUBMISSION_ID, submission]]),
};

function renderRow(
  entry: Partial<RecordRow> & Pick<RecordRow, 'action' | 'target' | 'decision'>,
  names: AuditNames,
) {
  const fixedFields = {
    workspace: 'T01HARBOUR',
    seq: '123',
    id: 'i-123',
    at: new Date(),
    reference: 'r-4711',
  };
  const row: RecordRow = { ...fixedFields, actor: 'U01ANA', project: PROJECT_ID, ...entry };
  return renderAuditSentence(row, names);
}

/** The sentence without mentions, which Slack shows as names, and without the emoji of denied attempts. */
const removeMentions = (text: string) =>
  text.replace(/<(?:@U|#C|!subteam\^S)[A-Z0-9]+>/g, 'Name').replace(':no_entry:', '');

const INTERNAL_NAMES = {
  'a UUID': /[0-9a-f]{8}-[0-9a-f]{4}-/,
  'a dotted name': /\w\.\w/,
  'a name in snake case': /[a-z]_[a-z]/,
  'a name in camel case': /\b[a-z]+[A-Z]/,
  'a hyphenated id': /\b(?:schedule-post|up-next|list-posts|invite-user|update-user|give-role)\b/,
  'an id of Slack': /\b[UWCSTA]0[A-Z0-9]+/,
  'the word moment': /\bmoment/i,
  'an unknown action': /doesn’t know|undefined/,
};

describe('each recorded action is shown as a sentence without internal names', () => {
  const actions = listActions();

  test('the list of actions is not empty', () => expect(actions.length).toBeGreaterThan(200));

  test.each(actions)('%s', (action) => {
    const defaultTargets = action.startsWith('send ') ? [SUBMISSION_ID, ''] : [''];
    const digestTargets =
      action.startsWith('digests ') && !action.includes('.') ? ['channel C02HARBOUR'] : [];
    for (const target of [...defaultTargets, ...(TARGETS[action] ?? []), ...digestTargets]) {
      for (const decision of DECISIONS) {
        for (const names of [NO_NAMES, ALL_NAMES]) {
          const sentence = renderRow({ action, target, decision }, names);
          const visible = removeMentions(sentence);
          for (const pattern of Object.values(INTERNAL_NAMES)) expect(visible).not.toMatch(pattern);
          expect(sentence).toContain('<@U01ANA>');
          if (decision === 'refused' || decision === 'not-checked')
            expect(visible).toMatch(/Denied:.* tried to \w/);
          else expect(visible).toMatch(/^Name \w+ /);
          if (decision === 'unchanged') expect(visible).toMatch(/^Name tried to .+, but nothing was done$/);
          if (decision === 'unknown') expect(visible).toMatch(/^Name (?!tried).+ \(result unknown\)$/);
        }
      }
    }
  });
});

describe('the sentence for an action', () => {
  const render = (entry: Partial<RecordRow> & { action: string }, names = ALL_NAMES) =>
    renderRow({ target: '', decision: 'done', ...entry }, names);

  test('the outcome of a hand-over is said of the hand-over alone', () => {
    const names = {
      ...ALL_NAMES,
      submissions: new Map([[SUBMISSION_ID, { ...submission, state: 'unknown' as const }]]),
    };
    const renderDone = (action: string) => render({ action, target: SUBMISSION_ID }, names);
    expect(renderDone('held-posts hand-over')).toContain('(result unknown)');
    for (const action of ['held-posts save', 'held-posts move', 'held-posts cancel'])
      expect(renderDone(action)).toMatch(/ a post in Harbour Coffee$/u);
  });

  test('the sentence names the invited person and the project', () => {
    const names = {
      ...ALL_NAMES,
      submissions: new Map([[SUBMISSION_ID, { ...submission, subject: 'ada@example.com' }]]),
    };
    const entry = { action: 'send invitation', target: SUBMISSION_ID };
    expect(render(entry, names)).toBe('<@U01ANA> invited ada@example.com to Harbour Coffee');
    expect(render(entry, NO_NAMES)).toBe(
      '<@U01ANA> invited someone to a project whose name I couldn’t look up (result unknown)',
    );
  });

  test('the sentence says what changed in a policy', () => {
    const target = 'lead 60 > ; step1 any role:owner person:U03MIRAVOS > ; channel  > C02HARBOUR';
    expect(render({ action: 'policy set', target })).toBe(
      '<@U01ANA> changed the policy of posts in Harbour Coffee: hand-over from 1 hour before to right away, step 1 from Owners, <@U03MIRAVOS> to nobody, requests from direct messages to <#C02HARBOUR>',
    );
  });

  test.each([
    ['roles give', 'person U03MIRAVOS publisher', '', '<@U01ANA> made <@U03MIRAVOS> a Publisher'],
    ['roles ask', 'person U01ANA owner', '', '<@U01ANA> asked for the Owner role'],
    ['stop project', '', PROJECT_ID, '<@U01ANA> stopped sending in Harbour Coffee'],
    ['projects use', 'channel C02HARBOUR', PROJECT_ID, '<@U01ANA> chose Harbour Coffee for <#C02HARBOUR>'],
    [
      'zone set channel',
      'channel C02HARBOUR Europe/Berlin',
      '',
      '<@U01ANA> set the time zone of <#C02HARBOUR> to Berlin',
    ],
    [
      'zone set project',
      `project ${PROJECT_ID} Europe/Berlin`,
      PROJECT_ID,
      '<@U01ANA> set the time zone of Harbour Coffee to Berlin',
    ],
    [
      'zone set project',
      `project ${PROJECT_ID}`,
      PROJECT_ID,
      '<@U01ANA> removed the time zone of Harbour Coffee',
    ],
  ])('“%s” names the person, the role, the channel and the project', (action, target, project, sentence) =>
    expect(render({ action, target, project })).toBe(sentence),
  );

  const renderPost = (changes: Partial<RecordedSubmission>) =>
    render(
      { action: 'send post', target: SUBMISSION_ID, decision: 'allowed' },
      { ...ALL_NAMES, submissions: new Map([[SUBMISSION_ID, { ...submission, ...changes }]]) },
    );

  test('the sentence has the beginning of a post’s text, escaped and on one line', () => {
    expect(renderPost({ excerpt: 'Open <!channel>\n& late' })).toBe(
      '<@U01ANA> scheduled a post “Open &lt;!channel&gt; &amp; late” in Harbour Coffee for Tue 1 Dec, 09:00',
    );
    expect(renderPost({ excerpt: '&'.repeat(100) })).toMatch(/“(?:&amp;){11}…” in Harbour Coffee/);
    expect(renderPost({ isDraft: true })).toBe('<@U01ANA> saved a draft “Open late” in Harbour Coffee');
    expect(renderPost({ excerpt: '' })).toContain(' scheduled a post in Harbour Coffee');
  });

  test('the sentence says the result and the number of retries', () => {
    const post = 'schedule a post “Open late” in Harbour Coffee for Tue 1 Dec, 09:00';
    expect(renderPost({ state: 'refused' })).toBe(`<@U01ANA> tried to ${post}, but the service refused it`);
    expect(renderPost({ state: 'gave-up', retryCount: 7 })).toBe(
      `<@U01ANA> tried to ${post}, but I couldn’t send it after 7 retries`,
    );
    expect(renderPost({ state: 'discarded' })).toBe(`<@U01ANA> tried to ${post}, but it was discarded`);
    expect(renderPost({ state: 'unsure' })).toContain('09:00 (result unknown)');
    expect(renderPost({ state: 'blocked' })).toBe(`<@U01ANA> tried to ${post}, but it wasn’t sent`);
    expect(renderPost({ state: 'retryable', retryCount: 1 })).toContain('09:00 after 1 retry (pending)');
    expect(renderPost({ retryCount: 7 })).toMatch(/09:00 after 7 retries$/);
  });

  test('the sentence for a denied attempt says how often it was repeated', () =>
    expect(
      render({
        action: 'list-posts command posts',
        target: '29 more times',
        decision: 'refused',
        project: '',
      }),
    ).toBe(':no_entry: *Denied:* <@U01ANA> tried to open the list of posts again (29 times)'));

  test('the sentence says of a press that changed nothing, or failed, what is known', () => {
    const action = 'series action series.pause';
    expect(render({ action, decision: 'unchanged' })).toBe(
      '<@U01ANA> tried to pause a series in Harbour Coffee, but nothing was done',
    );
    expect(render({ action, decision: 'unknown' })).toBe(
      '<@U01ANA> paused a series in Harbour Coffee (result unknown)',
    );
    expect(render({ action, decision: 'refused' })).toBe(
      ':no_entry: *Denied:* <@U01ANA> tried to pause a series in Harbour Coffee',
    );
  });

  test('the sentence begins with “Someone” if Slack doesn’t report who acted', () =>
    expect(render({ actor: 'slack', action: 'uninstalled', project: '' })).toBe(
      'Someone uninstalled Upnext',
    ));
});
