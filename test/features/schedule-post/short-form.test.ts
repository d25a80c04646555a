import { describe, expect, test } from 'vitest';
import { openFilledForm, showMoreOptions } from '../../support/filled-form.ts';
import { data, invalid } from '../../support/scripted-service.ts';
import { setUpBot } from '../../support/set-up-bot.ts';

const { running, startBot } = setUpBot();

async function openForm() {
  const ana = running.workspace.as('Ana').in('#harbour-coffee');
  await ana.type('/schedule-post');
  return { ana, form: await ana.modal('Schedule a post') };
}

describe('the form for a post', () => {
  test('the form opens with Text first, and with only the fields that most posts need', async () => {
    await startBot();
    const { form } = await openForm();
    expect(form.labels()).toEqual(['Text', 'Platforms', 'When', 'When you submit']);
    expect(form.text()).toContain('[More options]');
  });

  test('the form shows all fields after a press on “More options”, and keeps all typed values', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running);
    await showMoreOptions(ana, form);
    expect(form.labels().slice(4)).toEqual(['Media', 'Template', 'Prompt', 'Time zone']);
    expect(form.text()).not.toContain('[More options]');
    expect(form.value('Text')).toBe('We open at nine');
    expect(form.value('When')).toBe('1 Dec 9am');
    expect((await form.submit()).closed).toBe(true);
  });

  test('the form shows Media as soon as a platform needs it, and still shows it when the field is emptied', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running);
    expect(form.labels()).not.toContain('Media');
    await form.choose('Platforms', ['Instagram']);
    await ana.sees('Instagram needs media.');
    await form.fill('Media', 'https://example.com/a.jpg');
    await form.choose('Platforms', ['X']);
    await form.fill('Media', '');
    await form.fill('When', '2 Dec 9am');
    await ana.sees('Wed 2 Dec, 09:00');
    expect(form.labels()).toContain('Media');
    expect(form.labels()).not.toContain('Template');
  });

  test('the form requires the text, a platform and a time for a scheduled post, but only the text for a draft', async () => {
    await startBot();
    const { ana, form } = await openForm();
    const requiredError = 'Please complete this required field.';
    expect((await form.submit()).errors).toEqual({
      Text: requiredError,
      Platforms: requiredError,
      When: requiredError,
    });
    await form.fill('Text', 'We open at nine');
    await form.choose('When you submit', 'Save as draft');
    await ana.sees('[Save draft]');
    expect((await form.submit()).closed).toBe(true);
  });

  test('the form requires the time again if a draft becomes a scheduled post', async () => {
    await startBot();
    const { ana, form } = await openForm();
    await form.fill('Text', 'We open at nine');
    await form.choose('Platforms', ['X']);
    await form.choose('When you submit', 'Save as draft');
    await ana.sees('[Save draft]');
    await form.choose('When you submit', 'Schedule');
    await ana.sees('[Schedule]');
    expect(Object.keys((await form.submit()).errors)).toEqual(['When']);
    expect(form.value('Text')).toBe('We open at nine');
    expect(form.value('Platforms')).toBe('X');
  });

  test('the form shows a hidden field if the service refuses its value', async () => {
    await startBot();
    running.service.on('POST /posts', invalid({ loc: ['body', 'Media'], msg: 'is missing' }));
    const { form } = await openFilledForm(running);
    const { view } = await form.submit();
    expect(view?.labels()).toContain('Media');
    expect(view?.text()).toContain('is missing');
    expect(view?.value('Text')).toBe('We open at nine');
    running.service.on('POST /posts', data({ Id: 'made' }));
    await view?.fill('Media', 'https://example.com/a.jpg');
    expect((await view?.submit())?.closed).toBe(true);
  });

  test('while the time zone field is hidden, the form sends the zone in the text', async () => {
    await startBot();
    const { ana, form } = await openFilledForm(running, { when: '1 Dec 9am in Tokyo' });
    await ana.sees('Tue 1 Dec, 09:00 (Tokyo)');
    expect(form.labels()).not.toContain('Time zone');
    await form.submit();
    await ana.sees('Scheduled for');
    expect(running.service.created()).toMatchObject([
      { ScheduleDate: '2026-12-01T09:00:00+09:00', Timezone: 'Asia/Tokyo' },
    ]);
  });
});
