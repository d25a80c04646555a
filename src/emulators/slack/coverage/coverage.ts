import { listExamples } from '../page/examples/all-examples.js';
import { BLOCK_LIST_RULES } from '../rules/block-list-rules.ts';
import { BLOCK_RULES } from '../rules/block-rules.ts';
import { CROSS_FIELD_RULES } from '../rules/cross-field-rules.ts';
import { ELEMENT_RULES } from '../rules/element-rules.ts';
import { FIELD_RULES } from '../rules/find-problems.ts';
import { METHODS } from '../web-api/methods.ts';
import { listKnownEvents, listKnownMethods } from './known-to-slack.ts';
import {
  EVENT_PROOFS,
  INTERACTION_PROOFS,
  METHOD_PROOFS,
  OTHER_MISSING_PARTS,
  type Proof,
} from './proofs.ts';
import { TRANSPORT_PROOFS } from './transport-proofs.ts';
import { UNPROVOKED_ERRORS } from './unprovoked-errors.ts';
import { UNVERIFIED_FACTS } from './unverified-facts.ts';

const EVERY_RULE = 'slack/rules/every-rule.test.ts';
const SEVERAL_FIELDS = 'slack/rules/several-fields.test.ts';
const PAGE = 'page/examples.test.ts';

/** A part of Slack that the emulator has. */
interface CoveredPart {
  name: string;
  /** Empty if no test proves it. */
  proofs: readonly Proof[];
}

interface Section {
  title: string;
  covered: readonly CoveredPart[];
  /** Parts of Slack that the emulator lacks. */
  missing: readonly string[];
}

function addProofs(names: readonly string[], proofs: Readonly<Record<string, Proof>>): CoveredPart[] {
  return names.map((name) => ({ name, proofs: proofs[name] ? [proofs[name]] : [] }));
}

function buildSection(title: string, proofs: Readonly<Record<string, Proof>>): Section {
  return { title, covered: addProofs(Object.keys(proofs), proofs), missing: [] };
}

function listTypes(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = 'type' in value && typeof value.type === 'string' ? [value.type] : [];
  return [...own, ...Object.values(value).flatMap(listTypes)];
}

const EXAMPLES = listExamples('').map((example) => ({ ...example, types: listTypes(example.blocks) }));

/** Finds the test that draws an example of this type on the page, preferably as a block of its own. */
function findDrawingProof(type: string): Proof[] {
  const example =
    EXAMPLES.find(({ blocks }) => blocks.some((block) => block.type === type)) ??
    // An image element has the same type as an image block.
    EXAMPLES.find(({ types }) => types.includes(type === 'image_element' ? 'image' : type));
  return example ? [[PAGE, example.title]] : [];
}

/** A section about types of the rules. The page draws blocks and elements. */
function buildTypeSection(title: string, types: readonly string[], isDrawn: boolean): Section {
  const covered = types.map((name): CoveredPart => {
    const drawing = isDrawn ? findDrawingProof(name) : [];
    return { name, proofs: [[EVERY_RULE, name], ...drawing] };
  });
  return { title, covered, missing: [] };
}

/** Lists the parts of Slack that the emulator has, with their tests, and the parts that it lacks. */
export function listSections(): readonly Section[] {
  const methods = [...METHODS.keys()].toSorted();
  const blocks = Object.keys(BLOCK_RULES);
  const elements = Object.keys(ELEMENT_RULES);
  const others = Object.keys(FIELD_RULES).filter(
    (kind) => !blocks.includes(kind) && !elements.includes(kind),
  );
  const rules = [...CROSS_FIELD_RULES, ...BLOCK_LIST_RULES].map(
    ({ name }): CoveredPart => ({ name, proofs: [[SEVERAL_FIELDS, name]] }),
  );
  return [
    {
      title: 'Web API methods',
      covered: addProofs(methods, METHOD_PROOFS),
      missing: listKnownMethods().filter((method) => !methods.includes(method)),
    },
    buildSection('Interactions', INTERACTION_PROOFS),
    {
      ...buildSection('Events', EVENT_PROOFS),
      missing: listKnownEvents().filter((event) => !EVENT_PROOFS[event]),
    },
    buildSection('Connections, workspaces and tests', TRANSPORT_PROOFS),
    buildTypeSection('Blocks', blocks, true),
    buildTypeSection('Elements', elements, true),
    buildTypeSection('Composition objects, views and responses', others, false),
    { title: 'Rules for several fields', covered: rules, missing: [] },
    { title: 'Other parts of Slack', covered: [], missing: OTHER_MISSING_PARTS },
  ];
}

const TEST_FOLDER = '../../../test/emulators/';

function formatRow({ name, proofs }: CoveredPart): string {
  const tests = proofs.map(([file, title]) => `[${file}](${TEST_FOLDER}${file}): ${title}`);
  const cell = tests.length > 0 ? tests.join('<br>').replaceAll('|', '\\|') : '**no test**';
  return `| ${formatName(name)} | ${cell} |`;
}

/** Identifiers are formatted as code, and descriptions as text. */
function formatName(name: string): string {
  return name.includes(' ') ? name : `\`${name}\``;
}

/** One line for each family, such as `chat.` or `message `, and one for each description. */
function formatMissing(names: readonly string[]): string[] {
  const getFamily = (name: string) =>
    /^[\w]+\.(?=\w)|^message (?=\w+$)/.exec(name)?.[0] ?? (name.includes(' ') ? name : '');
  return [...Map.groupBy(names, getFamily)].map(([family, members]) => {
    if (family === '' || members[0] === family) return `- ${members.join(', ')}`;
    return `- \`${family.trim()}\`: ${members.map((name) => name.slice(family.length)).join(', ')}`;
  });
}

function formatSection({ title, covered, missing }: Section): string {
  const table = covered.length > 0 ? ['', '| | Test |', '|---|---|', ...covered.map(formatRow)] : [];
  const list = missing.length > 0 ? ['', 'Missing:', '', ...formatMissing(missing)] : [];
  return [`## ${title}`, ...table, ...list].join('\n');
}

function formatErrors(): string {
  const lines = UNPROVOKED_ERRORS.map(
    ({ reason, errors }) => `- ${reason} ${errors.map((name) => `\`${name}\``).join(', ')}`,
  );
  return `## Errors

[Generated calls](${TEST_FOLDER}slack/probes/errors.test.ts) provoke the errors in Slack's reference of each method, and
[malformed requests](${TEST_FOLDER}slack/probes/requests.test.ts) provoke those of all methods. The workspace never
answers with the following errors:

${lines.join('\n')}`;
}

function formatUnverifiedFacts(): string {
  return `## Unverified behavior

No documentation, SDK or issue confirms the following behavior. Slack may differ.

${UNVERIFIED_FACTS.map((fact) => `- ${fact}`).join('\n')}`;
}

/** Builds the text of COVERAGE.md. */
export function formatCoverage(): string {
  const head = `# Coverage of the local Slack

\`npm run generate\` writes this page. It lists the parts of Slack that the workspace has, each with a test that proves it,
and the parts that are missing. Methods and events have their names in @slack/web-api and @slack/types.`;
  return `${[head, ...listSections().map(formatSection), formatErrors(), formatUnverifiedFacts()].join('\n\n')}\n`;
}
