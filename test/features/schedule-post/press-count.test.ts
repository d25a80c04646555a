import { WebClient } from '@slack/web-api';
import { uploadFile } from 'slack-workspace-emulator/test-support/upload-file';
import { expect, test } from 'vitest';
import { buildJpeg } from '../../support/media-files.ts';
import { data, invalid, json } from '../../support/scripted-service.ts';
import { FAST_RETRIES, RECEIPT_PACE, setUpBot } from '../../support/set-up-bot.ts';

const { database, running, setPolicy, startBot } = setUpBot();

/** Counts what a person does: each typed line or field, and each press. */
function createCounter() {
  let count = 0;
  return {
    async do<Result>(action: Promise<Result>): Promise<Result> {
      count += 1;
      return action;
    },
    get count() {
      return count;
    },
  };
}

/** Schedules a post in the channel, so that its project has a last post. */
async function scheduleFirstPost({ takesFiles = false } = {}) {
  await startBot({ takesFiles, pace: FAST_RETRIES });
  running.service.on(
    'GET /projects',
    data([
      { Id: 'p1', Name: 'Harbour Coffee' },
      { Id: 'p2', Name: 'Night Market' },
    ]),
  );
  const ana = running.workspace.as('Ana').in('#general');
  await ana.type('/upnext use harbour coffee');
  await ana.sees('This channel now follows Harbour Coffee.');
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'The first post');
  await form.choose('Platforms', ['X', 'LinkedIn']);
  await form.fill('When', '1 Dec 8am');
  await form.submit();
  await ana.sees('Scheduled for');
  return ana;
}

test('scheduling a post in a bound channel takes the command, the text, the time and one press', async () => {
  const ana = await scheduleFirstPost();
  const steps = createCounter();
  await steps.do(ana.type('/schedule-post'));
  const form = await ana.modal('Schedule a post');
  await steps.do(form.fill('Text', 'We open at nine'));
  await steps.do(form.fill('When', '1 Dec 9am'));
  await steps.do(form.submit());
  await expect.poll(() => running.service.created()).toHaveLength(2);
  expect(steps.count).toBeLessThanOrEqual(4);
  expect(running.service.created()[1]).toMatchObject({
    Content: 'We open at nine',
    Platforms: ['X', 'LINKEDIN'],
    ScheduleDate: '2026-12-01T09:00:00+00:00',
  });
});

test('another text for one of the platforms takes two more steps', async () => {
  const ana = await scheduleFirstPost();
  const steps = createCounter();
  await steps.do(ana.type('/schedule-post'));
  const form = await ana.modal('Schedule a post');
  await steps.do(form.fill('Text', 'We open at nine, and there is cake'));
  await steps.do(form.choose('Different text for', ['X']));
  await ana.sees('Text for X');
  await steps.do(form.fill('Text for X', 'Cake at nine'));
  await steps.do(form.fill('When', '1 Dec 9am'));
  await steps.do(form.submit());
  await expect.poll(() => running.service.created()).toHaveLength(3);
  expect(steps.count).toBeLessThanOrEqual(6);
  // The next post begins with the platforms of the whole post.
  await ana.sees('Text for X:');
  await ana.type('/schedule-post');
  const next = await ana.modal('Schedule a post');
  expect(next.text()).toContain('(X, LinkedIn)');
});

test('scheduling a picture from the channel takes two presses in its menu, the time and one press', async () => {
  const ana = await scheduleFirstPost({ takesFiles: true });
  const { botToken, apiUrl } = running.workspace;
  await uploadFile(new WebClient(botToken, { slackApiUrl: apiUrl }), {
    ...{ channel_id: 'C01GENERAL', initial_comment: 'Our new door' },
    ...{ file: buildJpeg({ width: 1200, height: 1000 }), filename: 'door.jpg' },
  });
  const steps = createCounter();
  const [menu, entry] = [Promise.resolve(), ana.shortcut('Schedule this message', 'Our new door')];
  await steps.do(menu);
  await steps.do(entry);
  const form = await ana.modal('Schedule a post');
  await steps.do(form.fill('When', '1 Dec 9am'));
  await steps.do(form.submit());
  await expect.poll(() => running.service.created()).toHaveLength(2);
  expect(steps.count).toBeLessThanOrEqual(4);
  expect(running.service.created()[1]).toMatchObject({
    Content: 'Our new door',
    Media: expect.stringMatching(/\/media\/[\w-]{43}\.jpg$/),
    Platforms: ['X', 'LINKEDIN'],
  });
});

