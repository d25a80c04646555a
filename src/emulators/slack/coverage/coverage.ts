import { listExamples } from '../page/examples/all-examples.js';
import { BLOCK_LIST_RULES } from '../rules/block-list-rules.ts';
import { BLOCK_RULES } from '../rules/block-rules.ts';
import { CROSS_FIELD_RULES } from '../rules/cross-field-rules.ts';
import { ELEMENT_RULES } from '../rules/element-rules.ts';
import { FIELD_RULES } from '../rules/find-problems.ts';
import { METHODS } from '../web-api/methods.ts';
import { knownEvents, knownMethods } from './known-to-slack.ts';
import { EVENT_PROOFS, INTERACTION_PROOFS, METHOD_PROOFS, NOT_THERE, type Proof } from './proofs.ts';
import { TRANSPORT_PROOFS } from './transport-proofs.ts';
import { UNPROVOKED_ERRORS } from './unprovoked-errors.ts';
import { UNVERIFIED_FACTS } from './unverified-facts.ts';

const EVERY_RULE = 'slack/rules/every-rule.test.ts';
const SEVERAL_FIELDS = 'slack/rules/several-fields.test.ts';
const PAGE = 'page/examples.test.ts';

/** Something that is there, and the tests that show it. None: nothing shows it. */
interface Covered {
  name: string;
  proofs: readonly Proof[];
}

interface Section {
  title: string;
  covered: readonly Covered[];
  /** What Slack has and the workspace has not. */
  missing: readonly string[];
}

function covered(names: Iterable<string>, proofs: Readonly<Record<string, Proof>>): Covered[] {
  return [...names].map((name) => ({ name, proofs: proofs[name] ? [proofs[name]] : [] }));
}

function section(title: string, proofs: Readonly<Record<string, Proof>>): Section {
  return { title, covered: covered(Object.keys(proofs), proofs), missing: [] };
}

function typesIn(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && typeof value.type === 'string' ? [value.type] : [];
  return [...own, ...Object.values(value).flatMap(typesIn)];
}

/** Kinds of the rules' table; of those that people see, the example that the page draws. */
function kinds(title: string, names: readonly string[], drawn: boolean): Section {
  const examples = listExamples('').map((example) => ({ ...example, types: typesIn(example.blocks) }));
  const list = names.map((name): Covered => {
    // An image within a block is of the same type as an image block.
    const type = name === 'image_element' ? 'image' : name;
    const of = (found: (example: (typeof examples)[number]) => boolean) =>
      drawn ? examples.find(found) : undefined;
    const example =
      of(({ blocks }) => blocks.some((block) => block.type === name)) ??
      of(({ types }) => types.includes(type));
    const shown: Proof[] = example ? [[PAGE, example.title]] : [];
    return { name, proofs: [[EVERY_RULE, name], ...shown] };
  });
  return { title, covered: list, missing: [] };
}

/** All that the workspace does for an app, each with its tests; and what Slack has beyond it. */
export function coverage(): readonly Section[] {
  const methods = [...METHODS.keys()].toSorted();
  const blocks = Object.keys(BLOCK_RULES);
  const elements = Object.keys(ELEMENT_RULES);
  const others = Object.keys(FIELD_RULES).filter(
    (kind) => !blocks.includes(kind) && !elements.includes(kind),
  );
  const rules = [...CROSS_FIELD_RULES, ...BLOCK_LIST_RULES].map(
    ({ name }): Covered => ({ name, proofs: [[SEVERAL_FIELDS, name]] }),
  );
  return [
    {
      title: 'Web API methods',
      covered: covered(methods, METHOD_PROOFS),
      missing: knownMethods().filter((method) => !methods.includes(method)),
    },
    section('Interactions', INTERACTION_PROOFS),
    {
      ...section('Events', EVENT_PROOFS),
      missing: knownEvents().filter((event) => !EVENT_PROOFS[event]),
    },
    section('Transport', TRANSPORT_PROOFS),
    kinds('Blocks', blocks, true),
    kinds('Elements', elements, true),
    kinds('Objects, views and answers', others, false),
    { title: 'Rules about several fields together', covered: rules, missing: [] },
    { title: 'And besides', covered: [], missing: NOT_THERE },
  ];
}

const TOP = '../../../test/emulators/';

function row({ name, proofs }: Covered): string {
  const tests = proofs.map(([file, says]) => `[${file}](${TOP}${file}): ${says}`);
  return `| ${code(name)} | ${tests.length > 0 ? tests.join('<br>').replaceAll('|', '\\|') : '**no test**'} |`;
}

/** Names are code; sentences are words. */
function code(name: string): string {
  return name.includes(' ') ? name : `\`${name}\``;
}

/** A line for each family (`chat.`: appendStream, …; `message `: bot_message, …); sentences stand alone. */
function absentLines(names: readonly string[]): string[] {
  const familyOf = (name: string) =>
    /^[\w]+\.(?=\w)|^message (?=\w+$)/.exec(name)?.[0] ?? (name.includes(' ') ? name : '');
  return [...Map.groupBy(names, familyOf)].map(([family, members]) => {
    if (family === '' || members[0] === family) return `- ${members.join(', ')}`;
    return `- \`${family.trim()}\`: ${members.map((name) => name.slice(family.length)).join(', ')}`;
  });
}

function sectionText({ title, covered: there, missing }: Section): string {
  const table = there.length > 0 ? ['', '| | Test |', '|---|---|', ...there.map(row)] : [];
  const absent = missing.length > 0 ? ['', 'Not there:', '', ...absentLines(missing)] : [];
  return [`## ${title}`, ...table, ...absent].join('\n');
}

function errorsText(): string {
  const lines = UNPROVOKED_ERRORS.map(
    ({ reason, errors }) => `- ${reason} ${errors.map((name) => `\`${name}\``).join(', ')}`,
  );
  return `## Errors

[Generated calls](${TOP}slack/probes/errors.test.ts) provoke the errors that Slack documents for each method, and
[malformed requests](${TOP}slack/probes/requests.test.ts) those that all methods share. These are left out:

${lines.join('\n')}`;
}

function unverifiedText(): string {
  return `## Without a source\n\n${UNVERIFIED_FACTS.map((fact) => `- ${fact}`).join('\n')}`;
}

/** COVERAGE.md. */
export function coverageText(): string {
  const head = `# What the practice workspace covers

Written by \`npm run generate\`. Each line names the test that shows it; what Slack has and the workspace has not is
listed as not there. The names are those of @slack/web-api and @slack/types.`;
  return `${[head, ...coverage().map(sectionText), errorsText(), unverifiedText()].join('\n\n')}\n`;
}
