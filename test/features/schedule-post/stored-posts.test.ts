import { expect, test } from 'vitest';
import { postContent, toFormValues } from '../../../src/features/schedule-post/sent/post-content.ts';
import { postSubmission } from '../../../src/features/schedule-post/sent/post-submission.ts';

const project = { id: 'p1', name: 'Harbour Coffee' };
const moment = { instant: '2026-12-01T08:00:00.000Z', zone: 'Europe/Berlin', notes: [] };

/** The posts as they are stored. Their formats must stay readable. */
const stored = {
  complete: {
    values: {
      project,
      text: ' We open\r\nat nine ',
      furtherTexts: [' and more'],
      platforms: ['X', 'LINKEDIN', 'X'],
      status: 'SCHEDULED',
      when: '1 Dec 9am',
      zone: 'Europe/Berlin',
      media: ' https://example.com/a.png ',
      template: { id: 't1', name: 'Opening' },
      prompt: { id: 'q1', name: 'Mornings' },
    },
    text: ' We open\r\nat nine  and more',
    project,
    actorZone: 'Europe/Lisbon',
    moment,
    draft: 'post_7',
  },
  draft: {
    values: { text: 'Later', platforms: [], status: 'DRAFT', when: '', zone: 'UTC', media: '' },
    project,
  },
};

/** Approvals are bound to a hash of this text, so each of its characters counts. */
const requests = {
  complete:
    '{"projectId":"p1","content":" We open\\r\\nat nine  and more","media":" https://example.com/a.png ","templateId":"t1","promptId":"q1","schedule":{"instant":"2026-12-01T08:00:00.000Z","zone":"Europe/Berlin"},"platforms":["X","LINKEDIN"],"status":"SCHEDULED"}',
  draft: '{"projectId":"p1","content":"Later","platforms":[],"status":"DRAFT"}',
};

/** Rows store a hash of this text, by which authors and equal posts are found. */
const fingerprints = {
  complete:
    '["p1","We open\\nat nine  and more","https://example.com/a.png",["LINKEDIN","X"],29935200,false]',
  draft: '["p1","Later","",[],null,true]',
};

for (const name of ['complete', 'draft'] as const) {
  const read = () => postContent.parse(stored[name]);

  test(`an approval of a stored post stays valid: ${name}`, () => {
    expect(JSON.stringify(postSubmission.post.describeRequest(read()))).toBe(requests[name]);
  });

  test(`a stored post keeps its fingerprint: ${name}`, () => {
    const { unknownOutcome } = postSubmission;
    if (unknownOutcome.strategy !== 'reconcile') expect.unreachable();
    expect(unknownOutcome.computeEqualityKey(read())).toBe(fingerprints[name]);
  });
}

test('a stored post opens in the form with all its values', () => {
  const { values } = stored.complete;
  expect(toFormValues(postContent.parse(stored.complete))).toMatchObject({
    text: values.text,
    text2: ' and more',
    zone: { zone: 'Europe/Berlin' },
    media: values.media,
    template: values.template,
    prompt: values.prompt,
  });
});
