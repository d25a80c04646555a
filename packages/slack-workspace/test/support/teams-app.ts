import { expect } from 'vitest';
import type { Team } from '../../src/slack.ts';
import { createButtonRow, createHeader, createInput, createModal } from './blocks.ts';
import { startWithOAuth } from './workspace-oauth.ts';

const PRESS = createButtonRow('press', 'Press');
const WORDS = createInput('Words', { type: 'plain_text_input', action_id: 'words' });
export const FORM = createModal('A form', [PRESS, WORDS], { callback_id: 'form' });

type Body = Record<string, unknown> & { event?: { type: string; team_ids?: string[] } };

/** Starts an app that is installed by OAuth, answers everything, and records its requests. */
export async function startTeamsApp() {
  const oauthApp = await startWithOAuth();
  const bodies: Body[] = [];
  const { app } = oauthApp;
  app.use(async ({ body, next }) => {
    bodies.push({ ...body });
    await next();
  });
  app.command('/say', async ({ ack, body, respond }) => {
    await ack();
    await respond(`Heard in ${body.team_id}`);
  });
  app.command('/form', async ({ ack, body, client }) => {
    await ack();
    await client.views.open({ trigger_id: body.trigger_id, view: FORM });
  });
  app.event(/^(app_uninstalled|tokens_revoked|team_access_\w+)$/, async () => {});
  app.action('press', ({ ack }) => ack());
  app.view('form', ({ ack }) => ack());
  app.shortcut('new_thing', ({ ack }) => ack());
  app.event('app_mention', async ({ say }) => {
    await say({ text: 'Press it', blocks: [createHeader('Press it'), PRESS] });
  });
  const findBody = (type: string): Body => bodies.find((body) => body.type === type) ?? {};
  const listEvents = (type?: string) =>
    bodies.filter(({ event }) => event !== undefined && (type ?? event.type) === event.type);

  /** Uses all parts of the app in #general. */
  async function useEveryPart(team: Team, name: string): Promise<void> {
    const person = team.as(name).in('#general');
    await person.inviteApp();
    await person.type('/say');
    await person.sees(`Heard in ${team.id}`);
    await person.mention('hello');
    await person.sees('Press it');
    await person.press('Press');
    await person.shortcut('New thing');
    await person.type('/form');
    const form = await person.modal('A form');
    await form.press('Press');
    await form.fill('Words', 'some');
    await form.submit();
    await expect.poll(() => bodies.map(({ type }) => type)).toContain('view_submission');
  }

  return { ...oauthApp, bodies, findBody, listEvents, useEveryPart };
}
