import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createApiClient } from '../../src/api/client.ts';
import { createPost } from '../../src/api/posts.ts';
import { postForm } from '../../src/features/schedule-post/post-form.ts';
import { findEmailFault } from '../../src/features/users/invitation.ts';
import { checkForm } from '../../src/forms/current-form.ts';
import { createPostValues, type PostValueChanges } from '../support/post-values.ts';
import { type ScriptedService, startScriptedService } from '../support/scripted-service.ts';

// Bad form values. Each either causes an error under its field, or is sent as entered.

const NOW = new Date('2026-11-20T12:00:00Z');
const project = { id: 'p1', name: 'Harbour Coffee' };
const formContext = {
  projects: [project],
  hasMore: false,
  chosen: project,
  actorZone: 'Europe/Berlin',
  zones: { byProject: {} },
};
const VALID_VALUES = createPostValues({ project, when: '1 Dec 9am', zone: { zone: 'Europe/Berlin' } });

/** Lists the fields with an error. Empty if the form may be sent. */
function listFaultyFields(changes: PostValueChanges): string[] {
  const result = checkForm(postForm, { values: { ...VALID_VALUES, ...changes }, formContext, now: NOW });
  return result.kind === 'invalid' ? Object.keys(result.errors) : [];
}

const REDDIT = { platforms: ['REDDIT'] };

describe('the form of a post', () => {
  test.each<[name: string, changes: PostValueChanges, fields: string[]]>([
    ['blank content', { text: ' \n\u200b ' }, ['text']],
    ['3,000 characters', { text: 'a'.repeat(3_000), ...REDDIT }, []],
    ['3,001 characters', { text: 'a'.repeat(3_001), ...REDDIT }, ['text']],
    ['emoji at the limit', { text: '🎉'.repeat(140) }, []],
    ['emoji over the limit', { text: '🎉'.repeat(141) }, ['text']],
    ['no platform', { platforms: [] }, ['platforms']],
    ['an unknown platform', { platforms: ['MYSPACE'] }, ['platforms']],
    ['the same platform twice', { platforms: ['X', 'X'] }, []],
    ['a past date', { when: '19 Nov 2026 9am' }, ['when']],
    ['year 9999', { when: '1 Dec 9999 9am' }, ['when']],
    ['29 February of a leap year', { when: '29 February 2028 9am' }, []],
    ['29 February of an ordinary year', { when: '29 February 2027 9am' }, ['when']],
    ['a DST gap', { when: '28 March 2027 02:30' }, ['when']],
    ['an overlap', { when: '31 October 2027 02:30' }, ['when']],
    ['a bad zone', { zone: { zone: 'Mars/Olympus' } }, ['zone']],
    ['Media javascript:', { media: 'javascript:alert(1)' }, ['media']],
    ['Media file:', { media: 'file:///etc/passwd' }, ['media']],
    // The app passes these addresses on to the service and never requests them.
    ['Media http://169.254.169.254', { media: 'http://169.254.169.254' }, []],
    ['Media http://[::ffff:127.0.0.1]', { media: 'http://[::ffff:127.0.0.1]' }, []],
    ['Media http://2130706433', { media: 'http://2130706433' }, []],
    ['Media user:pass@host', { media: 'https://user:pass@host/a.png' }, []],
  ])('a post with %s has exactly the expected errors', (_name, changes, fields) => {
    expect(listFaultyFields(changes)).toEqual(fields);
  });
});

describe('the form of an invitation', () => {
  test('an invitation with an international e-mail address may be sent', () => {
    expect(findEmailFault('josé@bücher.example')).toBeUndefined();
  });
  test('an invitation with a line break in its e-mail address may not be sent', () => {
    expect(findEmailFault('ana@example.com\r\nBcc: all@example.com')).toBeTypeOf('string');
  });
});

describe('the request to the service', () => {
  let service: ScriptedService;
  beforeAll(async () => {
    service = await startScriptedService();
  });
  afterAll(() => service.stop());

  test('a repeated platform is sent once', async () => {
    const client = createApiClient({ baseUrl: service.url, token: 'a-token' });
    await createPost(client, {
      projectId: 'p1',
      content: 'Hello',
      platforms: ['X', 'LINKEDIN', 'X'],
      status: 'DRAFT',
    });
    await client.close();
    expect(service.created()).toEqual([expect.objectContaining({ Platforms: ['X', 'LINKEDIN'] })]);
  });
});