test('fixing a refused post takes a press, the new text and another press', async () => {
  const ana = await scheduleFirstPost();
  running.service.on('POST /posts', json(429, {}));
  await ana.type('/schedule-post');
  const form = await ana.modal('Schedule a post');
  await form.fill('Text', 'WE OPEN AT NINE');
  await form.fill('When', '1 Dec 9am');
  await (await form.submit()).view?.close();
  running.service.on('POST /posts', invalid({ loc: ['body', 'Content'], msg: 'is too loud' }));
  await ana.inDirectMessage();
  await ana.sees('[Fix and send again]');
  running.service.on('POST /posts', data({ Id: 'made' }));
  const steps = createCounter();
  await steps.do(ana.press('Fix and send again'));
  const reopenedForm = await ana.modal('Schedule a post');
  await steps.do(reopenedForm.fill('Text', 'We open at nine'));
  await steps.do(reopenedForm.submit());
  await expect.poll(() => running.service.created().at(-1)?.Content).toBe('We open at nine');
  expect(steps.count).toBeLessThanOrEqual(3);
});

/** Counts presses only. Choosing an option of a list takes two. */
test('each daily job takes few presses', async () => {
  await startBot({ pace: RECEIPT_PACE, limits: false });
  await setPolicy({ leadMinutes: 60 });
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  const presses: Record<string, number> = {};
  const count = async (job: string, ...steps: (() => Promise<unknown>)[]) => {
    for (const step of steps) await step();
    presses[job] = steps.length;
  };
  const submit = (title: string) => async () => (await ana.modal(title)).submit();
  const write = async (line: string) => {
    await ana.type(`/schedule-post ${line}`);
    return ana.modal('Schedule a post');
  };

  const form = await write('');
  await form.fill('Text', 'The first post');
  await form.fill('When', '1 Dec 9am');
  // The platform's list, its option, and the button.
  await count(
    'first post',
    () => form.choose('Platforms', ['X']),
    async () => undefined,
    submit('Schedule a post'),
  );
  await ana.sees('Author: you');
  await count(
    'move',
    () => ana.press('Move to…'),
    async () => {
      const move = await ana.modal('Move to…');
      await move.fill('When', '2 Dec 10am');
      await move.submit();
    },
  );
  await (await ana.modal('Upnext')).close();
  await write('3 Dec 9am on x: One line');
  await count('one line', submit('Schedule a post'));
  await ana.sees('One line');
  await count(
    'edit',
    () => ana.press('Edit'),
    async () => {
      const edit = await ana.modal('Edit post');
      await edit.fill('Text', 'One other line');
      await edit.submit();
    },
  );
  await write('4 Dec 9am on x: To be cancelled');
  await submit('Schedule a post')();
  await ana.sees('To be cancelled');
  await count('cancel', () => ana.press('Cancel'));
  await count('undo', () => ana.press('Undo'));
  await write('mon, tue, wed, thu and fri 9am on linkedin: Five');
  await count('five posts', submit('Schedule a post'));
  await ana.sees('5 posts saved');
  await ana.type('/upnext digest weekdays 8:30');
  await ana.type('/upnext digest now');
  await count('digest now', () => ana.press('Send now: Weekdays at 08:30 (Lisbon)'));
  await ana.type('/upnext stop Harbour Coffee');
  await count('stop', submit('Stop sending?'));
  await (await ana.modal('Stopped')).close();
  await ana.type('/upnext resume');
  await count('resume', () => ana.press('Resume'));
  await ana.sees('is resumed.');

  const approvers = [{ kind: 'person' as const, id: 'U02BENOKAF' }];
  await setPolicy({
    leadMinutes: 60,
    review: 'required',
    reviewSteps: [{ approvers, needs: 'any' }],
    channel: 'C02HARBOUR',
  });
  const ben = running.workspace.as('Ben').in('#harbour-coffee');
  const sendForReview = async (text: string) => {
    await write(`5 Dec 9am on x: ${text}`);
    await submit('Schedule a post')();
    await ben.sees(text);
  };
  await sendForReview('To be approved');
  await count('approve', () => ben.press('Approve'));
  await ben.sees('Approved');
  await sendForReview('To be changed');
  await count(
    'request changes',
    () => ben.press('Request changes'),
    async () => {
      const request = await ben.modal('Request changes');
      await request.fill('What should change?', 'Shorter');
      await request.submit();
    },
  );
  await expect
    .poll(async () =>
      (await database.db.selectFrom('held_post').select('reason').execute()).map(({ reason }) => reason),
    )
    .toContain('changes-requested');
  expect(presses).toEqual({
    ...{ 'first post': 3, 'one line': 1, 'five posts': 1, move: 2, edit: 2, cancel: 1, undo: 1 },
    ...{ approve: 1, 'request changes': 2, stop: 1, resume: 1, 'digest now': 1 },
  });
});
