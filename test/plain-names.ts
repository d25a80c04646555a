import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { root } from './checks.ts';

/**
 * Part of `npm run lint`: finds names that need a second reading, by the rules of CONTRIBUTING.md that a machine can
 * check. Prints each with its place, and fails if there is one. The insides of `when` and of the Slack emulator follow
 * rules of their own.
 */

const NOT_CHECKED =
  /\.d\.ts$|^src\/when\/(?!when\.ts)|^src\/emulators\/slack\/|^test\/(when|emulators\/slack)\//;

/** Superlatives that stand for a limit. */
const LIMIT = /^(MOST|FEWEST|LEAST|LONGEST|SHORTEST|LARGEST|DEEPEST)_/;

/** A participle alone, or with a preposition: `settled`, `seenBy`. With a noun it may be an adjective: `sharedSecret`. */
const PARTICIPLE =
  /^([a-z]+ed|begun|bound|brought|done|found|given|gone|held|kept|known|left|lost|made|meant|said|seen|sent|shown|spoken|taken|thought|told|written)(After|At|Before|Behind|By|For|From|In|Of|On|Since|To|With)?$/;
/** Verbs that end like participles. */
const VERBS = new Set(['embed', 'succeed', 'exceed', 'feed', 'need', 'proceed', 'seed', 'shed', 'speed']);

/** Homemade words, with the glossary's. */
const GLOSSARY = new Map([
  ['asker', 'author or actor'],
  ['telling', 'notification'],
]);

interface Finding {
  node: ts.Node;
  advice: string;
}

/** Test set-ups are read with their tests, and may be called by a state: `connected`. */
function isCheckedFunction(node: ts.Node): boolean {
  return !node.getSourceFile().fileName.startsWith('test/') && isFunction(node);
}

function isFunction(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node) || ts.isMethodSignature(node))
    return true;
  if (!ts.isVariableDeclaration(node) || !node.initializer) return false;
  return ts.isArrowFunction(node.initializer) || ts.isFunctionExpression(node.initializer);
}

function adviceFor(name: string, isFunctionName: boolean): string | undefined {
  if (LIMIT.test(name)) return 'a limit is called MAX_… or MIN_…';
  if (isFunctionName && PARTICIPLE.test(name) && !VERBS.has(name)) return 'a function is called by a verb';
  for (const word of name.split(/(?=[A-Z])|_/)) {
    const better = GLOSSARY.get(word.toLowerCase());
    if (better) return `the glossary says ${better}`;
  }
  return undefined;
}

function findIn(node: ts.Node, found: Finding[]): void {
  const name = ts.isIdentifier(node) ? undefined : ts.getNameOfDeclaration(node as ts.Declaration);
  if (name && ts.isIdentifier(name)) {
    const advice = adviceFor(name.text, isCheckedFunction(node));
    if (advice) found.push({ node: name, advice });
  }
  ts.forEachChild(node, (child) => findIn(child, found));
}

const files = globSync(['src/**/*.ts', 'test/**/*.ts'], { cwd: root }).filter(
  (file) => !NOT_CHECKED.test(file),
);
let count = 0;
for (const file of files) {
  const text = readFileSync(join(root, file), 'utf8');
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found: Finding[] = [];
  findIn(source, found);
  for (const { node, advice } of found) {
    const { line } = source.getLineAndCharacterOfPosition(node.getStart());
    console.log(`${file}:${line + 1} ${node.getText()}: ${advice}`);
  }
  count += found.length;
}
process.exitCode = count > 0 ? 1 : 0;
