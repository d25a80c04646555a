import type { Form } from '../../forms/form.ts';
import { radio } from '../../forms/inputs/choice.ts';
import { text } from '../../forms/inputs/text.ts';
import { type Facts, type Loaded, loaded } from '../../forms/loaded.ts';
import { context } from '../../slack/blocks.ts';
import { connect, type Wanted, wanted } from './try-connection.ts';

/** What is typed: where the service is, the token, and what both are for. */
const fields = {
  scope: radio({
    label: 'For',
    choices: [
      { value: 'all', name: 'All projects of this workspace' },
      { value: 'project', name: 'One project' },
    ],
    begin: 'all',
  }),
  project: text({
    label: 'Which project',
    hint: 'Its name or id. Only for one project, where the token can see several.',
    optional: true,
    most: 200,
  }),
  address: text({ label: 'Address of the service', placeholder: 'https://api.example.com', most: 500 }),
  token: text({
    label: 'Token',
    hint: 'You see it while you type, and nobody sees it again: it is kept encrypted. A new one replaces the old one.',
  }),
};

/** It rests on nothing: it opens at once. */
const nothing: Facts<Loaded> = {
  schema: loaded,
  load: async () => ({ facts: { projects: [], more: false } }),
};

/** As the settings take one: what no header could carry is no token. */
const TOKEN = /^[\x21-\x7e]{8,}$/;

/** Where the scheduling service is. Nothing of the token is kept but sealed, and only once the service took it. */
export const connectForm: Form<typeof fields, Loaded, Wanted> = {
  name: 'connect',
  version: 1,
  title: 'Connect the service',
  send: 'Connect',
  command: '/upnext connect',
  fields,
  facts: nothing,
  head: () => [context('I try the token before I keep it: I list the projects that it may see.')],
  check({ typed }) {
    const token = typed.token.trim();
    if (!TOKEN.test(token)) {
      return { kind: 'faulty', errors: { token: 'A token has at least 8 characters, and no spaces.' } };
    }
    const { data } = wanted.safeParse({ ...typed, token, project: typed.project.trim() });
    return data ? { kind: 'good', contents: [data] } : { kind: 'faulty', errors: { scope: 'Choose one.' } };
  },
  ending: { answer: (call, content, _state, form) => connect(call, content, form.again) },
};
