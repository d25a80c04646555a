import { expect, vi } from 'vitest';
import type { Team } from '../../src/slack.ts';
import { startWithOAuth } from './workspace-oauth.ts';

export const createHeader = (text: string) => ({
  type: 'header' as const,
  text: { type: 'plain_text' as const, text },
});
const PRESS = {
  type: 'actions' as const,
  elements: [
    { type: 'button' as const, action_id: 'press', text: { type: 'plain_text' as const, text: 'Press' } },
  ],
};
export const FORM = {
  type: 'modal' as const,
  callback_id: 'form',
  title: { type: 'plain_text' as const, text: 'A form' },
  submit: { type: 'plain_text' as const, text: 'Go' },
  blocks: [
    PRESS,
    {
      type: 'input' as const,
      label: { type: 'plain_text' as const, text: 'Words' },
      element: { type: 'plain_text_input' as const, action_id: 'words' },
    },
  ],
};

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
    await vi.waitFor(() => expect(bodies.map(({ type }) => type)).toContain('view_submission'));
  }

  return { ...oauthApp, bodies, findBody, listEvents, useEveryPart };
}
