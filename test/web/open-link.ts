import { createLink, type LinkKind } from '../../src/web/links.ts';
import { NOW } from '../support/bot.ts';
import type { BotFixture } from '../support/set-up-bot.ts';

/** The people of the emulated workspace. */
export const [ANA, BEN] = ['U01ANAFERR', 'U02BENOKAF'];

/** An answer, with its body as text. */
export interface Answered {
  status: number;
  headers: Headers;
  text: string;
}

/** Creates a person's link to a running bot, and returns what fetches its pages. */
export async function openLink(
  { running, database }: Pick<BotFixture, 'running' | 'database'>,
  { user = ANA, kind = 'pages' as LinkKind } = {},
) {
  const actor = { workspace: 'T01HARBOUR', user: user ?? '' };
  const token = await createLink({ db: database.db, now: () => NOW }, actor, kind);
  const base = `${running.settings.publicUrl}w/${token}/`;
  return {
    base,
    token,
    async get(path = '', init: RequestInit = {}): Promise<Answered> {
      const response = await fetch(base + path, init);
      return { status: response.status, headers: response.headers, text: await response.text() };
    },
  };
}

/** The text of a page, as people read it: without tags, and with the characters of entities. */
export function readText(html: string): string {
  return html
    .replace(/<head>[\s\S]*<\/head>/, '')
    .replace(/<[^>]+>/g, ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replace(/\s+/g, ' ')
    .trim();
}
